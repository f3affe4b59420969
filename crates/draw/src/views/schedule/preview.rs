//! Preview: the curve of a schedule that has been edited, while the frame still shows the one before.

use egui::{Pos2, Shape, Stroke, pos2};

use super::course::course;
use super::editor::Editor;
use samplers::schedules::{Spot, build};

/// Opacity of the preview.
const PALE: f32 = 0.6;

/// Paints the curve of a run on its coming steps, if its schedule differs from that of the frame.
pub(super) fn paint(editor: &Editor<'_>, run: usize) {
    let now = course(editor.input.frame, &editor.input.frame.scenario, run);
    let Some(edited) = course(editor.input.frame, editor.scenario, run).filter(|edited| now.as_ref() != Some(edited))
    else {
        return;
    };
    let Ok(schedule) = build(&edited.settings, edited.steps) else { return };
    let (rect, along) = (editor.plot.rect, editor.input.along(run));
    let mut points: Vec<Pos2> = Vec::new();
    let mut x = rect.left();
    while x <= rect.right() {
        let step = along.step(editor.transform.value_from_position(pos2(x, rect.top())).x).round();
        let coming = step > edited.from as f64 && step <= edited.steps as f64;
        if coming {
            #[expect(clippy::cast_sign_loss, reason = "a step of the run")]
            let alpha = schedule.step_size(step as u64);
            points.push(pos2(x, editor.screen(run, Spot { step, alpha }).y));
        }
        x += 1.0;
    }
    let colour = editor.theme.run(run).colour.gamma_multiply(PALE);
    editor.ui.painter().with_clip_rect(rect).add(Shape::line(points, Stroke::new(editor.theme.thin(), colour)));
}
