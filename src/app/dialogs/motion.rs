//! Rows of the export dialog for figures that move: what changes, from where to where, and how fast.

use egui::{ComboBox, DragValue, Ui};

use crate::app::controls::labelled;
use draw::sheet::{FRAMES, Motion, Over, Poster, RATES};
use draw::theme::Theme;
use draw::words::numbers;
use engine::scenario::Scenario;
use engine::session::Time;

/// Shows the rows. Moments are those of the clock of the window.
pub fn rows(ui: &mut Ui, theme: &Theme, (scenario, time): (&Scenario, Time), motion: &mut Motion) {
    let of_other_clock = matches!(motion.over, Over::Time(clock) if clock != time.clock);
    if of_other_clock || !motion.over.is_in(scenario) {
        choose(motion, Over::Time(time.clock));
    }
    labelled(ui, "Moves over", "The run from one moment to another, or its end for one value after another.", |ui| {
        ui.name_inputs("Moves over", |ui| {
            let width = theme.space(56.0).min(ui.available_width());
            let combo = ComboBox::from_id_salt("over").width(width).height(theme.space(100.0));
            combo.selected_text(motion.over.words(scenario)).show_ui(ui, |ui| {
                ui.ctx().move_to_top(ui.layer_id());
                for over in [Over::Time(time.clock)].into_iter().chain(Over::parameters(scenario)) {
                    if ui.selectable_label(motion.over == over, over.words(scenario)).clicked() {
                        choose(motion, over);
                    }
                }
            })
        });
    });
    let end = time.end as f64;
    let (first, last, range, unit, decimals) = match motion.over.usual(scenario) {
        Some([first, last]) => (first, last, f64::MIN..=f64::MAX, 1.0, 6),
        None => (0.0, end, 0.0..=end * time.unit, time.unit, 0),
    };
    labelled(ui, "From, to", "The values of the first and of the last picture.", |ui| {
        let ends = [("From", &mut motion.from, first), ("To", &mut motion.to, last)];
        for (name, end, usual) in ends {
            let mut value = end.unwrap_or(usual) * unit;
            let speed = (value.abs() / 200.0).max(if decimals == 0 { last * unit / 500.0 } else { 1e-4 });
            let drag = DragValue::new(&mut value).range(range.clone()).speed(speed).max_decimals(decimals);
            if ui.name_inputs(name, |ui| ui.add(drag)).on_hover_text(name).changed() {
                *end = Some(value / unit);
            }
        }
    });
    labelled(
        ui,
        "Pictures",
        "Their number, and how many are shown in a second; the last one stays for a moment.",
        |ui| {
            ui.name_inputs("Pictures", |ui| ui.add(DragValue::new(&mut motion.frames).range(FRAMES)))
                .on_hover_text("Number of pictures");
            let rate = DragValue::new(&mut motion.per_second).range(RATES).suffix(" per second");
            ui.name_inputs("Pictures per second", |ui| ui.add(rate));
            let seconds = f64::from(motion.frames) / f64::from(motion.per_second.max(1));
            ui.weak(format!("{} s", numbers::exact((seconds * 10.0).round() / 10.0)));
        },
    );
    const POSTERS: [(Option<Poster>, &str); 3] =
        [(None, "none"), (Some(Poster::First), "first picture"), (Some(Poster::Last), "last picture")];
    labelled(ui, "Poster", "A still beside it, as a PNG: for paper, and for slides before they move.", |ui| {
        for (poster, name) in POSTERS {
            ui.selectable_value(&mut motion.poster, poster, name);
        }
    });
}

/// Takes something else to change, with its usual ends.
fn choose(motion: &mut Motion, over: Over) {
    (motion.over, motion.from, motion.to) = (over, None, None);
}
