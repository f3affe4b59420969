//! Commands: everything that a person can ask for by a name. Menus, keys, the palette and the help read the same [`TABLE`].
//!
//! A command asks for an [`Action`], or it changes how the window looks. What needs more than its name (a parameter, a lesson, a
//! file) the palette finds by itself.

mod choices;
mod conditions;
mod copies;
mod entries;
mod lookup;
pub mod palette;
pub mod search;
mod table;

use std::borrow::Cow;

use egui::{Context, Key, Modifiers};

use super::action::Action;
use super::experiment::model::Model;
use super::state::Ctx;
use super::view::folding::Side;
use super::view::prefs::ThemeChoice;
use base::params::printable;
use draw::canvas::Draws;
use engine::distributions::Followed;
use engine::scenario::view::Axis;
use engine::session::Clock;

pub use lookup::{FILE_MENUS, of, spec, tip};
pub use table::TABLE;

/// What a command is called in the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    StartPage,
    New,
    Open,
    PasteTable,
    StopReading,
    Save,
    SaveAs,
    Link,
    CopyCitations,
    CopyCaption,
    CopyCaptionForLatex,
    CopyShortCaption,
    CopyShortCaptionForLatex,
    Playlist,
    AddToPlaylist,
    Export,
    CopyFigure,
    StopFigure,
    Report,
    Worksheet,
    HandOut,
    CsvDraws,
    ZarrDraws,
    Quit,
    Undo,
    Redo,
    EditWords,
    Play,
    Forward,
    Back,
    NextStage,
    StageBefore,
    SlowMotion,
    LeapForward,
    LeapBack,
    Start,
    End,
    Restart,
    NewSeed,
    Instant,
    CountBy(Clock),
    PlotsBy(Axis),
    RunStudy,
    HaltStudy,
    PlanSweep,
    RunSweep,
    HaltSweep,
    SaveCells,
    KeepTrial,
    Trials,
    Reference,
    HaltReference,
    PreviousLesson,
    NextLesson,
    Answer,
    Reveal,
    AskAgain,
    Layer(Layer),
    Draw(Draws),
    Exact(Option<Followed>),
    WholeView,
    FitTarget,
    FitDraws,
    FitStep,
    FreeScales,
    SideBySide,
    Overlaid,
    Solo(usize),
    Shown(usize),
    EditTarget,
    Colours(ThemeChoice),
    Panel(Side),
    Truth,
    Present,
    Notes,
    Pen,
    PenColour,
    Spotlight,
    WipePen,
    AllMeasures,
    CopyText,
    CopyCsv,
    Help,
    Palette,
    About,
}

/// A layer of the canvases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    Density,
    Contours,
    Modes,
    Trail,
    Arrows,
    Marginals,
    Fits,
    Ellipses,
    Divergences,
    BetweenModes,
}

/// What a command is about. A menu shows all commands of its groups, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    File,
    Edit,
    Run,
    Lesson,
    Layers,
    Draws,
    Exact,
    Fit,
    Canvases,
    Colours,
    Panels,
    View,
    Readout,
    Help,
}

impl Group {
    /// The name of the group.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::Run => "Run",
            Self::Lesson => "Lesson",
            Self::Layers => "Layers",
            Self::Draws => "Draws",
            Self::Exact => "Exact distribution",
            Self::Fit => "Fit",
            Self::Canvases => "Canvases",
            Self::Colours => "Colours",
            Self::Panels => "Panels",
            Self::View => "View",
            Self::Readout => "Readout",
            Self::Help => "Help",
        }
    }
}

/// When a key is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// Unless a text field has the focus.
    NotTyping,
    /// Unless anything has the focus: sliders and buttons use the key themselves.
    Unfocused,
}

/// A key with its modifiers, and when it is read.
pub type KeySpec = (Modifiers, Key, When);

/// How a menu shows a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// As a button.
    Button,
    /// As a box that is ticked while it is on.
    Check,
    /// As one of several choices.
    Radio,
}

/// What a command does.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    /// Asks for an action.
    Ask(fn() -> Action),
    /// Asks for an action that depends on the experiment.
    AskOf(fn(&Model) -> Action),
    /// Changes how the window looks.
    Show(fn(&mut Ctx<'_>, &Context)),
}

/// A command.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What it is called in the code.
    pub command: Command,
    /// What it is about.
    pub group: Group,
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence without its stop.
    pub help: &'static str,
    /// Its keys.
    pub keys: &'static [KeySpec],
    /// How menus show it.
    pub sign: Sign,
    /// Whether it is on.
    on: fn(&Ctx<'_>, &Context) -> bool,
    /// Whether it can be used at present.
    able: fn(&Ctx<'_>) -> bool,
    /// What it does.
    pub deed: Deed,
}

impl Spec {
    /// Whether it can be used at present.
    #[must_use]
    pub fn able(&self, ctx: &Ctx<'_>) -> bool {
        (self.able)(ctx)
    }

    /// Whether it is on.
    #[must_use]
    pub fn on(&self, ctx: &Ctx<'_>, context: &Context) -> bool {
        (self.on)(ctx, context)
    }

    /// Its name at present: of a run, that of the run.
    #[must_use]
    pub fn name(&self, ctx: &Ctx<'_>) -> Cow<'static, str> {
        match self.command {
            Command::Solo(run) | Command::Shown(run) => match ctx.model.frame().runs.get(run) {
                Some(run) => {
                    let verb = if matches!(self.command, Command::Solo(_)) { "Only" } else { "Show" };
                    format!("{verb} {}", printable(&run.plan.name)).into()
                }
                None => self.name.into(),
            },
            _ => self.name.into(),
        }
    }

    /// Its first key in words; nothing for a command without keys.
    #[must_use]
    pub fn key(&self) -> String {
        self.keys.first().map(|key| key_words(*key)).unwrap_or_default()
    }

    /// All its keys in words: `Ctrl Y or Ctrl Shift Z`.
    #[must_use]
    pub fn all_keys(&self) -> String {
        self.keys.iter().map(|key| key_words(*key)).collect::<Vec<_>>().join(" or ")
    }

    /// Its help with its keys, for a tooltip.
    #[must_use]
    pub fn tip(&self) -> String {
        with_keys(self.help, &self.all_keys())
    }

    /// Its name with its key, for entries of menus that have no place for keys.
    #[must_use]
    pub fn title(&self, ctx: &Ctx<'_>) -> String {
        with_keys(&self.name(ctx), &self.key())
    }

    /// Carries it out: pushes its action, or changes how the window looks. A command that cannot be used does nothing.
    pub fn run(&self, ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) {
        if !self.able(ctx) {
            return;
        }
        match self.deed {
            Deed::Ask(action) => actions.push(action()),
            Deed::AskOf(action) => actions.push(action(ctx.model)),
            Deed::Show(change) => change(ctx, context),
        }
    }
}

fn with_keys(text: &str, keys: &str) -> String {
    if keys.is_empty() { text.to_owned() } else { format!("{text} ({keys})") }
}

/// Modifiers in the order in which keys are read. The plain key matches with more modifiers as well, so it comes last.
pub const MODIFIERS: [Modifiers; 5] =
    [Modifiers::COMMAND.plus(Modifiers::SHIFT), Modifiers::COMMAND, Modifiers::ALT, Modifiers::SHIFT, Modifiers::NONE];

/// A key in words: `Ctrl Shift S`, `Page Up`, `←`.
#[must_use]
pub fn key_words((modifiers, key, _): KeySpec) -> String {
    const COMMAND: &str = if cfg!(target_os = "macos") { "Cmd" } else { "Ctrl" };
    let mut words = Vec::new();
    if modifiers.command {
        words.push(COMMAND);
    }
    if modifiers.alt {
        words.push("Alt");
    }
    // Nobody presses Shift for "?" on purpose.
    if modifiers.shift {
        words.push("Shift");
    }
    words.push(match key {
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        Key::PageUp => "Page Up",
        Key::PageDown => "Page Down",
        Key::Questionmark => "?",
        key => key.name(),
    });
    words.join(" ")
}

#[cfg(test)]
mod named;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_command_has_one_entry_with_a_name_and_a_help() {
        for (number, spec) in TABLE.iter().enumerate() {
            assert_eq!(super::spec(spec.command).name, spec.name);
            assert!(!TABLE[..number].iter().any(|other| other.command == spec.command), "{:?} twice", spec.command);
            let same = |other: &&Spec| other.group == spec.group && other.name == spec.name;
            assert_eq!(TABLE.iter().filter(same).count(), 1, "{} twice", spec.name);
            assert!(spec.help.len() > 10 && !spec.help.ends_with('.'), "{}: {}", spec.name, spec.help);
            assert!(!spec.name.starts_with(char::is_lowercase), "{}", spec.name);
            // A tooltip begins with plain words and ends with the keys.
            let first: String = spec.help.chars().take_while(|letter| letter.is_alphanumeric()).collect();
            assert!(first.starts_with(char::is_uppercase), "{}: {}", spec.name, spec.help);
            assert_eq!(
                spec.tip().ends_with(&format!("({})", spec.all_keys())),
                !spec.keys.is_empty(),
                "{}",
                spec.tip()
            );
            assert!(
                spec.keys.iter().all(|key| !spec.help.contains(&format!("({})", key_words(*key)))),
                "{}",
                spec.help
            );
        }
    }

    /// The variants of an enumeration, as they are written in a source: name, and whether they carry data.
    fn variants(source: &str, name: &str) -> Vec<(String, bool)> {
        let body = source.split(&format!("pub enum {name} {{\n")).nth(1).unwrap().split("\n}\n").next().unwrap();
        let of_enum = body.lines().filter(|line| line.starts_with("    ") && line.as_bytes()[4].is_ascii_uppercase());
        of_enum
            .map(|line| line.trim().trim_end_matches(','))
            .map(|line| {
                let end = line.find(['(', ' ']).unwrap_or(line.len());
                (line[..end].to_owned(), end < line.len())
            })
            .collect()
    }

    /// The variants of [`Command`] that are in no entry would have no menu, no key and no name.
    #[test]
    fn every_variant_is_in_the_table() {
        let source = include_str!("mod.rs");
        for (of_enum, in_table) in [
            (variants(source, "Command"), TABLE.map(|spec| format!("{:?}", spec.command)).to_vec()),
            (variants(source, "Layer"), of(Group::Layers).map(|spec| format!("{:?}", spec.command)).collect()),
        ] {
            assert!(of_enum.len() >= 8);
            for (variant, data) in of_enum {
                let found = in_table.iter().any(|name| match name.strip_prefix(&variant) {
                    Some(rest) => rest.is_empty() || (data && rest.starts_with('(')),
                    None => *name == format!("Layer({variant})"),
                });
                assert!(found, "{variant} is in no entry");
            }
        }
        for (draws, _) in variants(include_str!("../../../crates/draw/src/canvas/input.rs"), "Draws") {
            assert!(TABLE.iter().any(|spec| format!("{:?}", spec.command) == format!("Draw({draws})")), "{draws}");
        }
    }

    /// Actions without data that are offered where they make sense, and nowhere else.
    const IN_A_DIALOG: [&str; 4] = ["ExportTo", "SaveAndQuit", "SaveHandOut", "GiveUpTarget"];

    #[test]
    fn every_action_that_needs_no_data_is_a_command() {
        let asked: BTreeSet<String> = TABLE
            .iter()
            .filter_map(|spec| match spec.deed {
                Deed::Ask(action) => Some(format!("{:?}", action())),
                Deed::AskOf(_) | Deed::Show(_) => None,
            })
            .collect();
        let mut actions = variants(include_str!("../action.rs"), "Action");
        let of_studies = variants(include_str!("../../../crates/draw/src/views/study_action.rs"), "StudyAction");
        actions.extend(of_studies.into_iter().map(|(action, data)| (format!("Study({action})"), data)));
        assert!(actions.len() > 30);
        for (action, _) in actions.iter().filter(|(_, data)| !data) {
            assert!(asked.contains(action) != IN_A_DIALOG.contains(&action.as_str()), "{action}");
        }
    }

    #[test]
    fn no_key_has_two_commands() {
        let keys: Vec<KeySpec> = TABLE.iter().flat_map(|spec| spec.keys).copied().collect();
        for (number, (modifiers, key, when)) in keys.iter().enumerate() {
            assert!(MODIFIERS.contains(modifiers), "{key:?} is never read");
            assert!(!keys[..number].iter().any(|other| (other.0, other.1) == (*modifiers, *key)), "{key:?} twice");
            let letter = key.name().len() == 1;
            assert!(!letter || *modifiers != Modifiers::NONE || *when != When::Always, "{key:?} cannot be typed");
        }
        let words: BTreeSet<String> = keys.iter().map(|key| key_words(*key)).collect();
        assert_eq!(words.len(), keys.len());
        assert_eq!(spec(Command::Redo).all_keys(), "Ctrl Y or Ctrl Shift Z");
        assert_eq!(spec(Command::Present).tip(), format!("{} (P)", spec(Command::Present).help));
    }
}
