//! Tab of pairs of coefficients and other quantities with names.

mod cache;
mod cell;
pub mod choice;
mod geometry;
mod plot;
mod shown;

use egui::Ui;

use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::theme::Theme;
use base::params::printable;
use engine::scenario::view::{options, tabs};

use cache::PairsCache;
use choice::Chosen;
use shown::PairsInput;

pub(crate) use plot::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::PAIRS,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: true,
    applies: super::has_quantities,
    make: || Box::<Pairs>::default(),
};

#[derive(Debug, Default)]
struct Pairs {
    cache: PairsCache,
}

impl PlotTab for Pairs {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, computing, truth, .. } = *cx;
        let clickable = cx.edited.is_some();
        let input = PairsInput { frame, runs, computing, truth, chosen: chosen(cx), clickable };
        let wanted = plot::show(ui, &input, theme, &mut self.cache);
        let names = wanted.and_then(|pair| {
            let names = frame.target.quantities()?.coordinates();
            Some([names.get(pair[0])?.clone(), names.get(pair[1])?.clone()])
        });
        TabResponse { actions: names.map(TabAction::ShowCoordinates).into_iter().collect() }
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        let Some(known) = cx.frame.target.quantities() else { return TabResponse::default() };
        let now = chosen(cx);
        let button = ui.menu_button("Quantities", |ui| {
            egui::ScrollArea::vertical().show(ui, |ui| {
                for (number, name) in known.names().iter().enumerate() {
                    let mut on = now.numbers().any(|shown| shown == number);
                    let toggled = now.toggled(number);
                    let field = egui::Checkbox::new(&mut on, printable(name).into_owned());
                    if ui.add_enabled(toggled.is_some(), field).clicked() {
                        options.pairs = toggled;
                    }
                }
            });
        });
        button.response.on_hover_text(options::PAIRS.help);
        TabResponse::of_options(cx, options)
    }
}

/// The quantities that are shown.
fn chosen(cx: &PlotContext<'_>) -> Chosen {
    let known = cx.frame.target.quantities();
    let counts = known.map_or((2, 2), |known| (known.names().len(), known.coordinates().len()));
    Chosen::within(cx.options.pairs, counts)
}

#[cfg(test)]
mod tests;
