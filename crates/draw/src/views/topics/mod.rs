//! Tab of the topics of latent Dirichlet allocation. Its plot takes the place of the canvases, whatever tab is open.

mod cache;
mod cell;
pub mod geometry;
mod heading;
mod input;
mod pixels;
mod plot;
mod reading;
mod run;
mod seen;
mod tokens;
mod triangle;
mod view;
mod words;

use egui::{Slider, Ui};

use super::controls::option;
use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::theme::Theme;
use engine::scenario::view::{options, tabs};
use engine::session::RunFrame;

use cache::TopicsCache;
use geometry::{Relevance, is_draw};
use input::TopicsInput;
pub(crate) use plot::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::TOPICS,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
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
        plot::show(ui, &input, theme, &mut self.cache);
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        let Some(model) = cx.frame.target.topics() else { return TabResponse::default() };
        if model.corpus.words() > 3 && model.side.is_none() {
            let spec = &options::RELEVANCE;
            let mut weight = options.relevance.weight();
            ui.label(spec.label).on_hover_text(spec.help);
            let slider = Slider::new(&mut weight, 0.0..=1.0).fixed_decimals(2);
            ui.name_inputs(spec.label, |ui| ui.add(slider)).on_hover_text(spec.help);
            options.relevance = Relevance::of(weight);
        }
        let chains = cx.frame.runs.iter().filter_map(|run| run.topics.last()).map(|at| at.chains.len()).max();
        if let Some(chains) = chains.filter(|chains| *chains > 1) {
            let mut chain = options.chain.min(chains - 1) + 1;
            let spec = &options::CHAIN;
            ui.label(spec.label).on_hover_text(spec.help);
            let value = egui::DragValue::new(&mut chain).range(1..=chains).speed(0.1).suffix(format!(" of {chains}"));
            ui.name_inputs(spec.label, |ui| ui.add(value)).on_hover_text(spec.help);
            options.chain = chain - 1;
        }
        if cx.frame.runs.iter().any(samples) {
            option::flag(ui, &mut options.aligned, &options::ALIGN);
        }
        TabResponse::of_options(cx, options)
    }
}

/// Whether the topics of a run are draws.
fn samples(run: &RunFrame) -> bool {
    run.topics.last().is_some_and(|at| at.chains.iter().any(|chain| is_draw(chain)))
}

#[cfg(test)]
mod tests;
