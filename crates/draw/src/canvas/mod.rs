//! Canvas: the density of a target, and over it the draws, trails and moments of one run or of several.
//!
//! A two-dimensional target is seen from above, with one scale for both axes. A one-dimensional target is a curve with the
//! histogram of the draws ([`one_dimension`]). Canvases with the same view show the same part of the plane: pan and zoom come
//! back in the response, and the caller keeps the view.

mod arrows;
mod backdrop;
mod between_modes;
pub mod chips;
mod cloud;
mod covered;
mod divergences;
mod enlargement;
mod equal_units;
mod exact;
mod exact_words;
mod extent;
mod fits;
mod free_line;
pub mod geometry;
mod input;
mod layers;
mod marginals;
pub mod mixture;
pub mod named_layers;
mod one_dimension;
mod outside;
mod overlay;
pub mod painting;
pub mod pointing;
mod step_legend;
mod trajectory;
mod window;

use egui::{Sense, Ui, Vec2, vec2};

use crate::kit::axes::{AxisSpec, Ticks, answers, is_part, own_that_fit, plot, show_part};
use crate::kit::canvas_grid::Shape;
use crate::kit::named::part;
use crate::kit::{notes, own_axes, run_header, told, warnings};
use crate::theme::Theme;
use base::math::{Bounds, Point};
use engine::session::Frame;
use samplers::methods::Phase;

pub use arrows::step_phase_at;
pub use backdrop::CanvasCache;
pub use exact::Courses;
pub use extent::{extent_of_draws, extent_of_step, extent_of_target};
pub use input::{CanvasInput, CanvasResponse, Draws, Layers, MOST_POINTS, ViewChange};
pub(crate) use overlay::nearest_mode;
pub(crate) use window::GESTURES;
use window::{hovered, scrolled_window, shown_window, size_of, view_change, window_of};

/// Width of a canvas of a one-dimensional target to its height: a curve is readable in any shape, and best in a wide one.
const CURVE_ASPECT: f32 = 1.6;

/// What is shown where the view is no part of the plane.
const UNIT: Bounds = Bounds { min: Point::new(0.0, 0.0), max: Point::new(1.0, 1.0) };

/// What the arrangement of canvases must know of each: the shape of the part of the plane that it shows, and the space that
/// header, strip of warnings, axes and marginals take.
#[must_use]
pub fn shape(frame: &Frame, view: Option<Bounds>, (layers, strip): (Layers, bool), theme: &Theme) -> Shape {
    let (info, layers) = (frame.target.info(), layers.on(frame));
    let size = view.unwrap_or(info.view).size();
    let plane = info.dimension > 1 && !layers.free_scales;
    let aspect = if plane { (size.x / size.y).clamp(0.05, 20.0) as f32 } else { CURVE_ASPECT };
    let marginals = if layers.marginals && info.dimension > 1 { marginals::thickness(theme) } else { 0.0 };
    let least_with_marginals = marginals::least(theme);
    let axes = theme.text.small * 2.5 + theme.text.body * 1.5;
    let strip = if strip { warnings::height(theme) } else { 0.0 };
    let frame = vec2(axes, axes + theme.text.heading * 1.5 + strip);
    Shape { aspect, frame, label: theme.text.small, marginals, least_with_marginals }
}

/// Whether canvases of these sizes have space for strips of marginals: all of them, or none has one.
#[must_use]
pub fn have_strips(sizes: impl IntoIterator<Item = Vec2>, strip: bool, theme: &Theme) -> bool {
    let above = theme.text.heading * 1.5 + if strip { warnings::height(theme) } else { 0.0 };
    sizes.into_iter().all(|size| (size - vec2(0.0, above)).min_elem() >= marginals::least(theme))
}

/// Draws a canvas into the available space.
pub fn show(ui: &mut Ui, input: &CanvasInput<'_>, theme: &Theme, cache: &mut CanvasCache) -> CanvasResponse {
    let view = if is_part(input.view.min.into(), input.view.max.into()) { input.view } else { UNIT };
    let mut layers = input.layers.on(input.frame);
    layers.contours &= theme.look.contours;
    layers.modes &= theme.look.modes;
    let input = &CanvasInput { layers, view, ..*input };
    let over = !input.layers.waits
        && input.runs.iter().filter_map(|&run| input.frame.runs.get(run)).all(|run| {
            let reveal = input.layers.reveal(input.frame, run, 0);
            reveal.shows(Phase::Move)
        });
    let parts = (overlay::notes(input, cache), over, exact_words::above(ui, input, theme, &cache.exact));
    // A name that is longer than the canvas is wide makes no plot wider.
    let width = ui.available_width();
    run_header::show(ui, input.frame, input.runs, theme, parts);
    if input.strip {
        warnings::strip(ui, input.frame, (input.runs, input.layers.truth), theme);
    }
    let [down, up] = theme.look.panel.as_ref().map_or([0.0; 2], |panel| panel.inset);
    ui.add_space(theme.space(1.0) + down);
    if input.frame.target.info().dimension == 1 {
        return one_dimension::show(ui, input, theme, cache);
    }
    let names = theme.axes(input.frame.target.axis_labels());
    let beside = own_axes::unless_shared(theme, AxisSpec::wide(names[1], Ticks::Linear));
    let [x, y] = own_that_fit(ui, theme, names, beside);
    let (x, y) = (AxisSpec::wide(x, Ticks::Linear), AxisSpec { corner: false, ..AxisSpec::wide(y, Ticks::Linear) });
    let plot = plot(("canvas", input.id), theme, x, y).sense(Sense::click_and_drag());
    let strips = marginals::taken_thickness(ui, input, theme);
    ui.add_space(strips);
    // The last label of the axis extends half its width beyond the plot.
    let most = vec2((width - strips.max(theme.text.small)).max(1.0), (ui.available_height() - up).max(1.0));
    let taken = equal_units::size(ui, theme, most);
    let size = taken.unwrap_or(most);
    let plot = plot.width(size.x);
    let plot = if taken.is_some() || up > 0.0 { plot.height(size.y) } else { plot };
    let plot = if input.layers.free_scales { plot } else { plot.data_aspect(1.0) };
    let made = &mut *cache;
    // What comes and goes above does not end a drag.
    let draw = |ui: &mut Ui| {
        plot.show(ui, |plot_ui| {
            let fitted = shown_window(plot_ui, input);
            let window = scrolled_window(plot_ui, fitted);
            let pending = made.exact.prepare(plot_ui.ctx(), input)
                | between_modes::prepare(plot_ui.ctx(), input, &mut made.cycles)
                | made.prepare(plot_ui.ctx(), input, window, size_of(plot_ui), theme);
            made.prepare_details(input, window, size_of(plot_ui), theme);
            // From here on the cache is only read, for as long as the plot's items borrow from it.
            layers::add(plot_ui, input, theme, made);
            show_part(plot_ui, window.min.into(), window.max.into(), theme);
            (fitted, pending)
        })
    };
    let shown = part(ui, ("plot", input.id), draw);
    answers(ui, theme, &shown.response, [x, y]);
    if let Some(taken) = taken {
        equal_units::note(ui, theme, taken, shown.response.rect.size());
    }
    let (before, pending) = shown.inner;
    if notes::wants_crowd(theme) {
        notes::note_crowd(ui, covered::crowd(input, &shown.transform, shown.response.rect, covered::NOTHING));
    }
    note_seen(ui, input, theme, cache);
    let view = view_change(&shown.response, input.view, before, window_of(shown.transform.bounds()));
    let hovered = hovered(&shown.response, &shown.transform);
    overlay::paint(ui, input, theme, cache, (shown.response.rect, &shown.transform), hovered);
    if strips > 0.0 {
        marginals::paint(ui, input, theme, cache, (shown.response.rect, &shown.transform));
    }
    CanvasResponse { hovered, view, pending, response: shown.response, transform: shown.transform }
}

/// Tells a figure which contours there are, and whether there are crosses at modes.
fn note_seen(ui: &Ui, input: &CanvasInput<'_>, theme: &Theme, cache: &CanvasCache) {
    let details = cache.details(input.id);
    told::see(ui, theme, |seen| {
        if let Some(details) = details.filter(|_| input.layers.contours) {
            seen.regions.extend(&details.regions);
        }
        let modes = input.layers.modes && !input.frame.target.info().modes.is_empty();
        seen.crosses |= modes && details.is_none_or(|details| details.crosses.iter().any(|radius| *radius > 0.0));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::background::Computing;
    use crate::testing::{Fake, Recipe, approximation, frame, metropolis};
    use crate::theme;
    use base::math::{Distribution, Matrix};
    use egui::{Event, PointerButton, Pos2, pos2};
    use egui_kittest::Harness;
    use samplers::methods::FitRecord;
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
                        strip: false,
                        sketch: None,
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

    /// Of canvases side by side all have strips of marginals or none: one that is too small takes those of the others.
    #[test]
    fn strips_are_on_all_canvases_or_on_none() {
        let look = Theme::default();
        let large = Vec2::splat(marginals::least(&look) + 100.0);
        assert!(have_strips([large; 3], false, &look));
        assert!(!have_strips([large, vec2(0.3 * large.x, large.y), large], false, &look));
    }

    #[test]
    fn a_canvas_without_input_reports_no_change() {
        let mut harness = harness(Fake::grid(), RECIPE);
        let view = harness.state().view;
        harness.run_steps(5);
        assert_eq!(harness.state().view, view);
        let last = harness.state().last.as_ref().unwrap();
        assert!(!last.pending && last.hovered.is_none() && last.view == ViewChange::Unchanged);
    }

    /// Equal pictures are made once; every canvas shows them.
    #[test]
    fn every_canvas_shows_its_target() {
        let frame = frame(Fake::grid(), &[RECIPE, RECIPE, RECIPE]);
        let look = Theme::default();
        let show_all = move |ui: &mut Ui, cache: &mut CanvasCache| {
            ui.columns(3, |columns| {
                for (id, ui) in columns.iter_mut().enumerate() {
                    let (view, layers) = (frame.target.info().view, Layers::default());
                    let (strip, sketch, computing) = (false, None, Computing::Now);
                    let (frame, runs) = (&frame, &[id][..]);
                    let _shown = show(
                        ui,
                        &CanvasInput { id, frame, runs, view, layers, strip, sketch, computing },
                        &look,
                        cache,
                    );
                }
            });
        };
        let builder = Harness::builder().with_size(vec2(1200.0, 480.0)).with_context_setup(theme::install_fonts);
        let harness = builder.build_ui_state(show_all, CanvasCache::default());
        for id in 0..3 {
            assert!(!harness.state().contours(id).unwrap().meshes().is_empty(), "contours of canvas {id}");
            assert!(harness.state().backdrop(id).is_some(), "shades of canvas {id}");
        }
    }

    #[test]
    fn meshes_are_made_again_only_for_other_draws_or_another_view() {
        let mut harness = harness(Fake::grid(), RECIPE);
        let contours = |harness: &Harness<'_, State>| harness.state().cache.contours(0).unwrap().meshes();
        let draws = |harness: &Harness<'_, State>| harness.state().cache.kept(0, Some(0)).unwrap().meshes();
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
        assert!((after - before).norm() < 1e-3 * view.size().x, "the pointer was at {before}, now at {after}");
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

    /// The picture of the density is made once for canvases of the same size.
    #[test]
    fn every_canvas_of_the_same_size_has_the_density() {
        let made = frame(Fake::grid(), &[RECIPE, Recipe { name: "B", ..RECIPE }, Recipe { name: "C", ..RECIPE }]);
        let look = Theme::default();
        let mut harness =
            Harness::builder().with_size(vec2(1210.0, 430.0)).with_context_setup(theme::install_fonts).build_ui_state(
                move |ui, cache: &mut CanvasCache| {
                    theme::apply(ui.ctx(), &look);
                    for id in 0..3 {
                        let corner = pos2(400.0 * id as f32, 0.0);
                        let place =
                            egui::UiBuilder::new().max_rect(egui::Rect::from_min_size(corner, vec2(400.0, 420.0)));
                        let input = CanvasInput {
                            id,
                            frame: &made,
                            runs: &[id],
                            view: made.target.info().view,
                            layers: Layers::default(),
                            strip: false,
                            sketch: None,
                            computing: Computing::Now,
                        };
                        ui.scope_builder(place, |ui| drop(show(ui, &input, &look, cache)));
                    }
                },
                CanvasCache::default(),
            );
        harness.run_steps(2);
        for id in 0..3 {
            assert!(harness.state().backdrop(id).is_some(), "{id}");
            assert!(!harness.state().contours(id).unwrap().meshes().is_empty(), "{id}");
        }
    }

    #[test]
    fn a_density_is_drawn_where_the_truth_about_it_is_not_known() {
        for (target, planar) in [(Fake::grid(), true), (Fake::beta(), false)] {
            let mut harness = harness(target, RECIPE);
            let frame = &mut harness.state_mut().frame;
            frame.truth = Arc::new(frame.truth.withdrawn());
            let layers = Layers::default().on(frame);
            assert!(layers.truth && layers.heat && layers.contours && !layers.modes && !layers.marginals);
            assert_eq!(layers.on(frame), layers);
            let hidden = Layers { truth: false, ..Layers::default() }.on(frame);
            assert!(!hidden.heat && !hidden.contours && !hidden.modes);
            harness.run();
            let drawn = harness.state().cache.contours(0).is_some_and(|kept| !kept.meshes().is_empty());
            assert_eq!(drawn, planar);
        }
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
    fn fits_are_drawn_in_one_and_two_dimensions_and_tessellated_once() {
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
            let before = harness.state().cache.fits.meshes((0, 0));
            assert_eq!(
                (before.is_empty(), harness.state().cache.fits.distributions((0, 0)).len()),
                (dimension == 1, 2)
            );
            harness.run_steps(3);
            assert_eq!(harness.state().cache.fits.meshes((0, 0)), before);
            approximation(&mut harness.state_mut().frame.runs[0], dimension, |step, chain| {
                distribution(step + 1, chain, dimension)
            });
            harness.run_steps(2);
            assert!(dimension == 1 || harness.state().cache.fits.meshes((0, 0)) != before, "other components");
            let height =
                harness.state().cache.fits.marginal((0, 0), 0).unwrap().into_iter().map(|[_, y]| y).fold(0.0, f64::max);
            let expected = (std::f64::consts::TAU * 0.3).sqrt().recip();
            assert!((height / expected - 1.0).abs() < 0.01, "the height of the marginal of both components: {height}");
            harness.state_mut().frame.runs[0].fits.as_mut().unwrap().fit = None;
            harness.run_steps(2);
            assert!(
                harness.state().cache.fits.distributions((0, 0)).is_empty(),
                "without a component the last one is gone"
            );
        }
    }

    #[test]
    fn thousands_of_chains_are_counted_again_when_they_have_moved() {
        let recipe = Recipe { chains: 4096, steps: 2, ..RECIPE };
        let mut harness = harness(Fake::grid(), recipe);
        let version = |harness: &Harness<'_, State>| harness.state().cache.draws_version((0, 0));
        harness.state_mut().layers.draws = Draws::Ensemble;
        harness.run_steps(3);
        let first = version(&harness);
        harness.run_steps(3);
        assert_eq!(version(&harness), first, "the same chains are not counted twice");
        let histogram = harness.state().cache.histogram((0, 0), 0).unwrap().clone();
        harness.state_mut().frame.runs[0].step += 1;
        for at in &mut harness.state_mut().frame.runs[0].positions {
            *at = Point::zeros();
        }
        harness.run_steps(2);
        assert_ne!(version(&harness), first);
        let now = harness.state().cache.histogram((0, 0), 0).unwrap();
        assert_ne!(*now, histogram);
        assert_eq!(now.heights.iter().filter(|height| **height > 0.0).count(), 1, "all chains are in one place");
        harness.state_mut().layers.draws = Draws::Auto;
        harness.run_steps(2);
        assert_ne!(harness.state().cache.histogram((0, 0), 0).unwrap().heights.len(), 0);
    }

    #[test]
    fn the_pointer_at_a_chain_shows_its_step() {
        let mut harness = harness(Fake::grid(), RECIPE);
        harness.run();
        metropolis(&mut harness.state_mut().frame.runs[0]);
        let State { frame, view, layers, last, .. } = harness.state();
        let (view, layers, transform) = (*view, *layers, last.as_ref().unwrap().transform);
        let input = CanvasInput { view, ..CanvasInput::of_figure(frame, &[0], layers) };
        let place = |at: Point| transform.position_from_point(&egui_plot::PlotPoint::new(at.x, at.y));
        let words = |at: Pos2| arrows::words(&input, &Theme::default(), at, &transform);
        let second = words(place(frame.runs[0].records[1].to)).unwrap();
        assert!(second.starts_with("chain 2: momentum ") && second.contains("accepted, probability 0.75"), "{second}");
        assert_eq!(words(place(Point::repeat(1e3))), None);
    }

    #[test]
    fn a_canvas_without_space_does_not_fail() {
        let mut harness = harness(Fake::grid(), RECIPE);
        harness.set_size(vec2(30.0, 20.0));
        harness.run();
        harness.set_size(vec2(1.0, 1.0));
        harness.run();
    }
}
