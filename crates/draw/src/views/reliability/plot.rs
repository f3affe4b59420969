//! Reliability of predictions on test data: the share of right ones against the probability with which they say that they are
//! right. Of classes this is the confidence, in ten bins; of a regression the probability of central predictive intervals.
//!
//! The numbers are those of the analysis of each run, so the plot keeps nothing. Predictions below the diagonal are
//! overconfident.

use egui::{Align2, Pos2, Rect, Sense, Ui};
use egui_plot::{LineStyle, PlotPoint, PlotTransform};

use crate::kit::axes::{AxisSpec, Ticks, answers, curve, fits_upright, plot, show_part, thickness};
use crate::kit::gestures::Gesture;
use crate::kit::legend::{self, Entry, Sample};
use crate::kit::overlay_label::{self, OverlayLabel};
use crate::kit::{run_header, run_line, run_marker};
use crate::theme::Theme;
use crate::words::numbers;
use engine::diagnostics::predictions::{Calibration, CalibrationPoint, Kind};
use engine::session::{Frame, RunFrame};
use models::targets::Target;

/// What can be done on the plot.
pub(crate) const GESTURES: [Gesture; 1] =
    [Gesture::at("Reliability", "Point at a marker", "Read its numbers, and how many predictions it stands for")];

/// Radii of the smallest marker, and of one that stands for all predictions, in units of the theme.
const RADII: [f32; 2] = [1.2, 3.4];

/// Distance of the pointer from a marker below which it is read, in units of the theme.
const NEAR: f32 = 4.0;

/// Space around the axes, as a share of their length, so that markers at the ends are whole.
const MARGIN: f64 = 0.04;

/// A marker on the screen.
struct Mark<'a> {
    run: usize,
    point: &'a CalibrationPoint,
    at: Pos2,
    radius: f32,
}

/// What is said of a target without test data.
pub(crate) const NO_TESTS: &str = "This target has no test data.";

/// Whether there are data to test predictions of a target with.
#[must_use]
pub fn has_tests(target: &Target) -> bool {
    Kind::of(target).is_some() && !target.tests().is_empty()
}

/// Draws the reliability diagrams of some runs into the available space.
pub fn show(ui: &mut Ui, (frame, runs): (&Frame, &[usize]), theme: &Theme) {
    if !has_tests(frame.target.as_ref()) {
        ui.label(NO_TESTS);
        return;
    }
    let shown: Vec<(usize, &RunFrame)> = runs.iter().filter_map(|run| Some((*run, frame.runs.get(*run)?))).collect();
    let classes = matches!(Kind::of(frame.target.as_ref()), Some(Kind::Classification(_)));
    run_header::titled(ui, "Reliability on test data", theme, &theme.heading(), &[]);
    legend::line(ui, theme, &entries(theme, &shown, classes));
    ui.add_space(theme.space(1.0));
    let known = || shown.iter().filter_map(|(run, frame)| Some((*run, frame.analysis.predicted.calibration.as_ref()?)));
    let lowest = known().map(|(_, calibration)| calibration.lowest).reduce(f64::min).unwrap_or(0.0);
    let names = if classes {
        ["confidence: the largest p̄", "share that is right"]
    } else {
        ["probability of the interval", "share of test data inside"]
    };
    let names = if fits_upright(ui, theme, names[1]) { names } else { [names[0], "share"] };
    let [x, y] = names.map(|name| AxisSpec { apart: 9.0, ..AxisSpec::wide(name, Ticks::Linear) });
    let beyond = thickness(theme, [x, y]);
    let side = ui.available_width().min(ui.available_height() - beyond.y + beyond.x) - theme.text.small;
    let plot = plot("reliability", theme, x, y).sense(Sense::hover()).allow_drag(false).width(side.max(1.0));
    let drawn = plot.show(ui, |plot_ui| {
        let dashes = LineStyle::Dashed { length: theme.space(1.75) };
        plot_ui.line(curve(vec![[lowest, lowest], [1.0, 1.0]], theme.exact, theme.line()).style(dashes));
        for (run, calibration) in known() {
            let points: Vec<[f64; 2]> = calibration.points.iter().map(|point| [point.said, point.found]).collect();
            run_line::line(plot_ui, points, (theme.run(run).colour, theme.thin()), theme.run(run));
        }
        let margin = [MARGIN * (1.0 - lowest), MARGIN];
        let (low, high) = ([lowest - margin[0], -margin[1]], [1.0 + margin[0], 1.0 + margin[1]]);
        show_part(plot_ui, low, high, theme);
    });
    answers(ui, theme, &drawn.response, [x, y]);
    let (rect, transform) = (drawn.response.rect, drawn.transform);
    let marks: Vec<Mark<'_>> = known().flat_map(|run| marks(theme, &transform, run)).collect();
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    for mark in &marks {
        painter.circle_filled(mark.at, mark.radius + theme.space(0.3), theme.paper);
        run_marker::paint(&painter, mark.at, mark.radius, theme.run(mark.run));
    }
    if marks.is_empty() {
        let (text, font, colour, at) = (missing(&shown), theme.small(), theme.soft, rect.center_bottom());
        OverlayLabel { text, font, colour, at, align: Align2::CENTER_BOTTOM }.paint(ui, theme, rect);
    }
    read(ui, (frame, theme), (rect, drawn.response.hover_pos()), (&marks, classes));
}

/// The markers of a run: their area is the share of the predictions that they stand for.
fn marks<'a>(theme: &Theme, transform: &PlotTransform, (run, calibration): (usize, &'a Calibration)) -> Vec<Mark<'a>> {
    let all: usize = calibration.points.iter().map(|point| point.count).sum();
    let mark = |point: &'a CalibrationPoint| {
        let share = (point.count as f64 / all as f64).sqrt() as f32;
        let radius = theme.space((RADII[1] * share).max(RADII[0]));
        Mark { run, point, at: transform.position_from_point(&PlotPoint::new(point.said, point.found)), radius }
    };
    calibration.points.iter().map(mark).collect()
}

/// Every run with its error, and the diagonal.
fn entries(theme: &Theme, runs: &[(usize, &RunFrame)], classes: bool) -> Vec<Entry> {
    let dashes = Some([theme.space(1.75), theme.space(1.0)]);
    let error = if classes { "ECE" } else { "mean distance" };
    let run = |(run, frame): &(usize, &RunFrame)| {
        let name = &frame.plan.name;
        let text = match &frame.analysis.predicted.calibration {
            Some(known) => format!("{name}: {error} {}", numbers::significant(known.error, 2)),
            None => name.clone(),
        };
        Entry::new(Sample::Marker(theme.run(*run)), text)
    };
    let diagonal = Entry::new(Sample::Line(theme.exact, theme.line(), dashes), "calibrated");
    runs.iter().map(run).chain([diagonal]).collect()
}

/// Why there are no numbers on test data.
pub(crate) fn missing(runs: &[(usize, &RunFrame)]) -> &'static str {
    let reasons = runs.iter().flat_map(|(_, run)| &run.analysis.predicted.measures).map(|measure| measure.reason);
    reasons.into_iter().find(|reason| !reason.is_empty()).unwrap_or("being computed")
}

/// The numbers of the marker nearest to the pointer.
fn read(
    ui: &Ui,
    (frame, theme): (&Frame, &Theme),
    (rect, pointer): (Rect, Option<Pos2>),
    (marks, classes): (&[Mark<'_>], bool),
) {
    let Some(pointer) = pointer.filter(|at| rect.contains(*at)) else { return };
    let away = |mark: &&Mark<'_>| (mark.at - pointer).length();
    let near = marks.iter().min_by(|a, b| away(a).total_cmp(&away(b))).filter(|mark| away(mark) < theme.space(NEAR));
    let Some(Mark { run, point, .. }) = near else { return };
    let name = frame.runs.get(*run).map_or("", |run| run.plan.name.as_str());
    let [said, found] = [point.said, point.found].map(numbers::percent);
    let count = numbers::count(point.count as u64);
    let text = if classes {
        format!("{name}\nmean confidence {said}\nright {found}\nof {count} predictions")
    } else {
        format!("{name}\ninterval of {said}\ninside {found}\nof {count} test data")
    };
    overlay_label::at_pointer(ui, theme, rect, pointer, &text);
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    #[test]
    fn only_targets_with_test_data_have_them() {
        let has = |target: &str| {
            let text = format!(
                "format = 1\ntitle = \"x\"\nseed = 3\n[target]\n{target}\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 40\n\
                 step_size = {{ kind = \"constant\", value = 1e-5 }}\n"
            );
            let session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
            has_tests(session.frame().target.as_ref())
        };
        assert!(has("kind = \"network\"\nhidden = 4\ndata = { kind = \"moons\" }"));
        assert!(!has("kind = \"two-weight-sign\""), "a regression without test data");
        assert!(!has("kind = \"gaussian-grid\""), "nothing is predicted");
    }
}
