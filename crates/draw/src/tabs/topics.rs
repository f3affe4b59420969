//! Tab of the topics of latent Dirichlet allocation. Its plot takes the place of the canvases, whatever tab is open.

use egui::{Slider, Ui};

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::plots::topics::{self, TopicsCache, TopicsInput};
use crate::scene::{Relevance, is_draw};
use crate::theme::Theme;
use engine::session::RunFrame;

pub static TAB: TabSpec = TabSpec {
    key: "topics",
    label: "Topics",
    help: "A picture of each topic of every run, with the true topics beside them; topics and documents can be read",
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    beside: true,
    applies: super::has_topics,
    make: || Box::<Topics>::default(),
};

#[derive(Debug, Default)]
struct Topics {
    cache: TopicsCache,
}

impl PlotTab for Topics {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, truth, computing, options, .. } = *cx;
        let (relevance, chain, aligned) = (options.relevance, options.chain, options.aligned);
        let input = TopicsInput { frame, runs, truth, relevance, chain, aligned, computing };
        topics::show(ui, &input, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        let Some(model) = cx.frame.target.topics() else { return TabResponse::default() };
        if model.corpus.words() > 3 && model.side.is_none() {
            let help = "How words are sorted (relevance, LDAvis): λ = 1 by their probability in the topic, λ = 0 by how much more \
                        probable the topic makes them";
            let mut weight = options.relevance.weight();
            ui.label("Relevance λ").on_hover_text(help);
            let slider = Slider::new(&mut weight, 0.0..=1.0).fixed_decimals(2);
            ui.name_inputs("Relevance λ", |ui| ui.add(slider)).on_hover_text(help);
            options.relevance = Relevance::of(weight);
        }
        let chains = cx.frame.runs.iter().filter_map(|run| run.topics.last()).map(|at| at.chains.len()).max();
        if let Some(chains) = chains.filter(|chains| *chains > 1) {
            let mut chain = options.chain.min(chains - 1) + 1;
            let help = "The chain whose topics are shown; of runs with fewer chains the last one";
            ui.label("Chain").on_hover_text(help);
            let value = egui::DragValue::new(&mut chain).range(1..=chains).speed(0.1).suffix(format!(" of {chains}"));
            ui.name_inputs("Chain", |ui| ui.add(value)).on_hover_text(help);
            options.chain = chain - 1;
        }
        if cx.frame.runs.iter().any(samples) {
            let help = "Error bars of samplers: the topics of all draws are matched before they are averaged. Without that, \
                        topics that exchange their labels mix";
            ui.checkbox(&mut options.aligned, "align labels").on_hover_text(help);
        }
        TabResponse::of_options(cx, options)
    }
}

/// Whether the topics of a run are draws.
fn samples(run: &RunFrame) -> bool {
    run.topics.last().is_some_and(|at| at.chains.iter().any(|chain| is_draw(chain)))
}
