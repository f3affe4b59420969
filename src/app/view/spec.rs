//! View and file: what a scenario file says becomes the present view, and the present view becomes what a file says.
//! Entries of the file that no control changes (locks, pauses, hidden panels, what is unknown) stay as they are.

use super::View;
use super::folding::{Folded, OneSide};
use crate::app::studies::challenge::ChallengeStudy;
use base::math::{Bounds, Point};
use base::params::Settings;
use draw::canvas::Layers;
use draw::canvas::named_layers;
use draw::views::path::PathChoice;
use draw::views::{Seen, Tab, first_tab, tab};
use engine::scenario::view::{Arrangement, FOLDABLE, LAYERS};
use engine::scenario::{Scenario, ViewSpec};
use engine::session::Frame;

impl View {
    /// Shows what a scenario says, and for everything else the defaults. Bounds and range come with its first frame.
    pub fn show(&mut self, scenario: &Scenario) {
        let spec = &scenario.view;
        let tab = spec.tab.as_ref().and_then(|settings| tab(settings.kind.name));
        self.plots.tab = tab.unwrap_or_else(|| first_tab(&scenario.target));
        let Seen { options, choice, cycle, coordinate, range } = Seen::of_file(spec);
        (self.plots.coordinate, self.plots.options, self.studies.convergence.choice) = (coordinate, options, choice);
        self.plots.path = PathChoice::of_cycle(cycle);
        self.home = Some((spec.area.map(bounds), range));
        self.shown.layers = named_layers::of_file(spec, Layers::default());
        self.studies.challenge = ChallengeStudy::of(scenario);
        self.hide_what_is_asked(scenario);
        let runs = |names: &Vec<String>| names.iter().filter_map(|name| scenario.run_index(name)).collect::<Vec<_>>();
        let shown = spec.runs.as_ref().map(runs);
        (self.shown.solo, self.shown.among) = match shown.as_deref() {
            Some([only]) => (Some(*only), None),
            _ => (None, shown),
        };
        self.shown.overlay = spec.layout == Some(Arrangement::Overlaid);
        self.plots.measures.clone_from(&spec.measures);
        (self.transport.pace, self.transport.speed, self.window.theme) = (spec.pace, spec.speed, spec.theme);
        self.window.folded = Folded::of_file(spec);
        self.window.one_side = OneSide::at_first(scenario);
        self.forms.draft = None;
        self.forms.answer = false;
        self.kept = (*spec != ViewSpec::default()).then(|| self.spec(scenario).without_moment());
    }

    /// Shows what a scenario says that was left with this view; its file says the view of `original`.
    pub fn show_again(&mut self, original: &Scenario, scenario: &Scenario) {
        self.show(original);
        let kept = self.kept.take();
        self.show(scenario);
        self.kept = kept;
    }

    /// What a file says so that this view is shown again. Defaults are left out.
    #[must_use]
    pub fn spec(&self, scenario: &Scenario) -> ViewSpec {
        let standard = Layers::default();
        let (area, _) = self.extent();
        let on = |layers: &Layers| LAYERS.map(|name| named_layers::is_on(layers, name));
        let is_on = |name: &&&str| named_layers::is_on(&self.shown.layers, name);
        let names = || LAYERS.iter().filter(is_on).map(|name| (*name).to_owned()).collect();
        let runs = self.shown.solo.map_or_else(|| self.shown.among.clone(), |run| Some(vec![run]));
        let name = |run: usize| scenario.runs.get(run).map(|run| run.name.clone());
        ViewSpec {
            tab: self.tab_spec(scenario),
            layers: (on(&self.shown.layers) != on(&standard) || scenario.view.layers.is_some()).then(names),
            draws: (self.shown.layers.draws != standard.draws || scenario.view.draws.is_some())
                .then(|| named_layers::word(self.shown.layers.draws).to_owned()),
            exact: (self.shown.layers.exact != standard.exact || scenario.view.exact.is_some())
                .then(|| named_layers::exact_word(self.shown.layers.exact).to_owned()),
            runs: runs.map(|runs| runs.into_iter().filter_map(name).collect()),
            measures: self.plots.measures.clone(),
            layout: self.shown.overlay.then_some(Arrangement::Overlaid),
            axis: self.plots.options.axis,
            area: area.map(|Bounds { min, max }| [[min.x, max.x], [min.y, max.y]]),
            pace: self.transport.pace,
            speed: self.transport.speed,
            theme: self.window.theme,
            truth: self.truth_in_file(scenario),
            folded: self.folded_in_file(scenario),
            ..scenario.view.clone()
        }
    }

    /// The panels that a file says are folded: those that it said before, unless a person has folded others.
    fn folded_in_file(&self, scenario: &Scenario) -> Option<Vec<String>> {
        if self.window.folded == Folded::of_file(&scenario.view) {
            return scenario.view.folded.clone();
        }
        self.window.folded.map(|folded| {
            let flags = [folded.left, folded.right, folded.bottom];
            let names = FOLDABLE.into_iter().zip(flags).filter(|(_, folded)| *folded == Some(true));
            names.map(|(name, _)| name.to_owned()).collect()
        })
    }

    /// While something is asked, hides the truth unless the file says that it is shown.
    pub fn hide_what_is_asked(&mut self, scenario: &Scenario) {
        if self.studies.challenge.asks() {
            self.shown.layers.truth = scenario.view.truth == Some(true);
        }
    }

    /// What a file says of the truth. While something is asked it is not the person who hides it.
    fn truth_in_file(&self, scenario: &Scenario) -> Option<bool> {
        match scenario.view.truth {
            said if self.studies.challenge.asks() => said,
            said if self.shown.layers.truth => said.filter(|shown| *shown),
            _ => Some(false),
        }
    }

    /// The options of plots.
    fn seen(&self) -> Seen {
        Seen {
            options: self.plots.options,
            choice: self.studies.convergence.choice,
            cycle: self.plots.path.cycle,
            coordinate: self.plots.coordinate,
            range: self.extent().1,
        }
    }

    /// What a file says so that a tab is open with its options.
    #[must_use]
    pub fn tab_in_file(&self, tab: Tab) -> Settings {
        self.seen().in_file(tab.spec)
    }

    /// What the file of a figure says of a tab: its options, with the range that its plot shows of a frame.
    #[must_use]
    pub fn tab_in_figure(&self, tab: Tab, frame: &Frame) -> Settings {
        Seen { range: self.plots.range_at(frame), ..self.seen() }.in_file(tab.spec)
    }

    /// The open tab with its options; nothing for the tab that is open first, without any.
    fn tab_spec(&self, scenario: &Scenario) -> Option<Settings> {
        let settings = self.tab_in_file(self.plots.tab);
        let first = self.plots.tab == first_tab(&scenario.target);
        (!first || settings != Settings::defaults(settings.kind)).then_some(settings)
    }
}

fn bounds([x, y]: [[f64; 2]; 2]) -> Bounds {
    Bounds { min: Point::new(x[0], y[0]), max: Point::new(x[1], y[1]) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::{LESSONS, read};

    const SCENARIO: &str = "format = 1\ntitle = \"x\"\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n\
                            [[run]]\nname = \"B\"\nmethod = \"sgld\"\n[[run]]\nname = \"C\"\nmethod = \"sgld\"\n";

    fn scenario(view: &str) -> Scenario {
        read(&format!("{SCENARIO}[view]\n{view}"), "test", Path::new(".")).unwrap()
    }

    /// The view of a scenario that is shown after another one.
    fn shown_and_read(scenario: &Scenario) -> ViewSpec {
        let mut view = View::default();
        view.show(&Scenario { view: everything().view, ..scenario.clone() });
        view.show(scenario);
        view.spec(scenario)
    }

    fn everything() -> Scenario {
        scenario(
            "tab = \"noise\"\noptions = { coordinate = \"y\", both = true, log_steps = false, steps = [10.0, 50.5] }\n\
             layers = [\"contours\", \"ellipses\"]\ndraws = \"by-chain\"\nexact = \"collected\"\nruns = [\"C\"]\nmeasures = [\"kl\", \"tv\"]\n\
             layout = \"overlaid\"\naxis = \"steps\"\narea = [[-1, 2], [0, 3]]\npace = \"instant\"\nspeed = 20\n\
             pause = [5]\ntheme = \"dark\"\ntruth = \"hidden\"\nhidden = [\"menu\"]\nfolded = [\"plots\"]\n\
             locked = [\"*\"]\nunlocked = [\"seed\"]\nzoom = 3\n",
        )
    }

    #[test]
    fn everything_that_a_file_says_is_shown_and_written_again() {
        let all = everything();
        assert_eq!(shown_and_read(&all), all.view);
    }

    #[test]
    fn each_option_of_each_tab_comes_back() {
        for text in [
            "tab = \"schedule\"\noptions = { log = true, steps = [0, 9] }\n",
            "tab = \"truth\"\noptions = { measure = \"kl\", log = false, repeats = 3 }\nruns = [\"A\", \"C\"]\n",
            "tab = \"path\"\noptions = { cycle = 4 }\n",
            "tab = \"maps\"\noptions = { quantity = \"information\" }\n",
            "tab = \"weights\"\noptions = { picture = \"plane\", surface = \"test-nll\" }\n",
            "tab = \"weights\"\noptions = { picture = \"functions\", threshold = 0.25 }\n",
            "tab = \"weights\"\noptions = { picture = \"direction\", direction = 7 }\n",
            "tab = \"functions\"\noptions = { beside = \"functions\" }\n",
            "tab = \"weights\"\noptions = { picture = \"plane\" }\n",
            "tab = \"topics\"\noptions = { relevance = 0.35, chain = 3, align = false }\n",
            "tab = \"heldout\"\noptions = { curve = \"bars\", log_steps = false, steps = [5, 90] }\n",
            "tab = \"chain\"\noptions = { coordinate = \"y\" }\nfolded = []\n",
            "tab = \"smoothing\"\noptions = { log_steps = false }\n",
        ] {
            let one = scenario(text);
            assert_eq!(shown_and_read(&one), one.view, "{text}");
        }
    }

    #[test]
    fn the_default_view_is_no_entry() {
        let plain = scenario("");
        assert_eq!(shown_and_read(&plain), ViewSpec::default());
        assert_eq!(plain.view, ViewSpec::default());
    }

    #[test]
    fn a_view_counts_as_changed_where_the_file_says_one() {
        let (plain, viewed) = (scenario(""), scenario("layout = \"side-by-side\"\narea = [[0, 1], [0, 1]]\n"));
        let mut view = View::default();
        for (scenario, counts) in [(&plain, false), (&viewed, true)] {
            view.show(scenario);
            assert!(!view.changed(scenario));
            view.arrive();
            assert!(!view.changed(scenario));
            view.shown.overlay = true;
            assert_eq!(view.changed(scenario), counts);
            view.mark_saved(scenario);
            assert!(!view.changed(scenario));
        }
    }

    #[test]
    fn the_view_of_each_lesson_comes_back() {
        for lesson in LESSONS {
            let scenario = lesson.scenario().unwrap();
            assert_eq!(shown_and_read(&scenario), scenario.view, "{}", lesson.name);
        }
    }
}
