//! Tab of weight space seen in planes; it links the draws with those on the canvases.

mod cache;
pub mod geometry;
mod input;
mod inset;
mod line;
mod made;
mod names;
mod plot;
mod points;

use egui::{Button, DragValue, Ui};

use super::controls::option;
use super::{PlotContext, PlotOptions, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::canvas::CanvasResponse;
use crate::canvas::pointing::Pointed;
use crate::kit::named::named;
use crate::theme::Theme;
use crate::words::numbers;
use engine::scenario::view::{options, tabs};

use cache::WeightsCache;
use geometry::{Loss, WeightPicture, apart, network_of, test_data};
use input::WeightsInput;
pub(crate) use plot::GESTURES;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::WEIGHTS,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: false,
    beside: true,
    applies: |frame| network_of(frame.target.as_ref()).is_some(),
    make: || Box::<Weights>::default(),
};

/// Widths of the lists of pictures and of surfaces, in units of the theme.
const WIDTH: f32 = 40.0;
const NARROW: f32 = 34.0;

/// Change of the threshold for each point that the pointer is dragged, as a share of it, and the least value that this is a share of.
const SPEED: f64 = 0.01;
const LEAST_SPEED: f64 = 0.02;

/// The largest number of a direction.
const MOST_DIRECTIONS: u64 = 1_000_000;

#[derive(Debug, Default)]
struct Weights {
    cache: WeightsCache,
}

impl PlotTab for Weights {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, by_chain, computing, pointed, .. } = *cx;
        let PlotOptions { picture, surface, direction, .. } = cx.options;
        if network_of(frame.target.as_ref()).is_none() {
            ui.label("This target has no weights of a network.");
            return TabResponse::default();
        }
        let threshold = threshold(cx);
        let input = WeightsInput { frame, runs, picture, threshold, surface, direction, pointed, by_chain, computing };
        let under = plot::show(ui, &input, theme, &mut self.cache);
        TabResponse { actions: under.map(|name| TabAction::Point(Pointed::at_draw(name))).into_iter().collect() }
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        option::list(ui, &mut options.picture, theme.space(WIDTH));
        match options.picture {
            WeightPicture::Functions => clusters(ui, cx, &mut options),
            WeightPicture::Plane => surfaces(ui, cx, &mut options, theme),
            WeightPicture::Direction => directions(ui, &mut options),
            WeightPicture::Weights | WeightPicture::Path => {}
        }
        if self.cache.has_chosen() {
            let release = ui.small_button("Release draws");
            let help = "Take the newest draws of different chains for plane, path and direction again";
            if release.on_hover_text(help).clicked() {
                self.cache.release();
            }
        }
        TabResponse::of_options(cx, options)
    }

    fn over_canvas(
        &mut self,
        ui: &Ui,
        cx: &PlotContext<'_>,
        canvas: (&[usize], &CanvasResponse),
        theme: &Theme,
    ) -> TabResponse {
        TabResponse::of_canvas(ui, cx, canvas, theme)
    }
}

/// The distance of functions up to which draws are neighbours: the chosen one, or that of the target.
fn threshold(cx: &PlotContext<'_>) -> f64 {
    cx.options.threshold.unwrap_or_else(|| apart(cx.frame.target.as_ref()))
}

/// The threshold of clusters, dragged or typed.
fn clusters(ui: &mut Ui, cx: &PlotContext<'_>, options: &mut PlotOptions) {
    let before = threshold(cx);
    let mut value = before;
    let field = DragValue::new(&mut value)
        .range(0.0..=f64::MAX)
        .speed(SPEED * before.max(LEAST_SPEED))
        .prefix("neighbours up to ")
        .custom_formatter(|value, _| numbers::significant(value, 3))
        .custom_parser(numbers::parse)
        .update_while_editing(false);
    if ui.name_inputs(options::THRESHOLD.label, |ui| ui.add(field)).on_hover_text(options::THRESHOLD.help).changed() {
        options.threshold = Some(value);
    }
}

/// The height of the surface of a plane.
fn surfaces(ui: &mut Ui, cx: &PlotContext<'_>, options: &mut PlotOptions, theme: &Theme) {
    let Some(network) = network_of(cx.frame.target.as_ref()) else { return };
    let tests = test_data(cx.frame.target.as_ref()).is_some();
    let offered = |loss: Loss| tests || !loss.needs_tests();
    option::list_of(ui, &mut options.surface, theme.space(NARROW), offered, |loss| loss.label_for(network));
}

/// The number of the random direction, with the one before and the next.
fn directions(ui: &mut Ui, options: &mut PlotOptions) {
    let number = options.direction;
    let spec = &options::DIRECTION;
    let step = |ui: &mut Ui, sign: &str, words: &str, to: u64| {
        let button = named(ui.add_enabled((1..=MOST_DIRECTIONS).contains(&to), Button::new(sign).small()), words);
        button.on_hover_text(words).clicked().then_some(to)
    };
    let mut value = number;
    let field = DragValue::new(&mut value).range(1..=MOST_DIRECTIONS).speed(0.1).prefix("direction ");
    ui.name_inputs(spec.label, |ui| ui.add(field.update_while_editing(false))).on_hover_text(spec.help);
    let before = step(ui, "←", "Previous direction", number.saturating_sub(1));
    let next = step(ui, "→", "Next direction", number + 1);
    options.direction = before.or(next).unwrap_or(value);
}

#[cfg(test)]
mod tests;
