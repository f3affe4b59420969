//! Editor of a mixture on the canvas: from the settings of the target to handles, and back.

use egui::{Button, Ui};

use crate::app::action::{Action, EditAction};
use crate::app::experiment::param_edit::ParamEdit;
use crate::app::state::Ctx;
use base::math::{Bounds, Gaussian, Matrix, Point};
use base::params::{Settings, Value};
use draw::canvas::CanvasResponse;
use draw::canvas::mixture::{self, Deed, Part};
use engine::session::Frame;
use models::targets::{Editor, editor_of, mixture_components};

/// Standard deviation of a new Gaussian, as a share of the smaller side of the view.
const NEW_SD: f64 = 0.05;

/// The button that shows and hides the handles, if the target is a mixture.
pub fn tool(ctx: &mut Ctx<'_>, ui: &mut Ui) {
    let Some(Editor::Handles(key)) = editor_of(ctx.model.target().kind) else { return };
    if !ctx.locks(&format!("target.{key}")) {
        let help = "Change the Gaussians of the mixture on the canvas: mean, covariance, weight; add and remove";
        let editing = ctx.view.shown.editing;
        if ui.add(Button::selectable(editing, "Edit mixture")).on_hover_text(help).clicked() {
            ctx.view.shown.editing = !editing;
        }
    }
}

/// The handles over a canvas; a change of one becomes an action.
pub fn on_canvas(ctx: &mut Ctx<'_>, ui: &Ui, frame: &Frame, canvas: &CanvasResponse, actions: &mut Vec<Action>) {
    let target = ctx.model.target();
    // In a frame that still shows another target the handles would be in the wrong place.
    let Some(Editor::Handles(key)) = editor_of(target.kind) else { return };
    if !ctx.view.shown.editing || frame.target.info().dimension != 2 {
        return;
    }
    let mut components = mixture_components(target);
    let parts: Vec<Part> = components.iter().map(part).collect();
    let plot = (&canvas.response, &canvas.transform);
    let Some(deed) = mixture::edit(ui, ctx.theme, &parts, plot) else { return };
    // Without fixed bounds the view of the target would follow the pointer.
    let view = *ctx.view.shown.bounds.get_or_insert(frame.target.info().view);
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
    let edit = ParamEdit { path: key.to_owned(), value };
    actions.push(Action::Edit(EditAction::Target(vec![edit])));
}

/// Settings of a target; of a mixture, with its list of components also where the file leaves it out.
pub fn with_components(target: &Settings) -> Settings {
    let mut target = target.clone();
    if let Some(Editor::Handles(key)) = editor_of(target.kind) {
        let components = mixture_components(&target);
        target.set(key, Value::List(components)).ok();
    }
    target
}

fn part(component: &Settings) -> Part {
    let [[xx, xy], [_, yy]] = component.covariance("covariance");
    let gaussian = Gaussian { mean: Point::from(component.pair("mean")), covariance: Matrix::new(xx, xy, xy, yy) };
    Part { weight: component.number("weight"), gaussian }
}

/// Writes a part into the settings of its component, rounded to what can be seen: means to a small share of the `view`,
/// everything else to four digits. A value that is not allowed has no effect.
fn put(component: &mut Settings, part: &Part, view: Bounds) {
    /// The least number of different means across the view: several per pixel.
    const STEPS: f64 = 5000.0;
    let Gaussian { mean, covariance } = part.gaussian;
    let decimals = (STEPS / view.size().amin()).log10().ceil().clamp(0.0, 12.0);
    #[expect(clippy::cast_sign_loss, reason = "from 0 to 12")]
    let decimals = decimals as usize;
    let rounded_to_view = |number: f64| format!("{number:.decimals$}").parse().unwrap_or(number);
    let rounded = |number: f64| format!("{number:.3e}").parse().unwrap_or(number);
    let cross = rounded(covariance.m12);
    let values = [
        ("weight", Value::Number(rounded(part.weight))),
        ("mean", Value::Pair([rounded_to_view(mean.x), rounded_to_view(mean.y)])),
        ("covariance", Value::Covariance([[rounded(covariance.m11), cross], [cross, rounded(covariance.m22)]])),
    ];
    for (key, value) in values {
        component.set(key, value).ok();
    }
}
