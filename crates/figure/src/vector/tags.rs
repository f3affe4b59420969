//! What marks belong to: panels, plots with their scales, and series. A drawing says it with shapes that show nothing, between its others.

use std::sync::Arc;

use egui::epaint::PaintCallback;
use egui::{Color32, Pos2, Rect, Shape, Ui};

use super::{Mark, Page, Side, wants_shapes};

/// The name of the series of lines at ticks, which other programs draw by themselves.
pub const GRID: &str = "grid";

/// The name of the series of a legend, which other programs make of the names of the others.
pub const LEGEND: &str = "legend";

/// The name of the series of marks in a strip below a plot.
pub const STRIP: &str = "strip";

/// How far the clip rectangle of a mark may be from that of its plot, in points.
const NEAR: f32 = 0.6;

/// How much the channels of a colour may differ from those of its series: opacity rounds them.
const SAME: u8 = 3;

/// Something that a drawing says of the shapes around it.
#[derive(Clone, Debug, PartialEq)]
pub enum Tag {
    /// What follows belongs to a panel with this name, until [`Tag::PanelEnd`].
    Panel(String),
    /// The end of the panel that was begun last.
    PanelEnd,
    /// What follows is a series with this name, until [`Tag::SeriesEnd`] or the next series.
    Series(String),
    /// The end of the series.
    SeriesEnd,
    /// The marks that are cut off by the rectangle of a plot belong to it.
    Plot(Plot),
    /// The ticks of an axis of a plot.
    Ticks(Ticks),
    /// A scale at the right of a plot.
    Scale(Scale),
    /// What follows are the dashes of a line, until [`Tag::DashedEnd`].
    Dashed(Dashed),
    /// The end of the dashes.
    DashedEnd,
}

/// A second scale of the upright axis of a plot, at its right.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// What is inside of the axes of the plot, in points.
    pub rect: Rect,
    /// What it counts.
    pub name: String,
    /// Its ticks in the values along the left side, of a logarithmic axis their logarithms to base 10, and what stands there.
    pub ticks: Vec<(f64, String)>,
}

/// A line that is drawn in dashes.
#[derive(Clone, Debug, PartialEq)]
pub struct Dashed {
    /// Its points, in points of the page.
    pub points: Vec<Pos2>,
    /// Lengths of a dash, the gap after it, the next dash and its gap, in points.
    pub lengths: [f32; 4],
}

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// What is inside of the axes of its plot, in points.
    pub rect: Rect,
    /// The side of the plot.
    pub side: Side,
    /// Whether it is logarithmic.
    pub log: bool,
    /// Where its ticks are, in the values along the side: of a logarithmic axis the logarithms to base 10.
    pub at: Vec<f64>,
    /// The name of the axis, where the drawing has no space for it.
    pub name: Option<String>,
}

/// A plot: its rectangle, and the values along its sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plot {
    /// What is inside of the axes, in points.
    pub rect: Rect,
    /// The values at the left and at the right.
    pub x: [f64; 2],
    /// The values at the bottom and at the top.
    pub y: [f64; 2],
}

/// What a mark belongs to, by numbers in the lists of its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Of {
    /// Its panel.
    pub panel: Option<usize>,
    /// Its plot.
    pub plot: Option<usize>,
    /// Its series.
    pub series: Option<usize>,
    /// The line that it is a dash of.
    pub dashed: Option<usize>,
}

impl Tag {
    /// The shape that says it.
    pub fn shape(self) -> Shape {
        // A callback without an area is painted by nobody.
        Shape::Callback(PaintCallback { rect: Rect::ZERO, callback: Arc::new(self) })
    }

    /// What a shape says, if it says something.
    pub(super) fn of(shape: &PaintCallback) -> Option<&Self> {
        shape.callback.downcast_ref()
    }

    /// Says it, in a drawing for a page of shapes.
    pub fn say(self, ui: &Ui) {
        if wants_shapes(ui.ctx()) {
            ui.painter().add(self.shape());
        }
    }
}

impl Plot {
    /// The values at a position on the page.
    #[must_use]
    pub fn values(&self, at: egui::Pos2) -> [f64; 2] {
        let share = |from: f32, to: f32, at: f32| f64::from(at - from) / f64::from(to - from);
        let between = |[low, high]: [f64; 2], share: f64| low + share * (high - low);
        let Rect { min, max } = self.rect;
        [between(self.x, share(min.x, max.x, at.x)), between(self.y, share(max.y, min.y, at.y))]
    }
}

/// The tags so far.
#[derive(Debug, Default)]
pub(super) struct Tags {
    pub panels: Vec<String>,
    pub plots: Vec<Plot>,
    pub ticks: Vec<Ticks>,
    pub scales: Vec<Scale>,
    pub series: Vec<String>,
    pub dashed: Vec<Dashed>,
    /// Whether what comes now is a dash of the last of them.
    breaks: bool,
    open: Vec<usize>,
    current: Option<usize>,
}

impl Tags {
    /// Takes note of a tag.
    pub fn note(&mut self, tag: &Tag) {
        match tag {
            Tag::Panel(name) => {
                self.open.push(self.panels.len());
                self.panels.push(name.clone());
            }
            Tag::PanelEnd => (_, self.current) = (self.open.pop(), None),
            Tag::Series(name) => self.current = Some(numbered(&mut self.series, name)),
            Tag::SeriesEnd => self.current = None,
            Tag::Plot(plot) => self.plots.push(*plot),
            Tag::Ticks(ticks) => self.ticks.push(ticks.clone()),
            Tag::Scale(scale) => self.scales.push(scale.clone()),
            Tag::Dashed(dashed) => {
                self.dashed.push(dashed.clone());
                self.breaks = true;
            }
            Tag::DashedEnd => self.breaks = false,
        }
    }

    /// What a mark that comes now belongs to; its plot is found in the end.
    pub fn now(&self) -> Of {
        let dashed = self.dashed.len().checked_sub(1).filter(|_| self.breaks);
        Of { panel: self.open.first().copied(), plot: None, series: self.current, dashed }
    }
}

/// The number of a name in a list, which it is added to.
fn numbered(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

impl Page {
    /// Gives each mark to the plot by which it is cut off.
    pub(super) fn find_plots(&mut self) {
        for marked in &mut self.marks {
            marked.of.plot = self.plots.iter().position(|plot| same(plot.rect, marked.clip));
        }
    }

    /// Gives the marks of plots that belong to no series yet to the series of their colour, whatever their opacity. What several names have is
    /// the one's whose panel it is in, or has the names of all.
    pub fn name_series(&mut self, names: &[(Color32, String)]) {
        self.keyed = names.iter().map(|(_, name)| name.clone()).filter(|name| name != GRID).collect();
        let Self { marks, series, panels, keyed, .. } = self;
        for marked in marks.iter_mut().filter(|marked| marked.of.plot.is_some() && marked.of.series.is_none()) {
            let Mark::Path { fill, stroke, .. } = &marked.mark else { continue };
            let colour = if *fill == Color32::TRANSPARENT { stroke.color } else { *fill };
            let alike = names.iter().filter(|(known, _)| alike(*known, colour)).map(|(_, name)| name.as_str());
            let alike: Vec<&str> = alike.collect();
            let panel = marked.of.panel.and_then(|panel| panels.get(panel)).map(String::as_str).unwrap_or_default();
            let name = match alike[..] {
                [] => continue,
                [one] => one.to_owned(),
                _ => alike
                    .iter()
                    .find(|name| panel.ends_with(&format!("canvas of {name}")))
                    .map_or_else(|| alike.join(", "), |name| (*name).to_owned()),
            };
            if !keyed.contains(&name) && name != GRID {
                keyed.push(name.clone());
            }
            marked.of.series = Some(numbered(series, &name));
        }
    }
}

/// Whether two rectangles are that of one plot.
pub(crate) fn same(one: Rect, other: Rect) -> bool {
    let sides = |rect: Rect| [rect.min.x, rect.min.y, rect.max.x, rect.max.y];
    sides(one).into_iter().zip(sides(other)).all(|(one, other)| (one - other).abs() < NEAR)
}

/// Whether two colours are the same apart from their opacity.
fn alike(one: Color32, other: Color32) -> bool {
    let [one, other] = [one, other].map(|colour| colour.to_srgba_unmultiplied());
    one.iter().zip(other).take(3).all(|(one, other)| one.abs_diff(other) <= SAME)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::set_font;
    use super::super::super::{FigureSize, lay_out, vector};
    use super::*;
    use egui::pos2;

    const INK: Color32 = Color32::from_rgb(200, 30, 60);

    /// Runs of one colour share no name: on its own canvas each has its own, in a plot of both they have both.
    #[test]
    fn runs_of_one_colour_do_not_share_the_name_of_the_first() {
        let rect = Rect::from_min_max(pos2(10.0, 10.0), pos2(110.0, 60.0));
        let named = |panel: &str| {
            let draw = |ui: &mut Ui| {
                Tag::Panel(panel.to_owned()).say(ui);
                Tag::Plot(Plot { rect, x: [0.0, 10.0], y: [-1.0, 1.0] }).say(ui);
                ui.painter().with_clip_rect(rect).line_segment([pos2(10.0, 60.0), pos2(110.0, 10.0)], (1.0, INK));
                Tag::PanelEnd.say(ui);
            };
            let set_up = |context: &egui::Context| {
                set_font(context);
                vector::ask_for_shapes(context);
            };
            let layout = lay_out(FigureSize::new(120, 80, 1.0).unwrap(), set_up, draw).unwrap();
            let mut page = layout.page().unwrap();
            page.name_series(&[(INK, "A".to_owned()), (INK, "B".to_owned()), (Color32::BLUE, "C".to_owned())]);
            let series = page.marks[0].of.series.unwrap();
            assert!(page.keyed.contains(&page.series[series]));
            page.series[series].clone()
        };
        assert_eq!(["(b) canvas of B", "plot Schedule"].map(named), ["B", "A, B"]);
    }

    #[test]
    fn marks_belong_to_their_panel_plot_and_series() {
        let rect = Rect::from_min_max(pos2(10.0, 10.0), pos2(110.0, 60.0));
        let draw = |ui: &mut Ui| {
            Tag::Panel("canvas A".to_owned()).say(ui);
            Tag::Plot(Plot { rect, x: [0.0, 10.0], y: [-1.0, 1.0] }).say(ui);
            let inside = ui.painter().with_clip_rect(rect);
            inside.line_segment([pos2(10.0, 60.0), pos2(110.0, 10.0)], (1.0, INK.gamma_multiply(0.5)));
            Tag::Series("contours".to_owned()).say(ui);
            inside.circle_filled(pos2(60.0, 35.0), 2.0, Color32::BLUE);
            Tag::SeriesEnd.say(ui);
            Tag::PanelEnd.say(ui);
            ui.painter().circle_filled(pos2(5.0, 5.0), 2.0, INK);
        };
        let set_up = |context: &egui::Context| {
            set_font(context);
            vector::ask_for_shapes(context);
        };
        let layout = lay_out(FigureSize::new(120, 80, 1.0).unwrap(), set_up, draw).unwrap();
        let mut page = layout.page().unwrap();
        page.name_series(&[(INK, "A".to_owned())]);
        let of: Vec<Of> = page.marks.iter().map(|marked| marked.of).collect();
        let [series, contours] = ["A", "contours"].map(|name| page.series.iter().position(|known| known == name));
        let inside = |series| Of { panel: Some(0), plot: Some(0), series, dashed: None };
        assert_eq!(of, [inside(series), inside(contours), Of::default()]);
        assert_eq!(page.panels, ["canvas A"]);
        let [x, y] = page.plots[0].values(Pos2::new(60.0, 35.0));
        assert!((x - 5.0).abs() < 1e-6 && y.abs() < 1e-6, "{x}, {y}");
        // A picture knows nothing of it.
        let shapes = lay_out(FigureSize::new(120, 80, 1.0).unwrap(), set_font, draw).unwrap();
        assert!(shapes.paint(None).is_ok());
    }
}
