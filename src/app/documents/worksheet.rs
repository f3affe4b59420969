//! Worksheet: the questions of a lesson, a challenge or a scenario on paper, with room for the answers. It gives no answer away.

use super::{Block, Document};
use base::params::printable;
use draw::words::{sentences, tries};
use engine::scenario::challenge::Task;
use engine::scenario::{Challenge, Lesson, LessonPath, Scenario};

/// Room for a word or a number in a line.
const DOTS: &str = "………………";

/// Empty lines below a thing to try, for what is expected and what is seen, below a question in words, for a reason, and for remarks.
const FOR_TRIAL: usize = 3;
const EXPECTED: usize = 1;
const SEEN: usize = 2;
const FOR_NOTICE: usize = 4;
const FOR_REASON: usize = 2;
const FOR_REMARKS: usize = 4;

/// The worksheet of a scenario, of a lesson with what it needs.
#[must_use]
pub fn worksheet(scenario: &Scenario, lesson: Option<&Lesson>) -> Document {
    let plain = |text: &str| printable(text).into_owned();
    let title = if scenario.title.is_empty() { "Worksheet".to_owned() } else { plain(&scenario.title) };
    let mut sheet = Document { title, blocks: Vec::new() };
    sheet.add(Block::Fields(["Name", "Date", "Points"].map(|name| (name, String::new())).to_vec()));
    if let Some(lesson) = lesson {
        let needs: Vec<String> = lesson.needs.iter().map(|key| LessonPath::needed(key)).collect();
        let needs = if needs.is_empty() { String::new() } else { format!(" Needs: {}.", needs.join("; ")) };
        sheet.add(Block::Small(format!("Lesson \"{}\": {}.{needs}", lesson.name, lesson.effort())));
    }
    sheet.add(Block::Small(format!("Seed {}. The same seed gives the same runs.", scenario.seed)));
    sheet.section("What you see", &plain(&scenario.caption.watch));
    let questions: Vec<&Challenge> = scenario.challenges.iter().filter(|one| one.task.is_question()).collect();
    if !questions.is_empty() {
        sheet.add(Block::Heading("Predict before you look".to_owned()));
        for challenge in questions {
            question(&mut sheet, challenge, scenario);
        }
    }
    if !scenario.caption.notice.is_empty() {
        sheet.add(Block::Heading("What do you notice?".to_owned()));
        // Its other sentences are what there is to find out.
        let asked = sentences::questions(&scenario.caption.notice);
        if !asked.is_empty() {
            sheet.add(Block::Paragraph(plain(&asked)));
        }
        sheet.add(Block::Lines(FOR_NOTICE));
    }
    let goals: Vec<&Challenge> = scenario.challenges.iter().filter(|one| !one.task.is_question()).collect();
    if !goals.is_empty() {
        sheet.add(Block::Heading("Goals".to_owned()));
        for goal in goals {
            sheet.add(Block::Question(plain(&goal.words())));
            sheet.add(Block::Paragraph("My best settings, and what they reach:".to_owned()));
            sheet.add(Block::Lines(FOR_TRIAL));
        }
    }
    let tries = tries::possible(scenario);
    if !tries.is_empty() {
        sheet.add(Block::Heading("Try".to_owned()));
        for (number, text) in tries.into_iter().enumerate() {
            sheet.add(Block::Question(format!("{}. {}", number + 1, plain(text))));
            for (words, lines) in [("Before I try it, I expect:", EXPECTED), ("After I have tried it, I see:", SEEN)] {
                sheet.add(Block::Paragraph(words.to_owned()));
                sheet.add(Block::Lines(lines));
            }
        }
    }
    sheet.add(Block::Heading("In my own words".to_owned()));
    sheet.add(Block::Lines(FOR_REMARKS));
    sheet
}

/// A question with the options that there are, or with room for its answer.
fn question(sheet: &mut Document, challenge: &Challenge, scenario: &Scenario) {
    sheet.add(Block::Question(printable(&challenge.words()).into_owned()));
    match &challenge.task {
        Task::Mass { chips, .. } => {
            let each = format!(
                "Draw {chips} chips into the picture, where you expect the draws. Each stands for 1/{chips} of the mass."
            );
            sheet.add(Block::Paragraph(each));
            sheet.add(Block::Sketch);
        }
        Task::Number { .. } => sheet.add(Block::Paragraph(format!("My prediction: {DOTS}"))),
        Task::Choice { rule, .. } => {
            let runs = scenario.runs.iter().map(|run| printable(&run.name).into_owned());
            let none = (!rule.names_one()).then(|| "None of them".to_owned());
            sheet.add(Block::Options(runs.chain(none).collect()));
        }
        Task::Goal { .. } => {}
    }
    sheet.add(Block::Paragraph("Because:".to_owned()));
    sheet.add(Block::Lines(FOR_REASON));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::documents::{html, markdown};
    use engine::scenario::LESSONS;

    /// Whatever the lesson: its questions and what to try are there, and no sentence of its answer.
    #[test]
    fn a_worksheet_has_the_questions_of_a_lesson_and_no_answer() {
        let mut questions = 0;
        for lesson in LESSONS {
            let scenario = lesson.unbuilt().unwrap();
            let sheet = worksheet(&scenario, Some(lesson));
            for text in [markdown::text(&sheet), html::page(&sheet, None)] {
                // As a reader sees it.
                let text = text.replace('\\', "").replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&");
                let text = text.replace("&lt;", "<").replace("&gt;", ">");
                assert!(text.contains(&scenario.title), "{}", lesson.name);
                for task in tries::possible(&scenario) {
                    assert!(text.contains(task), "{}: {task}", lesson.name);
                }
                for challenge in &scenario.challenges {
                    assert!(text.contains(&challenge.words()), "{}", lesson.name);
                    questions += 1;
                }
                // Nor what is found out there: what to notice, unless it is asked.
                let told = format!("{} {}", scenario.caption.notice, scenario.caption.answer);
                let mut from = 0;
                let sentences = sentences::ends(&told);
                let sentences = sentences.into_iter().map(|end| told[std::mem::replace(&mut from, end)..end].trim());
                let sentences = sentences.filter(|text| !text.ends_with('?'));
                for sentence in sentences.filter(|sentence| sentence.len() > 12) {
                    assert!(!text.contains(sentence), "{}: {sentence}", lesson.name);
                }
            }
        }
        assert!(questions >= 12, "{questions}");
    }

    #[test]
    fn the_options_of_a_prediction_have_boxes() {
        let lesson = Lesson::find("challenge-converged").unwrap();
        let text = markdown::text(&worksheet(&lesson.unbuilt().unwrap(), Some(lesson)));
        for option in
            ["- [ ] Exact gradients\n", "- [ ] Noisy gradients\n", "- [ ] Tempering\n", "- [ ] None of them\n"]
        {
            assert!(text.contains(option), "{text}");
        }
        assert!(text.contains("Lesson \"challenge-converged\"") && text.contains("Needs: "), "{text}");
    }
}
