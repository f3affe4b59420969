//! Challenges of the window: the answers as they are given, whether the runs may be shown, what is true, and the best attempts at goals.
//!
//! While something is asked, the truth is hidden and the runs stay at step 0; [`crate::app::perform`] refuses what would show them. When a
//! person reveals them, they go to their end, and answers are scored there.

use std::sync::Arc;

use crate::app::action::Action;
use base::math::Point;
use draw::sheet::Format;
use draw::views::study_action::StudyAction;
use draw::words::challenge::goal_words;
use draw::words::numbers;
use draw::words::settings::settings;
use engine::scenario::challenge::Task;
use engine::scenario::{Challenge, Scenario};
use engine::session::Frame;
use engine::session::challenge::{Answer, Attempt, Key, Score, key, score};
use engine::worker::Order;

/// Why a question is not scored before the end.
const NOT_FINISHED: &str = "told at the end of the runs";

/// The challenges of the scenario that is shown.
#[derive(Debug, Default)]
pub struct ChallengeStudy {
    items: Vec<Item>,
    asking: bool,
    /// The item that is asked in large type, and whose chips are on the canvases.
    current: usize,
    /// The frame that the keys belong to.
    seen: Option<Arc<Frame>>,
}

/// A challenge with what was answered.
#[derive(Debug)]
pub struct Item {
    /// The challenge.
    pub challenge: Challenge,
    /// The answer, as soon as there is one.
    pub answer: Option<Answer>,
    /// A number as it is typed.
    pub typed: String,
    /// What is true, or why that is not known.
    key: Result<Key, &'static str>,
    /// What the answer is worth, and of chips the share of what each stands for that it accounts for.
    score: Option<Score>,
    used: Option<Vec<f64>>,
    /// The draws that the answer was judged by, once: runs that are changed after that are not what was asked about.
    judged: Option<(u64, u64)>,
    /// The best attempt at a goal since the scenario was opened.
    best: Option<Attempt>,
    /// The settings of the run that it was made with.
    best_with: String,
}

impl Item {
    /// Whether it has a whole answer.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        match (&self.challenge.task, &self.answer) {
            (Task::Mass { chips, .. }, Some(Answer::Chips(placed))) => placed.len() == *chips,
            (_, answer) => answer.is_some(),
        }
    }

    /// What is true, or why that is not known.
    pub fn key(&self) -> &Result<Key, &'static str> {
        &self.key
    }

    /// The best attempt at a goal since the scenario was opened.
    #[must_use]
    pub fn best(&self) -> Option<Attempt> {
        self.best
    }

    /// The best attempt in words, with the settings that it was made with.
    #[must_use]
    pub fn best_in_words(&self) -> Option<String> {
        let words = goal_words(&self.challenge, &self.best?);
        Some(if self.best_with.is_empty() { words } else { format!("{words}; with {}", self.best_with) })
    }

    /// What the answer is worth, if there is one and the truth is known.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        self.score
    }

    /// Takes what is true, and judges the answer by it.
    fn judge(&mut self, key: Result<Key, &'static str>) {
        self.key = key;
        let (known, answer) = (self.key.as_ref().ok(), self.answer.as_ref());
        self.score = known.zip(answer).and_then(|(key, answer)| score(&self.challenge, key, answer));
        self.used = match (&self.challenge.task, known) {
            (Task::Mass { chips: count, .. }, Some(Key::Mass { mass, .. })) => {
                Some(mass.used(self.chips(), *count).into_iter().map(|used| used * *count as f64).collect())
            }
            _ => None,
        };
    }

    /// Once it is told what is true: the share of what each chip stands for that it accounts for, and the chips of a good answer.
    #[must_use]
    pub fn told_chips(&self) -> (Option<&[f64]>, &[Point]) {
        match &self.key {
            Ok(Key::Mass { chips, .. }) => (self.used.as_deref(), chips),
            _ => (None, &[]),
        }
    }

    /// The chips that are placed.
    #[must_use]
    pub fn chips(&self) -> &[Point] {
        match &self.answer {
            Some(Answer::Chips(chips)) => chips,
            _ => &[],
        }
    }

    /// Places a chip, unless all are placed.
    pub fn place(&mut self, at: Point) {
        let Task::Mass { chips: most, .. } = &self.challenge.task else { return };
        let mut chips = self.chips().to_vec();
        if chips.len() < *most {
            chips.push(at);
        }
        self.answer = Some(Answer::Chips(chips));
    }

    /// Takes a chip away, by number.
    pub fn take_away(&mut self, chip: usize) {
        let mut chips = self.chips().to_vec();
        if chip < chips.len() {
            chips.remove(chip);
        }
        self.answer = (!chips.is_empty()).then_some(Answer::Chips(chips));
    }

    /// Takes the number that is typed as the answer.
    pub fn read_typed(&mut self) {
        self.answer = numbers::parse(&self.typed).map(Answer::Number);
    }
}

impl ChallengeStudy {
    /// The challenges of a scenario, without answers.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let item = |challenge: &Challenge| Item {
            challenge: challenge.clone(),
            answer: None,
            typed: String::new(),
            key: Err(NOT_FINISHED),
            score: None,
            used: None,
            judged: None,
            best: None,
            best_with: String::new(),
        };
        Self { items: scenario.challenges.iter().map(item).collect(), asking: scenario.asks(), ..Self::default() }
    }

    /// Follows an edit of the scenario: runs have other names, or are gone with what was asked of them. Other answers stay.
    pub fn follow(&mut self, scenario: &Scenario) {
        let new = &scenario.challenges;
        if new.iter().eq(self.items.iter().map(|item| &item.challenge)) {
            return;
        }
        let renamed = new.len() == self.items.len();
        let mut old: Vec<Option<Item>> = std::mem::take(&mut self.items).into_iter().map(Some).collect();
        let mut kept = |number: usize, challenge: &Challenge| {
            let same = |item: &Option<Item>| item.as_ref().is_some_and(|item| item.challenge == *challenge);
            let index = if renamed { Some(number) } else { old.iter().position(same) };
            old.get_mut(index?)?.take().filter(|item| item.challenge.task.kind() == challenge.task.kind())
        };
        let followed = Self::of(scenario);
        self.items = followed
            .items
            .into_iter()
            .enumerate()
            .map(|(number, fresh)| {
                let challenge = fresh.challenge.clone();
                kept(number, &challenge).map_or(fresh, |item| Item { challenge, ..item })
            })
            .collect();
        (self.asking, self.seen) = (self.asking && followed.asking, None);
    }

    /// Whether something is asked whose answer must not be seen yet.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.asking
    }

    /// Whether there are questions, asked or answered.
    #[must_use]
    pub fn has_questions(&self) -> bool {
        self.questions().next().is_some()
    }

    /// Whether every question has an answer.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.questions().all(Item::is_answered)
    }

    fn questions(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.challenge.task.is_question())
    }

    /// All challenges.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// A challenge, to be answered.
    pub fn item_mut(&mut self, number: usize) -> Option<&mut Item> {
        self.items.get_mut(number)
    }

    /// The number of the challenge that is asked in large type, and whose chips are on the canvases.
    #[must_use]
    pub fn current(&self) -> usize {
        self.current.min(self.items.len().saturating_sub(1))
    }

    /// Turns to a challenge.
    pub fn turn_to(&mut self, number: usize) {
        self.current = number;
    }

    /// The chips on the canvases: the number of their question, if it is turned to.
    #[must_use]
    pub fn on_canvas(&self) -> Option<usize> {
        let number = self.current();
        matches!(self.items.get(number)?.challenge.task, Task::Mass { .. }).then_some(number)
    }

    /// How many questions are answered rightly, and how many are scored.
    #[must_use]
    pub fn total(&self) -> (usize, usize) {
        let scores: Vec<Score> = self.questions().filter_map(Item::score).collect();
        (scores.iter().filter(|score| score.right).count(), scores.len())
    }

    /// Shows what was asked for. Turns to the first question again, whose answer is told first.
    pub fn reveal(&mut self) {
        (self.asking, self.current, self.seen) = (false, 0, None);
    }

    /// Asks again: takes the answers away. The best attempts stay.
    pub fn ask_again(&mut self) {
        for item in &mut self.items {
            item.answer = None;
            item.judge(Err(NOT_FINISHED));
            item.judged = None;
            item.typed.clear();
        }
        (self.asking, self.current, self.seen) = (self.has_questions(), 0, None);
    }

    /// Looks what is true at a frame, and notes attempts at goals.
    pub fn note(&mut self, frame: &Arc<Frame>) {
        let known = self.seen.as_ref().is_some_and(|seen| Arc::ptr_eq(seen, frame));
        let same = frame.scenario.challenges.iter().eq(self.items.iter().map(|item| &item.challenge));
        if self.asking || known || !same {
            return;
        }
        let finished = frame.finished();
        let moved =
            self.seen.as_ref().is_none_or(|seen| (seen.generation, seen.step) != (frame.generation, frame.step));
        let draws = (frame.generation, frame.step);
        for item in &mut self.items {
            let is_mass = matches!(item.challenge.task, Task::Mass { .. });
            let is_question = item.challenge.task.is_question();
            if is_question && item.judged.is_some_and(|judged| judged != draws) {
                // What was told stays.
            } else if !finished && is_question {
                item.judge(Err(NOT_FINISHED));
            } else if moved || !is_mass || item.key.is_err() {
                // At rest measures become more exact, but the draws stay.
                item.judge(key(frame, &item.challenge));
                item.judged = item.key.is_ok().then_some(draws);
            }
            if let Ok(Key::Goal(attempt)) = &item.key
                && item.best.as_ref().is_none_or(|best| attempt.beats(best))
            {
                let runs = &frame.scenario.runs;
                let named = |name: &str| runs.get(frame.scenario.run_index(name)?);
                let run = item.challenge.task.run().map_or_else(|| runs.first(), named);
                item.best = Some(*attempt);
                item.best_with =
                    run.map(|run| settings(&frame.scenario.settings_at(run, frame.step))).unwrap_or_default();
            }
        }
        self.seen = Some(frame.clone());
    }
}

/// Whether an action would show what is asked. A figure of a format that moves would show the runs to their end.
#[must_use]
pub fn would_tell(action: &Action, figure: Format) -> bool {
    match action {
        Action::ExportTo => figure.moves(),
        Action::Order(order) => !matches!(order, Order::Speed(_) | Order::PauseAt(_) | Order::Pause),
        Action::Seek(step) => *step > 0,
        Action::TogglePlay
        | Action::Pacing(_)
        | Action::Restart
        | Action::SaveDraws(_)
        | Action::Study(StudyAction::Repeat | StudyAction::RangeTest { .. } | StudyAction::Sweep) => true,
        _ => false,
    }
}

/// Whether an action may start the runs again.
#[must_use]
pub fn changes_runs(action: &Action) -> bool {
    matches!(
        action,
        Action::Edit(_)
            | Action::ChooseTarget(_)
            | Action::Seed(_)
            | Action::NewSeed
            | Action::Undo
            | Action::Redo
            | Action::Study(StudyAction::OpenCell(_))
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    const SCENARIO: &str = "format = 1\nseed = 5\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 300\n\
        [[challenge]]\nkind = \"mass\"\nrun = \"A\"\nchips = 2\n[[challenge]]\nkind = \"number\"\nmeasure = \"modes_visited\"\ntolerance = 25\n\
        [[challenge]]\nkind = \"goal\"\nmeasure = \"modes_visited\"\nat_least = 1\n";

    fn session() -> Session {
        Session::new(read(SCENARIO, "s", Path::new("")).unwrap()).unwrap()
    }

    fn frame(session: &mut Session, step: u64) -> Arc<Frame> {
        session.apply(engine::session::Command::Seek(step)).unwrap();
        session.refresh_measures();
        Arc::new(session.frame())
    }

    #[test]
    fn figures_that_move_tell_and_others_do_not() {
        assert!(would_tell(&Action::ExportTo, Format::Gif) && would_tell(&Action::Seek(1), Format::Png));
        assert!(!would_tell(&Action::ExportTo, Format::Png) && !would_tell(&Action::Seek(0), Format::Gif));
    }

    #[test]
    fn questions_are_answered_then_told_and_asked_again() {
        let mut session = session();
        let mut study = ChallengeStudy::of(session.scenario());
        assert!(study.asks() && study.has_questions() && !study.is_complete());
        let item = study.item_mut(0).unwrap();
        item.place(Point::new(0.0, 0.0));
        assert!(!item.is_answered(), "one of two chips");
        item.place(Point::new(2.0, 0.0));
        item.place(Point::new(4.0, 0.0));
        assert_eq!(item.chips(), [Point::new(0.0, 0.0), Point::new(2.0, 0.0)], "there are two chips");
        let item = study.item_mut(1).unwrap();
        item.typed = "4 modes".to_owned();
        item.read_typed();
        assert!(item.answer.is_none());
        item.typed = " 4".to_owned();
        item.read_typed();
        assert!(study.is_complete() && study.asks());
        let end = frame(&mut session, 300);
        study.note(&end);
        assert_eq!(study.total(), (0, 0), "nothing is told before it is asked for");
        study.reveal();
        study.note(&frame(&mut session, 100));
        assert_eq!(study.total(), (0, 0), "nor before the end");
        assert!(study.items()[2].best().is_some(), "goals are looked at on the way");
        assert!(
            study.items()[2].best_in_words().unwrap().contains("with SGLD"),
            "{:?}",
            study.items()[2].best_in_words()
        );
        study.note(&end);
        assert_eq!(study.total().1, 2);
        assert!(study.items()[1].score().unwrap().right);
        let best = study.items()[2].best();
        // Other runs are not what was asked about.
        let told = (study.items()[1].score(), format!("{:?}", study.items()[1].key()));
        session.apply(engine::session::Command::Seek(0)).unwrap();
        for step in [0, 100, 300] {
            let mut other = Frame::clone(&frame(&mut session, step));
            other.generation += 1;
            study.note(&Arc::new(other));
            assert_eq!((study.items()[1].score(), format!("{:?}", study.items()[1].key())), told, "step {step}");
        }
        assert_eq!(study.total().1, 2);
        study.ask_again();
        assert!(study.asks() && !study.is_complete() && study.items()[2].best() == best);
        assert_eq!(study.items()[1].typed, "");
    }

    #[test]
    fn a_chip_that_is_taken_away_can_be_placed_elsewhere() {
        let mut study = ChallengeStudy::of(session().scenario());
        let item = study.item_mut(0).unwrap();
        item.place(Point::new(1.0, 0.0));
        item.place(Point::new(2.0, 0.0));
        item.take_away(0);
        assert_eq!(item.chips(), [Point::new(2.0, 0.0)]);
        item.take_away(5);
        item.take_away(0);
        assert!(item.answer.is_none() && item.chips().is_empty());
    }

    #[test]
    fn answers_follow_the_names_of_runs_and_go_with_them() {
        let text =
            SCENARIO.replace("measure = \"modes_visited\"\ntol", "run = \"B\"\nmeasure = \"modes_visited\"\ntol");
        let text = text.replace("goal\"\n", "goal\"\nrun = \"A\"\n").replace(
            "[[challenge]]\nkind = \"mass\"",
            "[[run]]\nname = \"B\"\nmethod = \"sgld\"\nsteps = 9\n[[challenge]]\nkind = \"mass\"",
        );
        let scenario = read(&text, "s", Path::new("")).unwrap();
        let mut study = ChallengeStudy::of(&scenario);
        study.item_mut(1).unwrap().typed = "4".to_owned();
        study.item_mut(1).unwrap().read_typed();
        let renamed = scenario.with_name("B", "C").unwrap();
        study.follow(&renamed);
        assert_eq!(study.items()[1].challenge.task.run(), Some("C"));
        assert_eq!(study.items()[1].answer, Some(Answer::Number(4.0)));
        let without_a = renamed.without_run("A").unwrap();
        study.follow(&without_a);
        assert_eq!((study.items().len(), study.is_complete(), study.asks()), (1, true, true));
        study.follow(&Scenario { challenges: Vec::new(), ..without_a });
        assert!(!study.asks() && study.items().is_empty(), "nothing is asked of runs that are gone");
    }

    #[test]
    fn keys_of_another_scenario_are_not_taken() {
        let mut session = session();
        let mut study = ChallengeStudy::of(session.scenario());
        study.reveal();
        study.items.pop();
        study.note(&frame(&mut session, 300));
        assert!(study.items().iter().all(|item| item.key().is_err()));
    }
}
