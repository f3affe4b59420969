//! Tab of weight space seen in planes; it links the draws with those on the canvases.

use egui::{ComboBox, Ui};

use super::{PlotContext, PlotTab, StudyUse, TabResponse, TabSpec};
use crate::draw::plots::canvas::CanvasResponse;
use crate::draw::plots::weights::{self, WeightsCache, WeightsInput};
use crate::draw::theme::Theme;
use crate::scene::{WeightPicture, network_of};

pub static TAB: TabSpec = TabSpec {
    key: "weights",
    label: "Weights",
    help: "All weights of the draws seen in a plane, and the way from one draw to another",
    by_coordinate: false,
    study: StudyUse::Nothing,
    beside: true,
    applies: |frame| network_of(frame.target.as_ref()).is_some(),
    make: || Box::<Weights>::default(),
};

/// Width of the list, in units of the theme.
const WIDTH: f32 = 40.0;

#[derive(Debug, Default)]
struct Weights {
    cache: WeightsCache,
}

impl PlotTab for Weights {
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let PlotContext { frame, runs, by_chain, computing, .. } = *cx;
        if network_of(frame.target.as_ref()).is_some() {
            let input = WeightsInput { frame, runs, picture: cx.options.picture, by_chain, computing };
            weights::show(ui, &input, theme, &mut self.cache);
        } else {
            ui.label("This target has no weights of a network.");
        }
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        ui.name_inputs("Picture of the weights", |ui| {
            let list = ComboBox::from_id_salt("picture").width(theme.space(WIDTH));
            let shown = list.selected_text(options.picture.label()).show_ui(ui, |ui| {
                for picture in WeightPicture::ALL {
                    let label = ui.selectable_value(&mut options.picture, picture, picture.label());
                    label.on_hover_text(picture.help());
                }
            });
            shown.response.on_hover_text(cx.options.picture.help());
        });
        if self.cache.has_chosen() {
            let release = ui.small_button("Release draws");
            if release.on_hover_text("Take the newest draws of different chains for plane and path again").clicked() {
                self.cache.release();
            }
        }
        TabResponse::of_options(cx, options)
    }

    fn over_canvas(
        &mut self,
        ui: &Ui,
        _cx: &PlotContext<'_>,
        canvas: (&[usize], &CanvasResponse),
        theme: &Theme,
    ) -> TabResponse {
        weights::over_canvas(ui, canvas, theme, &mut self.cache);
        TabResponse::default()
    }
}
