//! Palette: everything that has a name, as a list to search: commands, parameters, measures, lessons, tabs, targets, files, words.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use egui::Context;

use super::search::{rank, rank_of_lesson, rank_of_term};
use super::{Spec, TABLE};
use crate::app::action::{Action, EditAction, MAX_RUNS};
use crate::app::controls::locks::Locks;
use crate::app::controls::{Aim, parameters};
use crate::app::dialogs::current::Dialog;
use crate::app::state::Ctx;
use crate::app::view::Wanted;
use crate::app::view::folding::Side;
use crate::platform::Instant;
use base::params::{KindSpec, printable};
use draw::views::{TABS, Tab};
use draw::words::glossary::{self, Term};
use engine::diagnostics::MeasureSpec;
use engine::scenario::{LESSONS, Lesson, METHOD};
use models::targets::TARGETS;
use samplers::methods::{self, METHODS};

/// The most results.
pub const MOST: usize = 12;

/// How long the row of a measure is marked.
const MARKED: Duration = Duration::from_secs(5);

/// Something with a name.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// Its keys.
    pub keys: String,
    /// Whether it can be used at present.
    pub able: bool,
    /// Further words that find it.
    more: &'static str,
    goal: Goal,
}

/// What Enter does.
#[derive(Debug)]
enum Goal {
    Command(&'static Spec),
    Ask(Action),
    Parameter(Option<usize>, String),
    Measure(MeasureSpec),
    Tab(Tab),
    Word(&'static Term),
}

impl Entry {
    fn new(name: impl Into<String>, about: impl Into<String>, more: &'static str, goal: Goal) -> Self {
        Self { name: name.into(), about: about.into(), keys: String::new(), able: true, more, goal }
    }

    /// Does what the entry is for.
    pub fn take(self, ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) {
        match self.goal {
            Goal::Command(spec) => spec.run(ctx, context, actions),
            Goal::Ask(action) => actions.push(action),
            Goal::Tab(tab) => {
                ctx.view.plots.open_tab(tab);
                ctx.unfold(Side::Bottom, context);
            }
            Goal::Parameter(run, path) => {
                ctx.unfold(Side::Left, context);
                ctx.view.window.wanted = Some(Wanted::Parameter { run, aim: Aim::at(path) });
            }
            Goal::Word(term) => ctx.view.forms.dialog = Some(Dialog::help_at(term.name())),
            Goal::Measure(spec) => {
                ctx.unfold(Side::Right, context);
                ctx.prefs.all_measures = true;
                ctx.view.window.wanted = Some(Wanted::Measure(spec.key, Instant::now() + MARKED));
                if let Some(term) = glossary::of_measure(spec.key, spec.label) {
                    ctx.view.messages.news(format!("{}: {}", term.name(), term.meaning));
                }
            }
        }
    }
}

/// The entries that match a query, best first; without a query the first commands.
#[must_use]
pub fn found(ctx: &Ctx<'_>, query: &str) -> Vec<Entry> {
    let ranked = all(ctx).into_iter().filter_map(|entry| {
        let about = format!("{} {}", entry.about, entry.more);
        let rank = match entry.goal {
            // Without a query words are no suggestion.
            Goal::Word(_) if query.trim().is_empty() => None,
            // A word comes after what can be done and begins in the same way.
            Goal::Word(term) => rank_of_term(query, term).map(|rank| rank.max(1)),
            Goal::Ask(Action::Lesson(number)) if number < LESSONS.len() => {
                rank_of_lesson(query, &entry.name, (LESSONS[number].name, &about))
            }
            _ => rank(query, &entry.name, &about),
        };
        Some(((!entry.able, rank?), entry))
    });
    let mut ranked: Vec<((bool, usize), Entry)> = ranked.collect();
    // Equal ranks keep the order of the lists.
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().take(MOST).map(|(_, entry)| entry).collect()
}

/// Everything that has a name at present.
fn all(ctx: &Ctx<'_>) -> Vec<Entry> {
    let mut all: Vec<Entry> = TABLE
        .iter()
        .map(|spec| {
            let entry = Entry::new(spec.name(ctx), spec.group.name(), spec.help, Goal::Command(spec));
            Entry { keys: spec.key(), able: spec.able(ctx), ..entry }
        })
        .collect();
    if !ctx.view.window.start_page {
        all.extend(of_scenario(ctx));
    }
    all.extend(LESSON_TITLES.iter().zip(LESSONS).enumerate().map(|(number, (title, lesson))| {
        let words = LESSON_WORDS.get(number).map_or(lesson.name, |words| &words.about);
        Entry::new(title, "Lesson", words, Goal::Ask(Action::Lesson(number)))
    }));
    let text = |part: Option<&std::ffi::OsStr>| part.map(|part| printable(&part.to_string_lossy()).into_owned());
    for path in ctx.prefs.recent.iter().filter(|path| !ctx.view.files.missing.contains(path)) {
        let folder = text(path.parent().map(Path::as_os_str)).unwrap_or_default();
        let about = format!("Recent file in {folder}");
        all.push(Entry::new(
            text(path.file_name()).unwrap_or_default(),
            about,
            "",
            Goal::Ask(Action::OpenFile(path.clone())),
        ));
    }
    all.extend(glossary::terms().iter().map(|term| Entry::new(term.title(), term.plain(), "", Goal::Word(term))));
    for (number, work) in ctx.unsaved.all() {
        let title = printable(&work.scenario.title).into_owned();
        all.push(Entry::new(title, "Unsaved work", "", Goal::Ask(Action::Restore(*number))));
    }
    all
}

/// The titles of the lessons, read once.
pub static LESSON_TITLES: LazyLock<Vec<String>> =
    LazyLock::new(|| LESSONS.iter().map(|lesson| lesson.words().0).collect());

/// What finds a lesson besides its title.
#[derive(Debug)]
pub struct LessonWords {
    /// Its group and its name, its target, and its methods.
    pub about: String,
    /// The methods of its runs.
    pub methods: Vec<&'static KindSpec>,
    /// What its text says.
    pub text: String,
}

/// The words of the lessons, read once.
pub static LESSON_WORDS: LazyLock<Vec<LessonWords>> = LazyLock::new(|| {
    let of = |lesson: &Lesson| {
        let mut words = vec![lesson.group, lesson.name];
        let mut methods: Vec<&'static KindSpec> = Vec::new();
        if let Ok(scenario) = lesson.unbuilt() {
            methods.extend(scenario.runs.iter().map(|run| run.settings.kind));
            words.push(scenario.target.kind.label);
            words.extend(methods.iter().flat_map(|kind| [kind.label, kind.name]));
        }
        let caption = lesson.words().1;
        let parts = [caption.watch, caption.notice].into_iter().chain(caption.tries);
        LessonWords { about: words.join(" "), methods, text: parts.collect::<Vec<_>>().join(" ") }
    };
    LESSONS.iter().map(of).collect()
});

/// What belongs to the experiment: parameters, measures, tabs, and what can be added, copied or chosen.
fn of_scenario(ctx: &Ctx<'_>) -> Vec<Entry> {
    let (scenario, frame) = (ctx.model.scenario(), ctx.model.frame());
    let mut all = Vec::new();
    let parameter = |run, about: &str, (label, path, spec): (String, String, &'static base::params::ParamSpec)| {
        Entry::new(label, about, spec.help, Goal::Parameter(run, path))
    };
    if ctx.offers_side(Side::Left) {
        for (number, run) in scenario.runs.iter().enumerate() {
            let about = format!("Parameter of {}", printable(&run.name));
            all.push(Entry::new("method", &about, "", Goal::Parameter(Some(number), METHOD.to_owned())));
            let locks = Locks::of_run(&scenario.view, &run.name);
            let of_run = parameters(&ctx.model.settings(run), &ctx.model.hidden());
            let free = of_run.into_iter().filter(|(_, path, _)| !locks.hold(path));
            all.extend(free.map(|found| parameter(Some(number), &about, found)));
        }
        let (locks, hidden) = (Locks::of_target(&scenario.view), ctx.view.hides_target(scenario));
        let of_target = parameters(ctx.model.target(), &[]);
        let free = of_target.into_iter().filter(|(_, path, _)| !hidden && !locks.hold(path));
        all.extend(free.map(|found| parameter(None, "Parameter of the target", found)));
    }
    if ctx.offers("readout") {
        all.extend(
            ctx.measures()
                .rows()
                .map(|row| Entry::new(row.spec.label, "Measure", row.spec.help, Goal::Measure(row.spec))),
        );
    }
    if ctx.offers_side(Side::Bottom) {
        let tabs = TABS.into_iter().filter(|tab| (tab.applies)(frame));
        all.extend(tabs.map(|tab| Entry::new(tab.spec.label, "Tab", tab.spec.help, Goal::Tab(tab))));
    }
    let runs = scenario.runs.len();
    let edit = |name: String, able: bool, edit: EditAction| Entry {
        able: able && !ctx.locks("runs"),
        ..Entry::new(name, "Run", "", Goal::Ask(Action::Edit(edit)))
    };
    for (number, run) in scenario.runs.iter().enumerate() {
        let name = printable(&run.name);
        all.push(edit(format!("Copy {name}"), runs < MAX_RUNS, EditAction::Duplicate(number)));
        all.push(edit(format!("Remove {name}"), runs > 1, EditAction::Remove(number)));
    }
    let addable = METHODS.iter().filter(|kind| methods::is_for(kind, frame.target.space()));
    all.extend(addable.map(|kind| edit(format!("Add {}", kind.label), runs < MAX_RUNS, EditAction::AddRun(kind))));
    all.extend(TARGETS.iter().map(|kind| {
        let entry = Entry::new(kind.label, "Target", kind.help, Goal::Ask(Action::ChooseTarget(kind)));
        Entry { able: !ctx.locks("target"), ..entry }
    }));
    all
}
