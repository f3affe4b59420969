//! What the pointer is at: a point on a canvas, and a draw. There is one of it for the canvases and all plots beside them, so that a
//! draw lights up wherever it is shown.
//!
//! Canvases and plots say what is under the pointer while they are drawn; all of them show it in the next frame.

use egui::{Painter, Pos2, Stroke, Ui};
use egui_plot::PlotPoint;

use super::CanvasResponse;
use crate::geometry::{DrawName, named_draws, point_of_draw};
use crate::theme::Theme;
use base::math::Point;
use engine::session::Frame;
use samplers::methods::Phase;

/// Draws that can be pointed at on the canvases of a model in more dimensions than are drawn, at most: those of the plot of weights.
pub const MOST: usize = 500;

/// What the pointer is at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pointed {
    /// The runs of the canvas under the pointer, and the point there.
    pub canvas: Option<(Vec<usize>, Point)>,
    /// The draw under the pointer. On a canvas, the nearest one of a model in more dimensions than are drawn.
    pub draw: Option<DrawName>,
    /// The part of a step under the pointer.
    pub phase: Option<Phase>,
}

impl Pointed {
    /// A draw on a plot.
    #[must_use]
    pub fn at_draw(name: DrawName) -> Self {
        Self { draw: Some(name), ..Self::default() }
    }

    /// The point on the canvas of a run.
    #[must_use]
    pub fn on_canvas_of(&self, run: usize) -> Option<Point> {
        self.canvas.as_ref().filter(|(runs, _)| runs.contains(&run)).map(|(_, at)| *at)
    }

    /// The draw, if it is one of a run.
    #[must_use]
    pub fn draw_of(&self, run: usize) -> Option<DrawName> {
        self.draw.filter(|name| name.run == run)
    }
}

/// What the pointer was at in the last frame, and what it has been at so far in this one.
#[derive(Clone, Debug, Default)]
pub struct Pointing {
    shown: Pointed,
    next: Option<Pointed>,
}

impl Pointing {
    /// Begins a frame.
    pub fn begin(&mut self) {
        self.shown = self.next.take().unwrap_or_default();
    }

    /// What this frame shows.
    #[must_use]
    pub fn shown(&self) -> &Pointed {
        &self.shown
    }

    /// Notes what is under the pointer.
    pub fn point(&mut self, at: Pointed) {
        self.next = Some(at);
    }

    /// Whether the next frame shows something else.
    #[must_use]
    pub fn changed(&self) -> bool {
        self.next.as_ref().map_or(self.shown != Pointed::default(), |next| *next != self.shown)
    }
}

/// Marks the draw that the pointer is at on the canvas of some runs; returns what is under the pointer there. The draws of all
/// `shown` runs are pointed at.
pub fn over_canvas(
    ui: &Ui,
    (frame, shown): (&Frame, &[usize]),
    (runs, canvas): (&[usize], &CanvasResponse),
    pointed: &Pointed,
    theme: &Theme,
) -> Option<Pointed> {
    let marked = pointed.draw.filter(|name| runs.contains(&name.run));
    if let Some(at) = marked.and_then(|name| point_of_draw(frame, name)) {
        let centre = canvas.transform.position_from_point(&PlotPoint::new(at.x, at.y));
        ring(&ui.painter().with_clip_rect(canvas.response.rect.intersect(ui.clip_rect())), theme, centre);
    }
    let at = canvas.hovered?;
    Some(Pointed { canvas: Some((runs.to_vec(), at)), draw: nearest((frame, shown), runs, at), phase: None })
}

/// The draw of some runs that is nearest to a point on their canvas.
fn nearest((frame, shown): (&Frame, &[usize]), runs: &[usize], at: Point) -> Option<DrawName> {
    let own = named_draws(frame, shown, MOST).into_iter().map(|draw| draw.name).filter(|name| runs.contains(&name.run));
    let away = own.filter_map(|name| Some((name, (point_of_draw(frame, name)? - at).norm_squared())));
    away.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(name, _)| name)
}

/// A ring around a mark.
pub(crate) fn ring(painter: &Painter, theme: &Theme, centre: Pos2) {
    let radius = theme.space(1.75);
    painter.circle_stroke(centre, radius, Stroke::new(2.5 * theme.line(), theme.paper));
    painter.circle_stroke(centre, radius, Stroke::new(theme.line(), theme.ink));
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    #[test]
    fn a_frame_shows_what_the_last_one_pointed_at() {
        let mut pointing = Pointing::default();
        let at = |chain| Pointed::at_draw(DrawName { run: 1, chain, step: 5, fitted: false });
        pointing.begin();
        pointing.point(at(0));
        assert!(pointing.changed() && *pointing.shown() == Pointed::default());
        pointing.begin();
        pointing.point(at(0));
        assert!(!pointing.changed() && *pointing.shown() == at(0));
        assert!(pointing.shown().draw_of(1).is_some() && pointing.shown().draw_of(0).is_none());
        pointing.begin();
        assert!(pointing.changed(), "nothing is under the pointer any more");
        pointing.begin();
        assert!(!pointing.changed() && *pointing.shown() == Pointed::default());
    }

    #[test]
    fn the_draw_nearest_to_a_place_is_found_among_those_of_the_canvas() {
        let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 3\n\
                    [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 4000\nchains = 2\n\
                    step_size = { kind = \"constant\", value = 1e-5 }\n[[run]]\nname = \"B\"\nmethod = \"gaussian-vi\"\nsteps = 4000\n";
        let mut session = Session::new(read(text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(600);
        let frame = session.frame();
        let draws = named_draws(&frame, &[0, 1], MOST);
        for name in [draws[7].name, draws[draws.len() - 3].name] {
            let at = point_of_draw(&frame, name).unwrap();
            assert_eq!(nearest((&frame, &[0, 1]), &[name.run], at), Some(name));
            let other = nearest((&frame, &[0, 1]), &[1 - name.run], at).unwrap();
            assert_eq!(other.run, 1 - name.run);
        }
    }
}
