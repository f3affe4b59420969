//! The canvas: a target's density, and over it the draws, trails and moments of one run or of several.
//!
//! A two-dimensional target is seen from above, at one scale along both axes; a one-dimensional target is a
//! curve with the histogram of the draws ([`line`]). Canvases that are given the same view show the same part
//! of the world: pan and zoom come back in the response, the caller keeps the view.

mod arrows;
mod backdrop;
mod cloud;
mod fits;
mod layers;
mod line;
mod marginals;
pub mod mixture;
mod overlay;

use egui::{Response, Ui};
use egui_plot::{PlotBounds, PlotTransform, PlotUi};

use crate::draw::theme::Theme;
use crate::math::{Bounds, Point};
use crate::scene::{fitted, followed, zoomed};
use crate::session::Frame;

use super::axes::{AxisSpec, Ticks, plot};
use super::{Computing, header};

pub use backdrop::CanvasCache;
pub(super) use overlay::nearest_mode;

/// What a canvas shows.
#[derive(Clone, Copy, Debug)]
pub struct CanvasInput<'a> {
    /// Tells canvases apart: a number of its own for each.
    pub id: usize,
    /// The moment.
    pub frame: &'a Frame,
    /// The runs drawn, by number: one, or several over each other. None: the target alone.
    pub runs: &'a [usize],
    /// The part of the world that must be seen.
    pub view: Bounds,
    /// What is drawn.
    pub layers: Layers,
    /// When pictures are made.
    pub computing: Computing,
}

/// What is drawn on a canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The density as shades.
    pub heat: bool,
    /// The outlines of the highest-density regions.
    pub contours: bool,
    /// The modes of the target.
    pub modes: bool,
    /// The collected draws.
    pub draws: Draws,
    /// The newest steps of the chains, and where they are.
    pub trail: bool,
    /// What made up the newest step: momentum, drift, gradient noise, injected noise, proposals and paths.
    pub arrows: bool,
    /// The distributions that approximations have fitted, and the way they have gone.
    pub fits: bool,
    /// The Gaussian with the draws' mean and covariance, at 1, 2 and 3 standard deviations.
    pub ellipses: bool,
    /// The marginals along the edges, where the canvas is large enough.
    pub marginals: bool,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            heat: true,
            contours: true,
            modes: true,
            draws: Draws::Auto,
            trail: true,
            arrows: false,
            fits: true,
            ellipses: false,
            marginals: true,
        }
    }
}

impl Layers {
    /// Draws the draws in a way, or as at first if they are drawn in it already.
    pub fn toggle(&mut self, draws: Draws) {
        self.draws = if self.draws == draws { Draws::default() } else { draws };
    }
}

/// How the collected draws are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Draws {
    /// Not at all.
    Hidden,
    /// As points while there are few, as a density image later.
    #[default]
    Auto,
    /// As points, at most [`MOST_POINTS`] spread evenly over the run.
    Points,
    /// As a density image of all of them.
    Density,
    /// As points coloured by chain.
    ByChain,
    /// As points coloured by cycle.
    ByCycle,
    /// As points, pale at the beginning of the run and full at its end.
    ByStep,
    /// Not the draws: where all chains are at the newest step, as a density image.
    Ensemble,
}

/// Draws shown one by one.
pub const MOST_POINTS: usize = 4000;

/// What happened on a canvas.
#[must_use]
#[derive(Clone, Debug)]
pub struct CanvasResponse {
    /// Where the pointer is, in θ.
    pub hovered: Option<Point>,
    /// What became of the view.
    pub view: ViewChange,
    /// Whether a picture is still being made; a repaint is asked for when it is done.
    pub pending: bool,
    /// The plot itself, for clicks and menus.
    pub response: Response,
    /// From the world to the screen, for what is painted over it.
    pub transform: PlotTransform,
}

/// What became of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewChange {
    /// Nothing.
    Unchanged,
    /// It was panned or zoomed.
    To(Bounds),
    /// It shall be the target's own again.
    Reset,
}

/// Draws a canvas into the space there is.
pub fn show(ui: &mut Ui, input: &CanvasInput<'_>, theme: &Theme, cache: &mut CanvasCache) -> CanvasResponse {
    header::show(ui, input.frame, input.runs, theme);
    ui.add_space(theme.space(1.0));
    if input.frame.target.info().dimension == 1 {
        return line::show(ui, input, theme, cache);
    }
    let [x, y] = input.frame.target.info().axes;
    let (x, y) = (AxisSpec::wide(x, Ticks::Linear), AxisSpec::wide(y, Ticks::Linear));
    let plot = plot(("canvas", input.id), theme, x, y);
    let room = marginals::room(ui, input, theme);
    ui.add_space(room);
    let plot = plot.data_aspect(1.0).width((ui.available_width() - room).max(1.0));
    let made = &mut *cache;
    let shown = plot.show(ui, |plot_ui| {
        let fitted = fitted_window(plot_ui, input.view);
        let window = scrolled_window(plot_ui, fitted);
        let pending = made.prepare(plot_ui.ctx(), input, window, size_of(plot_ui), theme);
        // From here on the cache is only read, for as long as the plot's items borrow from it.
        layers::add(plot_ui, input, theme, made);
        plot_ui.set_plot_bounds(bounds(window));
        (fitted, pending)
    });
    let (before, pending) = shown.inner;
    let view = view_change(&shown.response, input.view, before, window_of(shown.transform.bounds()));
    let hovered = hovered(&shown.response, &shown.transform);
    overlay::paint(ui, input, theme, cache, (shown.response.rect, &shown.transform), hovered);
    if room > 0.0 {
        marginals::paint(ui, input, theme, cache, (shown.response.rect, &shown.transform));
    }
    CanvasResponse { hovered, view, pending, response: shown.response, transform: shown.transform }
}

/// The view widened to the plot's shape.
fn fitted_window(plot_ui: &PlotUi<'_>, view: Bounds) -> Bounds {
    fitted(view, aspect(size_of(plot_ui)))
}

/// Width to height.
#[expect(clippy::cast_precision_loss, reason = "a screen has a few thousand points")]
fn aspect([width, height]: [usize; 2]) -> f64 {
    width as f64 / height as f64
}

/// The window after this frame's scrolling.
fn scrolled_window(plot_ui: &PlotUi<'_>, window: Bounds) -> Bounds {
    scrolled(plot_ui).map_or(window, |(share, factor)| {
        let at = Point::new(window.min.x + share.x * window.size().x, window.max.y - share.y * window.size().y);
        zoomed(window, at, factor)
    })
}

/// Where the wheel was turned, as shares of the plot from its upper left, and the zoom it asks for.
pub(super) fn scrolled(plot_ui: &PlotUi<'_>) -> Option<(Point, f64)> {
    /// Points of scrolling that zoom by a factor of e (chosen by feel).
    const SCROLL_PER_E: f64 = 240.0;
    let response = plot_ui.response();
    if !response.contains_pointer() {
        return None;
    }
    let (delta, pointer) = plot_ui.ctx().input(|input| (input.smooth_scroll_delta().y, input.pointer.hover_pos()));
    let at = (pointer? - response.rect.min) / response.rect.size();
    let factor = (-f64::from(delta) / SCROLL_PER_E).exp();
    (delta.abs() > 0.0).then(|| (Point::new(f64::from(at.x), f64::from(at.y)), factor))
}

/// The plot's size in whole points.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a screen has a few thousand points")]
fn size_of(plot_ui: &PlotUi<'_>) -> [usize; 2] {
    let size = plot_ui.response().rect.size();
    [size.x.round().max(1.0) as usize, size.y.round().max(1.0) as usize]
}

fn bounds(window: Bounds) -> PlotBounds {
    PlotBounds::from_min_max([window.min.x, window.min.y], [window.max.x, window.max.y])
}

fn window_of(bounds: &PlotBounds) -> Bounds {
    let ([x0, y0], [x1, y1]) = (bounds.min(), bounds.max());
    Bounds::new((x0, x1), (y0, y1))
}

/// What panning, pinching, scrolling and double clicks made of the view.
fn view_change(response: &Response, view: Bounds, before: Bounds, now: Bounds) -> ViewChange {
    /// Differences below this share of the window come from rounding.
    const ROUNDING: f64 = 1e-6;
    if response.double_clicked() {
        return ViewChange::Reset;
    }
    let changed = followed(view, before, now);
    let difference = (changed.min - view.min).amax().max((changed.max - view.max).amax());
    if difference > ROUNDING * view.size().amax() && changed.size().amin() > 0.0 {
        ViewChange::To(changed)
    } else {
        ViewChange::Unchanged
    }
}

fn hovered(response: &Response, transform: &PlotTransform) -> Option<Point> {
    let at = transform.value_from_position(response.hover_pos()?);
    Some(Point::new(at.x, at.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::plots::testing::{Fake, Recipe, approximation, frame, metropolis};
    use crate::draw::theme;
    use crate::math::{Distribution, Matrix};
    use crate::methods::FitRecord;
    use egui::{Event, PointerButton, Pos2, pos2, vec2};
    use egui_kittest::Harness;
    use std::sync::Arc;

    struct State {
        frame: Frame,
        view: Bounds,
        cache: CanvasCache,
        layers: Layers,
        last: Option<CanvasResponse>,
    }

    fn harness(target: Fake, recipe: Recipe) -> Harness<'static, State> {
        let frame = frame(target, &[recipe]);
        let view = frame.target.info().view;
        let state = State { frame, view, cache: CanvasCache::default(), layers: Layers::default(), last: None };
        let look = Theme::default();
        Harness::builder()
            .with_size(vec2(640.0, 480.0))
            .with_step_dt(1.0 / 60.0)
            .with_max_steps(100)
            .with_context_setup(theme::install_fonts)
            .build_ui_state(
                move |ui, state: &mut State| {
                    theme::apply(ui.ctx(), &look);
                    let State { frame, view, cache, layers, .. } = state;
                    let input = CanvasInput {
                        id: 0,
                        frame,
                        runs: &[0],
                        view: *view,
                        layers: *layers,
                        computing: Computing::Now,
                    };
                    let response = show(ui, &input, &look, cache);
                    match response.view {
                        ViewChange::Unchanged => {}
                        ViewChange::To(changed) => *view = changed,
                        ViewChange::Reset => *view = frame.target.info().view,
                    }
                    state.last = Some(response);
                },
                state,
            )
    }

    const RECIPE: Recipe = Recipe { name: "SGLD", chains: 2, steps: 300, total: 1000, alpha: 0.004, cycle: 0 };
    const MIDDLE: Pos2 = pos2(300.0, 260.0);

    fn wheel(harness: &mut Harness<'_, State>, lines: f32) {
        let (unit, phase) = (egui::MouseWheelUnit::Line, egui::TouchPhase::Move);
        harness.hover_at(MIDDLE);
        let (source, modifiers) = (egui::MouseWheelSource::Wheel, egui::Modifiers::NONE);
        harness.event(Event::MouseWheel { unit, delta: vec2(0.0, lines), phase, source, modifiers });
        harness.run();
    }

    fn click(harness: &Harness<'_, State>) {
        for pressed in [true, false] {
            let modifiers = egui::Modifiers::NONE;
            harness.event(Event::PointerButton { pos: MIDDLE, button: PointerButton::Primary, pressed, modifiers });
        }
    }

    #[test]
    fn left_alone_a_canvas_changes_nothing() {
        let mut harness = harness(Fake::grid(), RECIPE);
        let view = harness.state().view;
        harness.run_steps(5);
        assert_eq!(harness.state().view, view);
        let last = harness.state().last.as_ref().unwrap();
        assert!(!last.pending && last.hovered.is_none() && last.view == ViewChange::Unchanged);
    }

    #[test]
    fn triangles_are_made_again_only_for_other_draws_or_another_view() {
        let mut harness = harness(Fake::grid(), RECIPE);
        let contours = |harness: &Harness<'_, State>| harness.state().cache.kept(0, None).unwrap().places();
        let draws = |harness: &Harness<'_, State>| harness.state().cache.kept(0, Some(0)).unwrap().places();
        harness.run_steps(3);
        let before = (contours(&harness), draws(&harness));
        assert!(!before.0.is_empty() && !before.1.is_empty());
        harness.run_steps(3);
        assert_eq!((contours(&harness), draws(&harness)), before);
        let run = &mut harness.state_mut().frame.runs[0];
        run.cloud = Arc::new(run.cloud.as_ref().clone());
        harness.run_steps(1);
        assert_eq!(contours(&harness), before.0);
        assert_ne!(draws(&harness), before.1, "other draws");
        wheel(&mut harness, 3.0);
        assert_ne!(contours(&harness), before.0, "another view");
    }

    #[test]
    fn the_wheel_zooms_around_the_pointer_and_a_double_click_resets() {
        let mut harness = harness(Fake::grid(), RECIPE);
        let view = harness.state().view;
        harness.hover_at(MIDDLE);
        harness.run();
        let before = harness.state().last.as_ref().unwrap().hovered.unwrap();
        wheel(&mut harness, 3.0);
        let zoomed = harness.state().view;
        assert!(zoomed.size().x < 0.95 * view.size().x, "{zoomed:?}");
        let after = harness.state().last.as_ref().unwrap().hovered.unwrap();
        assert!((after - before).norm() < 1e-3 * view.size().x, "the pointer was over {before}, is over {after}");
        click(&harness);
        click(&harness);
        harness.run();
        assert_eq!(harness.state().view, view);
    }

    #[test]
    fn dragging_pans_and_keeps_the_scale() {
        let mut harness = harness(Fake::grid(), RECIPE);
        let view = harness.state().view;
        harness.run();
        harness.hover_at(MIDDLE);
        harness.drag_at(MIDDLE);
        harness.run();
        harness.hover_at(MIDDLE + vec2(60.0, 0.0));
        harness.run();
        harness.drop_at(MIDDLE + vec2(60.0, 0.0));
        harness.run();
        let panned = harness.state().view;
        assert!(panned.min.x < view.min.x - 0.1, "{panned:?}");
        assert!((panned.size() - view.size()).norm() < 1e-6 && (panned.min.y - view.min.y).abs() < 1e-6);
    }

    #[test]
    fn every_kind_of_canvas_can_be_drawn() {
        for (target, recipe) in [
            (Fake::grid(), RECIPE),
            (Fake::grid(), Recipe { steps: 0, ..RECIPE }),
            (Fake::grid(), Recipe { name: "diverged", cycle: 100, steps: 6000, ..RECIPE }),
            (Fake::beta(), Recipe { alpha: 1e-4, ..RECIPE }),
            (Fake::beta(), Recipe { steps: 0, ..RECIPE }),
        ] {
            let mut harness = harness(target, recipe);
            for draws in [Draws::Hidden, Draws::Points, Draws::Density, Draws::ByChain, Draws::ByCycle, Draws::ByStep]
                .into_iter()
                .chain([Draws::Ensemble, Draws::Auto])
            {
                metropolis(&mut harness.state_mut().frame.runs[0]);
                harness.state_mut().layers = Layers { draws, arrows: true, ellipses: true, ..Layers::default() };
                harness.run();
            }
            let view = harness.state().frame.target.info().view;
            assert_eq!(harness.state().view, view);
        }
    }

    #[test]
    fn distributions_are_drawn_in_the_plane_and_on_the_line_and_made_into_triangles_once() {
        let distribution = |step: u64, chain: usize, dimension: usize| {
            let mean = Point::new(0.3 + 0.01 * step as f64, 0.2 * chain as f64);
            FitRecord {
                distribution: Some(Distribution::gaussian(dimension, mean, Matrix::new(0.3, 0.1, 0.1, 0.2))),
                ..FitRecord::default()
            }
        };
        for (target, dimension) in [(Fake::grid(), 2), (Fake::beta(), 1)] {
            let mut harness = harness(target, Recipe { steps: 7, ..RECIPE });
            approximation(&mut harness.state_mut().frame.runs[0], dimension, |step, chain| {
                distribution(step, chain, dimension)
            });
            harness.state_mut().layers.ellipses = true;
            harness.run_steps(3);
            let before = harness.state().cache.fits.places((0, 0));
            assert_eq!((before.is_empty(), harness.state().cache.fits.distributions(0).len()), (dimension == 1, 2));
            harness.run_steps(3);
            assert_eq!(harness.state().cache.fits.places((0, 0)), before);
            approximation(&mut harness.state_mut().frame.runs[0], dimension, |step, chain| {
                distribution(step + 1, chain, dimension)
            });
            harness.run_steps(2);
            assert!(dimension == 1 || harness.state().cache.fits.places((0, 0)) != before, "other distributions");
            let height =
                harness.state().cache.fits.marginal(0, 0).unwrap().into_iter().map(|[_, y]| y).fold(0.0, f64::max);
            let expected = (std::f64::consts::TAU * 0.3).sqrt().recip();
            assert!((height / expected - 1.0).abs() < 0.01, "the marginal of both distributions is theirs: {height}");
            harness.state_mut().frame.runs[0].fits.as_mut().unwrap().fit = None;
            harness.run_steps(2);
            assert!(
                harness.state().cache.fits.distributions(0).is_empty(),
                "without a distribution nothing is left of the last one"
            );
        }
    }

    #[test]
    fn thousands_of_chains_are_counted_again_when_they_have_moved() {
        let recipe = Recipe { chains: 4096, steps: 2, ..RECIPE };
        let mut harness = harness(Fake::grid(), recipe);
        let version = |harness: &Harness<'_, State>| harness.state().cache.draws_version(0);
        harness.state_mut().layers.draws = Draws::Ensemble;
        harness.run_steps(3);
        let first = version(&harness);
        harness.run_steps(3);
        assert_eq!(version(&harness), first, "the same chains are not counted twice");
        let histogram = harness.state().cache.histogram(0, 0).unwrap().clone();
        harness.state_mut().frame.runs[0].step += 1;
        for at in &mut harness.state_mut().frame.runs[0].positions {
            *at = Point::zeros();
        }
        harness.run_steps(2);
        assert_ne!(version(&harness), first);
        let now = harness.state().cache.histogram(0, 0).unwrap();
        assert_ne!(*now, histogram);
        assert_eq!(now.heights.iter().filter(|height| **height > 0.0).count(), 1, "all chains are in one place");
        harness.state_mut().layers.draws = Draws::Auto;
        harness.run_steps(2);
        assert_ne!(harness.state().cache.histogram(0, 0).unwrap().heights.len(), 0);
    }

    #[test]
    fn the_pointer_at_a_chain_asks_for_its_step() {
        let mut harness = harness(Fake::grid(), RECIPE);
        harness.run();
        metropolis(&mut harness.state_mut().frame.runs[0]);
        let State { frame, view, layers, last, .. } = harness.state();
        let (view, layers, transform) = (*view, *layers, last.as_ref().unwrap().transform);
        let input = CanvasInput { id: 0, frame, runs: &[0], view, layers, computing: Computing::Now };
        let place = |at: Point| transform.position_from_point(&egui_plot::PlotPoint::new(at.x, at.y));
        let words = |at: Pos2| arrows::words(&input, &Theme::default(), at, &transform);
        let second = words(place(frame.runs[0].records[1].to)).unwrap();
        assert!(second.starts_with("chain 2: momentum ") && second.contains("accepted, probability 0.75"), "{second}");
        assert_eq!(words(place(Point::repeat(1e3))), None);
    }

    #[test]
    fn a_canvas_without_room_does_not_fail() {
        let mut harness = harness(Fake::grid(), RECIPE);
        harness.set_size(vec2(30.0, 20.0));
        harness.run();
        harness.set_size(vec2(1.0, 1.0));
        harness.run();
    }
}
