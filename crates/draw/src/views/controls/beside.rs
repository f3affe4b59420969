//! Control of what stands beside functions and maps: the canvases, or a picture of weight space.

use egui::{ComboBox, Ui};

use crate::theme::Theme;
use crate::views::weights::geometry::{WeightPicture, network_of};
use crate::views::{PlotContext, TabResponse};
use crate::words::word::Word;
use engine::scenario::view::CANVASES;
use engine::scenario::view::options::BESIDE;

/// Width of the list, in units of the theme.
const WIDTH: f32 = 18.0;

/// Adds the list, for targets whose draws are weights of a network.
pub fn show(ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
    let mut options = cx.options;
    if network_of(cx.frame.target.as_ref()).is_none() {
        return TabResponse::default();
    }
    let label = |beside: Option<WeightPicture>| match beside {
        None => CANVASES.to_owned(),
        Some(picture) => format!("weights: {}", picture.label()),
    };
    ui.name_inputs(BESIDE.label, |ui| {
        let list = ComboBox::from_id_salt(BESIDE.key).width(theme.space(WIDTH)).selected_text(label(options.beside));
        let shown = list.show_ui(ui, |ui| {
            for beside in std::iter::once(None).chain(WeightPicture::ALL.iter().copied().map(Some)) {
                let choice = ui.selectable_value(&mut options.beside, beside, label(beside));
                choice.on_hover_text(beside.map_or(BESIDE.help, WeightPicture::help));
            }
        });
        shown.response.on_hover_text(BESIDE.help);
    });
    TabResponse::of_options(cx, options)
}
