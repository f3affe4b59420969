//! View: how the window looks at present (canvases, plots, readout, dialog, messages). What of it is a choice about what is
//! seen, a scenario file may name, and Save writes it: [`spec`] has both conversions. What a person prefers in every file
//! is in [`super::prefs`].

mod spec;

use std::ops::Range;
use std::path::PathBuf;

use super::challenge_study::ChallengeStudy;
use super::controls::Aim;
use super::convergence_study::ConvergenceStudy;
use super::drawing::Drawing;
use super::folding::Folded;
use super::messages::Messages;
use super::model::Model;
use super::open_dialog::Dialog;
use super::painter::Painter;
use super::preview::Preview;
use super::range_study::RangeStudy;
use super::reading::Reading;
use super::reference_study::ReferenceStudy;
use super::slices::Job;
use super::sweep_study::SweepStudy;
use super::typed::Writing;
use crate::platform::Instant;
use base::math::Bounds;
use draw::plots::canvas::Layers;
use draw::plots::coverage::Trail;
use draw::plots::coverage::pin::Pin;
use draw::plots::identity::Identity;
use draw::plots::path::PathChoice;
use draw::plots::pointing::Pointing;
use draw::sheet::ExportOptions;
use draw::tabs::{PlotOptions, Tab};
use engine::scenario::view::{Axis, Shade};
use engine::scenario::{Caption, Pacing, Scenario, Speed, ViewSpec};

/// Title and caption while they are edited.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The title as typed so far.
    pub title: String,
    /// The caption as typed so far.
    pub caption: Caption,
    /// What to try, a line for each.
    pub tries: String,
}

impl Draft {
    /// Title and caption as typed, without space around their parts.
    #[must_use]
    pub fn words(&self) -> (String, Caption) {
        let own = |text: &str| text.trim().to_owned();
        let tries = self.tries.lines().map(own).filter(|line| !line.is_empty());
        let caption = Caption {
            watch: own(&self.caption.watch),
            notice: own(&self.caption.notice),
            tries: tries.take(Caption::MOST_TRIES).collect(),
            answer: own(&self.caption.answer),
        };
        (own(&self.title), caption)
    }

    /// The scenario with these words, if they are not its own.
    #[must_use]
    pub fn applied(&self, scenario: &Scenario) -> Option<Scenario> {
        let (title, caption) = self.words();
        let new = title != scenario.title || caption != scenario.caption;
        new.then(|| Scenario { title, caption, ..scenario.clone() })
    }
}

/// State of the coverage plot.
#[derive(Debug, Default)]
pub struct CoverageView {
    /// Points of finished runs.
    pub trail: Trail,
    /// The pin that is selected, by number.
    pub selected: Option<usize>,
    /// The pins that were removed last; they can be restored.
    pub removed: Vec<Pin>,
}

/// What a person has chosen in the palette, while it is brought into sight.
#[derive(Debug)]
pub enum Wanted {
    /// A parameter of a run, or of the target.
    Parameter {
        /// Number of the run; `None` for the target.
        run: Option<usize>,
        /// What the panel needs to know.
        aim: Aim,
    },
    /// A measure of the readout, by key, and until when its row is marked.
    Measure(&'static str, Instant),
}

/// Bounds of the canvases, and the steps that plots show.
type Place = (Option<Bounds>, Option<Range<f64>>);

/// How the window looks at present.
#[derive(Debug, Default)]
pub struct View {
    /// The run that is shown alone.
    pub solo: Option<usize>,
    /// The runs that a file shows, by number; `None` for all.
    pub among: Option<Vec<usize>>,
    /// Whether all runs share one canvas.
    pub overlay: bool,
    /// Bounds of all canvases; `None` for those of the target.
    pub bounds: Option<Bounds>,
    /// Bounds and range of a scenario whose first frame has not come yet.
    home: Option<Place>,
    /// What the frame is of that was shown last.
    of: Option<Identity>,
    /// Generation of the frame that is shown, while bounds and range are to be reset with the next one.
    reset_after: Option<u64>,
    /// The panels that a person has unfolded while presenting.
    pub folded_presenting: Folded,
    /// What canvases show.
    pub layers: Layers,
    /// The tab that is open in the bottom panel.
    pub tab: Tab,
    /// The steps, evaluations or seconds that plots show; `None` for all.
    pub range: Option<Range<f64>>,
    /// The coordinate in plots of one coordinate, 0 or 1, where a person or a file has chosen it.
    pub coordinate: Option<usize>,
    /// Options of single plots.
    pub options: PlotOptions,
    /// The measures of the readout, by key; the first is the headline. `None` for the usual ones.
    pub measures: Option<Vec<String>>,
    /// Watch or Instant, if the file or the person has chosen since it was loaded.
    pub pace: Option<Pacing>,
    /// The speed, if the file or the person has chosen since it was loaded.
    pub speed: Option<Speed>,
    /// The colours that the file asks for.
    pub theme: Option<Shade>,
    /// The folded panels, if the file says which.
    pub folded: Option<Folded>,
    /// Whether the answer of the caption is shown.
    pub answer: bool,
    /// The view when the scenario was loaded or saved, if its file says one.
    kept: Option<ViewSpec>,
    /// What the pointer is at on canvases and plots.
    pub pointing: Pointing,
    /// The lines in the path plot.
    pub path: PathChoice,
    /// Files that are being read.
    pub reading: Reading,
    /// State of the coverage plot.
    pub coverage: CoverageView,
    /// Whether canvases show the handles of a mixture, or the brush of a painting.
    pub editing: bool,
    /// The brush, and what is being painted.
    pub painter: Painter,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// The messages that are shown.
    pub messages: Messages,
    /// The parameter of the target for which a file or folder was asked for.
    pub browsing: Option<String>,
    /// Number of the newest refusal for which there was a message.
    pub refusals_shown: u64,
    /// Title and caption while they are edited.
    pub draft: Option<Draft>,
    /// The formula that is being written.
    pub formula: Option<Writing>,
    /// How many scenarios were loaded: panels scroll back to their top with each.
    pub loads: u64,
    /// How many times the system was asked for a path.
    pub tickets: u64,
    /// The convergence study.
    pub study: ConvergenceStudy,
    /// The range test.
    pub range_study: RangeStudy,
    /// The sweep.
    pub sweep: SweepStudy,
    /// What is asked before the runs are shown, and goals.
    pub challenge: ChallengeStudy,
    /// The HMC reference.
    pub reference: ReferenceStudy,
    /// Options of the exported figure.
    pub export: ExportOptions,
    /// Its preview in the dialog.
    pub preview: Preview,
    /// The figure that moves, while it is being drawn.
    pub drawing: Option<Drawing>,
    /// Draws that are being written.
    pub writing: Option<Job>,
    /// Whether the window closes without asking about unsaved changes.
    pub quitting: bool,
    /// Whether the window closes once the scenario is saved.
    pub closes_when_saved: bool,
    /// Whether the next start shows the file without the unsaved changes.
    pub discarding: bool,
    /// What the palette has chosen: its control gets the focus, or its row a frame.
    pub wanted: Option<Wanted>,
    /// Whether the start page is shown.
    pub start_page: bool,
    /// The recent files that are not there any more.
    pub missing: Vec<PathBuf>,
    /// The present title of the window.
    pub title: String,
}

impl View {
    /// Shows one run alone, or all runs again.
    pub fn toggle_solo(&mut self, run: usize, runs: usize) {
        self.solo = if self.solo == Some(run) || run >= runs { None } else { Some(run) };
    }

    /// The runs that plots show: the one that is shown alone, or all.
    #[must_use]
    pub fn shown_runs(&self, runs: usize) -> Vec<usize> {
        match (self.solo, &self.among) {
            (Some(run), _) if run < runs => vec![run],
            (_, Some(among)) if among.iter().any(|run| *run < runs) => {
                among.iter().copied().filter(|run| *run < runs).collect()
            }
            _ => (0..runs).collect(),
        }
    }

    /// Shows all runs, each on a canvas of its own or all on one.
    pub fn show_all(&mut self, overlay: bool) {
        (self.solo, self.among, self.overlay) = (None, None, overlay);
    }

    /// The parameter of a run, or of the target, whose control is to have the focus.
    #[must_use]
    pub fn aim(&self, of: Option<usize>) -> Option<&Aim> {
        match &self.wanted {
            Some(Wanted::Parameter { run, aim }) if *run == of => Some(aim),
            _ => None,
        }
    }

    /// The measure whose row is marked, by key.
    #[must_use]
    pub fn marked(&self) -> Option<&'static str> {
        match self.wanted {
            Some(Wanted::Measure(key, _)) => Some(key),
            _ => None,
        }
    }

    /// Forgets what was brought into sight long enough; returns whether something still is.
    pub fn note_wanted(&mut self) -> bool {
        let over = |wanted: &mut Wanted| match wanted {
            Wanted::Parameter { aim, .. } => aim.over(),
            Wanted::Measure(_, until) => *until < Instant::now(),
        };
        self.wanted.take_if(over);
        self.wanted.is_some()
    }

    /// Opens the form for title and caption.
    pub fn edit_words(&mut self, scenario: &Scenario) {
        let (title, caption) = (scenario.title.clone(), scenario.caption.clone());
        let tries = caption.tries.join("\n");
        self.draft = Some(Draft { title, caption, tries });
    }

    /// Whether a view that its file says has been changed since it was loaded or saved.
    #[must_use]
    pub fn changed(&self, scenario: &Scenario) -> bool {
        self.kept.as_ref().is_some_and(|kept| self.spec(scenario).without_moment() != *kept)
    }

    /// Notes that the view was saved with a scenario.
    pub fn mark_saved(&mut self, scenario: &Scenario) {
        self.kept = (scenario.view != ViewSpec::default()).then(|| self.spec(scenario).without_moment());
    }

    /// Bounds and range, or those that come with the next frame.
    fn place(&self) -> Place {
        self.home.clone().unwrap_or_else(|| (self.bounds, self.range.clone()))
    }

    /// Takes the bounds and the range of the scenario at once: its first frame is there.
    pub fn arrive(&mut self) {
        (self.bounds, self.range) = self.home.take().unwrap_or_default();
    }

    /// Opens a tab. One tab alone can count seconds, and a range of them means nothing to others.
    pub fn open_tab(&mut self, tab: Tab) {
        if tab != self.tab && self.options.axis == Some(Axis::Seconds) {
            self.range = None;
        }
        self.tab = tab;
    }

    /// Chooses options of plots; on another axis the range is another.
    pub fn set_options(&mut self, options: PlotOptions) {
        if options.axis != self.options.axis {
            self.range = None;
        }
        self.options = options;
    }

    /// Resets the bounds of canvases and the range of plots, or takes those of a new scenario, once a frame follows the one of `generation`.
    pub fn reset_after(&mut self, generation: u64) {
        self.reset_after = Some(generation);
    }

    /// Whether the next frame resets bounds and range.
    #[must_use]
    pub fn resets(&self) -> bool {
        self.reset_after.is_some()
    }

    /// Follows the frame that is shown. What was made of another scenario, of other runs or of another target is gone.
    pub fn follow(&mut self, model: &Model) {
        self.note_frame(model.frame().generation);
        let identity = model.identity();
        if self.of.as_ref() != Some(&identity) {
            self.range_study.close();
            self.path.pick_on_canvas(self.path.picking());
            if self.of.as_ref().is_none_or(|of| of.load() != identity.load()) {
                self.coverage.trail = Trail::default();
                self.painter.forget();
                self.preview.close();
            }
            self.of = Some(identity.clone());
        }
        self.study.outdate(model.scenario());
        self.study.note(&model.frame().scenario, &identity);
        self.challenge.follow(model.scenario());
        if model.opening().is_none() {
            self.coverage.trail.note(model.frame());
            self.challenge.note(model.frame());
        }
    }

    /// Notes that the frame of `generation` is shown.
    fn note_frame(&mut self, generation: u64) {
        if self.reset_after.take_if(|before| *before != generation).is_some() {
            self.arrive();
        }
    }

    /// Forgets choices that belong to removed runs.
    pub fn forget_removed(&mut self, runs: usize) {
        self.solo = self.solo.filter(|run| *run < runs);
        self.among.take_if(|among| among.iter().all(|run| *run >= runs));
        self.export.choose(self.export.picture.fit(runs));
    }
}
