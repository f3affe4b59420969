//! Editing a mixture on the canvas: from the settings of the target to handles, and back.

use egui::{Button, Ui};

use crate::app::App;
use crate::app::actions::Action;
use crate::app::controls::Edit;
use crate::draw::plots::canvas::CanvasResponse;
use crate::draw::plots::canvas::mixture::{self, Deed, Part};
use crate::math::{Bounds, Gaussian, Matrix, Point};
use crate::params::{Settings, Value};
use crate::session::Frame;
use crate::targets::mixture_components;

/// The target that can be edited.
pub const KIND: &str = "gaussian-mixture";

/// Side of a new Gaussian, as a share of the view: its standard deviation.
const NEW_SD: f64 = 0.05;

/// The button that shows and hides the handles, where the target has some.
pub fn tool(app: &mut App, ui: &mut Ui) {
    if app.model.target().kind.name == KIND {
        let help = "Move, stretch, turn, weigh, add and remove the Gaussians of the mixture on the canvas";
        let editing = app.view.editing;
        if ui.add(Button::selectable(editing, "Edit mixture")).on_hover_text(help).clicked() {
            app.view.editing = !editing;
        }
    }
}

/// The handles over a canvas; what is done to them becomes an action.
pub fn on_canvas(app: &mut App, ui: &Ui, frame: &Frame, canvas: &CanvasResponse, actions: &mut Vec<Action>) {
    let target = app.model.target();
    // A frame that still shows another target would have the handles in the wrong place.
    if !app.view.editing || target.kind.name != KIND || frame.target.info().dimension != 2 {
        return;
    }
    let mut components = mixture_components(target);
    let parts: Vec<Part> = components.iter().map(part).collect();
    let plot = (&canvas.response, &canvas.transform);
    let Some(deed) = mixture::edit(ui, &app.theme, &parts, plot) else { return };
    // The target's own view would follow the pointer.
    let view = *app.view.window.get_or_insert(frame.target.info().view);
    match deed {
        Deed::Change(number, part) => put(&mut components[number], &part, view),
        Deed::Remove(number) => drop(components.remove(number)),
        Deed::Add(at) => {
            let covariance = Matrix::from_diagonal_element((NEW_SD * view.size().amin()).powi(2));
            let weight = parts.iter().map(|part| part.weight).sum::<f64>() / parts.len() as f64;
            let mut component = components[0].clone();
            put(&mut component, &Part { weight, gaussian: Gaussian { mean: at, covariance } }, view);
            components.push(component);
        }
    }
    let value = Some(Value::List(components));
    actions.push(Action::EditTarget(Edit { path: "component".to_owned(), value }));
}

/// Settings of a target with the list of a mixture spelt out, also where it stands for the standard one.
pub fn spelt_out(target: &Settings) -> Settings {
    let mut target = target.clone();
    if target.kind.name == KIND {
        let components = mixture_components(&target);
        target.set("component", Value::List(components)).ok();
    }
    target
}

fn part(component: &Settings) -> Part {
    let [[xx, xy], [_, yy]] = component.covariance("covariance");
    let gaussian = Gaussian { mean: Point::from(component.pair("mean")), covariance: Matrix::new(xx, xy, xy, yy) };
    Part { weight: component.number("weight"), gaussian }
}

/// Writes a part into the settings of its component, means to a small part of the `view` and everything else to four
/// digits: no longer numbers than anybody can tell apart. What is not allowed there has no effect.
fn put(component: &mut Settings, part: &Part, view: Bounds) {
    /// Steps of a mean across the view, at least: several to a pixel.
    const STEPS: f64 = 5000.0;
    let Gaussian { mean, covariance } = part.gaussian;
    let decimals = (STEPS / view.size().amin()).log10().ceil().clamp(0.0, 12.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 12")]
    let decimals = decimals as usize;
    let placed = |number: f64| format!("{number:.decimals$}").parse().unwrap_or(number);
    let rounded = |number: f64| format!("{number:.3e}").parse().unwrap_or(number);
    let cross = rounded(covariance.m12);
    let values = [
        ("weight", Value::Number(rounded(part.weight))),
        ("mean", Value::Pair([placed(mean.x), placed(mean.y)])),
        ("covariance", Value::Covariance([[rounded(covariance.m11), cross], [cross, rounded(covariance.m22)]])),
    ];
    for (key, value) in values {
        component.set(key, value).ok();
    }
}
