//! Hand-out of a scenario: what its file hides and leaves free, as a person has chosen.

use base::params::printable;
use draw::words::settings::parameters;
use draw::words::{sentences, tries};
use engine::scenario::{Pacing, Scenario, ViewSpec};

/// The panel of the menus.
const MENU: &str = "menu";

/// The path of the seed.
const SEED: &str = "seed";

/// What is chosen for a hand-out.
#[derive(Clone, Debug, PartialEq)]
pub struct HandOut {
    /// Whether the target and the answer are hidden until they are revealed.
    pub hides_target: bool,
    /// Whether there are no menus.
    pub hides_menus: bool,
    /// Whether it opens at step 0, wherever the runs are now.
    pub from_start: bool,
    /// What can be changed, by path.
    pub free: Vec<String>,
}

impl Default for HandOut {
    fn default() -> Self {
        Self { hides_target: true, hides_menus: true, from_start: true, free: Vec::new() }
    }
}

impl HandOut {
    /// The hand-out of a scenario: packed, with everything locked but what is free.
    #[must_use]
    pub fn of(&self, scenario: Scenario) -> Scenario {
        Scenario { view: self.view(&scenario), ..scenario }
    }

    /// What the file of the hand-out says of the window.
    fn view(&self, scenario: &Scenario) -> ViewSpec {
        let known = knobs(scenario, self.hides_target);
        let is_known = |path: &&String| known.iter().any(|(other, _)| other == *path);
        let mut view = scenario.view.clone();
        view.truth = if self.hides_target { Some(false) } else { view.truth.filter(|shown| *shown) };
        view.hidden.retain(|panel| panel != MENU);
        view.hidden.extend(self.hides_menus.then(|| MENU.to_owned()));
        view.locked = vec!["*".to_owned()];
        view.unlocked = self.free.iter().filter(is_known).cloned().collect();
        if self.from_start && view.step.is_some() {
            (view.pace, view.step) = (view.pace.filter(|pace| *pace == Pacing::Instant), Some(0));
        }
        ViewSpec { packed: true, ..view }
    }

    /// Begins with what the file of a scenario leaves free, unless something was chosen for it.
    pub fn begin(&mut self, scenario: &Scenario) {
        let known = knobs(scenario, false);
        if !self.free.iter().any(|path| known.iter().any(|(other, _)| other == path)) {
            self.free.clone_from(&scenario.view.unlocked);
        }
    }

    /// What is wrong with it, in words: a goal that nobody can come nearer to, or something to try that cannot be done.
    #[must_use]
    pub fn warning(&self, scenario: &Scenario) -> Option<String> {
        let has_goal = scenario.challenges.iter().any(|challenge| !challenge.task.is_question());
        let known = knobs(scenario, self.hides_target);
        let moves = |path: &String| path != SEED && known.iter().any(|(other, _)| other == path);
        if has_goal && !self.free.iter().any(moves) {
            let words = "There is a goal, and students can change nothing that leads to it: tick a parameter of a run.";
            return Some(words.to_owned());
        }
        let view = self.view(scenario);
        let out = tries::left_out(scenario, &view);
        let (first, more) = out.split_first()?;
        let others = if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
        let first = printable(first);
        let stop = if others.is_empty() && first.ends_with(['.', '?', '!']) { "" } else { "." };
        Some(format!(
            "Left out, since what it changes is not ticked: “{first}”{others}{stop} Tick it for students to try it."
        ))
    }
}

/// Words of questions that only somebody can answer who sees the target.
const OF_TARGET: [&str; 8] = ["target", "targets", "mode", "modes", "contour", "contours", "density", "densities"];

/// The first question of a text that is about the target, and cannot be answered while that is hidden.
#[must_use]
pub fn question_about_target(scenario: &Scenario) -> Option<String> {
    let is_about = |word: &str| OF_TARGET.contains(&word.to_lowercase().as_str());
    let asked = sentences::each_question(&scenario.caption.notice).into_iter();
    let mut about = asked.filter(|question| question.split(|c: char| !c.is_alphanumeric()).any(is_about));
    about.next().map(|question| printable(question).into_owned())
}

/// What a hand-out can leave free: paths with their names. A target that is hidden has none.
#[must_use]
pub fn knobs(scenario: &Scenario, hides_target: bool) -> Vec<(String, String)> {
    let plain = |text: &str| printable(text).into_owned();
    let mut knobs = vec![(SEED.to_owned(), format!("seed {}", scenario.seed))];
    for run in &scenario.runs {
        let of = parameters(&run.settings).into_iter();
        knobs.extend(of.map(|one| {
            (format!("{}.{}", run.name, one.path), plain(&format!("{}: {} {}", run.name, one.label, one.words)))
        }));
    }
    if !hides_target {
        let of = parameters(&scenario.target).into_iter();
        knobs.extend(
            of.map(|one| (format!("target.{}", one.path), plain(&format!("target: {} {}", one.label, one.words)))),
        );
    }
    knobs
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::{Lesson, read, write};

    #[test]
    fn a_hand_out_leaves_free_what_was_chosen_and_names_nothing() {
        let scenario = Lesson::find("bias-on-a-switch").unwrap().scenario().unwrap();
        let run = scenario.runs[0].name.clone();
        let path = format!("{run}.step_size.value");
        assert!(knobs(&scenario, true).iter().any(|(known, _)| *known == path));
        assert!(knobs(&scenario, true).len() < knobs(&scenario, false).len());
        let free = vec![path, "target.variance".to_owned(), "no such run.steps".to_owned()];
        let made = HandOut { free, ..HandOut::default() }.of(scenario.clone());
        let text = write(&made);
        assert!(!text.contains(scenario.target.kind.name));
        let back = read(&text, "hand-out", ".").unwrap();
        let view = &back.view;
        assert!(view.locks(None, "target") && view.locks(None, "seed") && view.locks(Some(&run), "steps"));
        assert!(!view.locks(Some(&run), "step_size.value") && view.unlocked.len() == 1);
        assert!(view.truth == Some(false) && view.hidden == [MENU] && back.runs_as(&scenario));
        let shown = HandOut { hides_target: false, hides_menus: false, ..HandOut::default() }.of(made);
        assert!(shown.view.truth.is_none() && shown.view.hidden.is_empty());
    }

    #[test]
    fn a_hand_out_of_a_goal_begins_with_what_its_lesson_leaves_free() {
        let scenario = Lesson::find("challenge-cover-25").unwrap().scenario().unwrap();
        let mut form = HandOut::default();
        assert!(form.warning(&scenario).is_some());
        form.begin(&scenario);
        assert_eq!(form.free, scenario.view.unlocked);
        assert_eq!(form.warning(&scenario), None);
        form.free = vec![SEED.to_owned()];
        form.begin(&scenario);
        assert!(form.free == [SEED] && form.warning(&scenario).is_some(), "another seed alone is no way to a goal");
        let question = Lesson::find("challenge-converged").unwrap().scenario().unwrap();
        assert!(HandOut::default().warning(&question).is_none_or(|words| !words.contains("goal")));
    }

    #[test]
    fn a_question_about_the_target_is_found() {
        let mut scenario = Lesson::find("step-sizes").unwrap().scenario().unwrap();
        assert_eq!(question_about_target(&scenario).unwrap(), "Which of the three moves over the whole target?");
        scenario.caption.notice = "These are the modes. Which run is faster?".to_owned();
        assert_eq!(question_about_target(&scenario), None);
    }

    #[test]
    fn what_a_hand_out_leaves_out_is_told() {
        let scenario = Lesson::find("step-sizes").unwrap().scenario().unwrap();
        let mut form = HandOut::default();
        let words = form.warning(&scenario).unwrap();
        assert!(words.contains("Drag the step size of the first run"), "{words}");
        form.free = vec!["Short steps.step_size.value".to_owned()];
        assert_eq!(form.warning(&scenario), None);
    }

    #[test]
    fn a_hand_out_opens_at_the_start_unless_the_step_is_kept() {
        let mut scenario = Lesson::find("bias-on-a-switch").unwrap().scenario().unwrap();
        (scenario.view.pace, scenario.view.step) = (Some(Pacing::Watch), Some(40));
        let form = HandOut::default();
        assert_eq!(form.of(scenario.clone()).view.step, Some(0));
        assert_eq!(HandOut { from_start: false, ..form }.of(scenario).view.step, Some(40));
    }
}
