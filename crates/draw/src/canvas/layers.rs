//! Layers of a canvas in the order of painting: shades, exact distributions, draws, modes, trails, contours, chains, fits, ellipses,
//! divergent transitions.

use std::hash::Hash;

use egui::Color32;
use egui_plot::{LineStyle, MarkerShape, PlotUi, Points};

use super::backdrop::{CanvasCache, as_cloud};
use super::input::{CanvasInput, Draws, MOST_POINTS};
use super::{arrows, divergences, exact, fits};
use crate::geometry::{Draw, thinned, trail};
use crate::kit::axes::curve;
use crate::kit::background::Computing;
use crate::kit::marks::Mark;
use crate::kit::mesh_cache::MeshCache;
use crate::kit::passive_items::{begin_series, end_series, picture};
use crate::kit::polyline;
use crate::kit::written::plain_name_of;
use crate::theme::{RunStyle, Theme};
use base::math::Point;
use engine::session::RunFrame;
use samplers::methods::{Phase, StepRecord};

/// Kept steps in all trails of a run together, and in each trail, at most: more would be a tangle.
const TRAIL_POINTS: usize = 320;
const LONGEST_TRAIL: usize = 80;

/// Largest number of chains with trails, and with positions.
const MOST_TRAILS: usize = 32;
const MOST_HEADS: usize = 1000;

/// Number of styles of chains, and of colours of cycles, before they repeat.
const CHAIN_STYLES: usize = 64;
const CYCLE_COLOURS: usize = 8;

/// Look of trails.
struct TrailLook {
    /// Opacity of the oldest, middle and newest third.
    opacity: [f32; 3],
    /// Share of ink in the colour, so that a trail is visible over the draws of its run.
    ink: f32,
    /// Kept steps at most.
    longest: usize,
}

/// Trails of a run that has a canvas of its own; and of several runs on one, where they let contours and ellipses be seen, or beside a step that
/// is explained.
const ALONE: TrailLook = TrailLook { opacity: [0.25, 0.5, 0.9], ink: 0.45, longest: LONGEST_TRAIL };
const AMONG_OTHERS: TrailLook = TrailLook { opacity: [0.08, 0.16, 0.4], ink: 0.0, longest: 24 };

/// Standard deviations at which fitted Gaussians are outlined.
const ELLIPSES: [f64; 3] = [1.0, 2.0, 3.0];

/// Adds all layers to the plot.
pub(super) fn add<'a>(plot_ui: &mut PlotUi<'a>, input: &CanvasInput<'_>, theme: &Theme, cache: &'a CanvasCache) {
    begin_series(plot_ui, || "density of the target".to_owned());
    backdrop(plot_ui, input, theme, cache);
    let of =
        |what: &str, index: usize, run: &RunFrame| format!("{what} {}", plain_name_of(theme, index, &run.plan.name));
    let runs = || input.runs.iter().filter_map(|&index| Some((index, input.frame.runs.get(index)?)));
    for (index, run) in runs().filter(|_| input.layers.exact.is_some()) {
        begin_series(plot_ui, || of("exact distribution of", index, run));
        exact::in_plane(plot_ui, input, theme, &cache.exact, index);
    }
    for (index, run) in runs() {
        begin_series(plot_ui, || of("draws of", index, run));
        draws(plot_ui, input, theme, cache, (index, run));
    }
    if input.layers.modes {
        begin_series(plot_ui, || "modes of the target".to_owned());
        modes(plot_ui, input, theme, cache);
    }
    let several = input.runs.len() > 1;
    let with_trail = |run: &RunFrame| run.fits.is_none() && input.layers.trail;
    for (index, run) in runs().filter(|(_, run)| with_trail(run)) {
        begin_series(plot_ui, || of("newest steps of", index, run));
        trails(plot_ui, input, theme, (index, run));
    }
    // What draws are compared with is over them.
    begin_series(plot_ui, || "contours of the target".to_owned());
    contours(plot_ui, input, theme, cache);
    for (index, run) in runs().filter(|(_, run)| !several && with_trail(run)) {
        begin_series(plot_ui, || of("chains of", index, run));
        heads_in_plane(plot_ui, input, theme, (index, run));
    }
    for (index, run) in runs() {
        if run.fits.is_some() && input.layers.fits {
            begin_series(plot_ui, || of("fit of", index, run));
            fits::outlines(plot_ui, input, theme, &cache.fits, index);
            fits::routes(plot_ui, input, theme, (index, run));
            heads(plot_ui, input, theme, (index, run), |at| [at.x, at.y]);
        }
        // Draws from a fit have the moments of the fit, whose outline is there already.
        if input.layers.ellipses && run.fits.is_none() {
            begin_series(plot_ui, || of("mean and standard deviations of", index, run));
            ellipses(plot_ui, theme, theme.run(index), run);
        }
        if input.layers.arrows {
            begin_series(plot_ui, || of("parts of the newest steps of", index, run));
            arrows::in_plane(plot_ui, input, theme, run);
        }
    }
    // Of several runs, no trail and no outline covers a chain.
    for (index, run) in runs().filter(|(_, run)| several && with_trail(run)) {
        begin_series(plot_ui, || of("chains of", index, run));
        heads_in_plane(plot_ui, input, theme, (index, run));
    }
    begin_series(plot_ui, || "divergent transitions".to_owned());
    divergences::add(plot_ui, input, theme, &cache.divergences, |at| [at.x, at.y]);
    end_series(plot_ui);
}

fn backdrop<'a>(plot_ui: &mut PlotUi<'a>, input: &CanvasInput<'_>, theme: &Theme, cache: &'a CanvasCache) {
    let Some(backdrop) = cache.backdrop(input.id) else { return };
    let Some(kept) = cache.kept(input.id, None) else { return };
    let shades =
        || Mark::Image { image: backdrop.image.clone(), texture: backdrop.texture.id(), window: backdrop.window };
    let heat = input.layers.heat;
    let content = (backdrop.texture.id(), heat, theme.mode, theme.scale);
    show_kept(plot_ui, kept, (input.computing, content), || heat.then(shades).into_iter().collect());
}

fn contours<'a>(plot_ui: &mut PlotUi<'a>, input: &CanvasInput<'_>, theme: &Theme, cache: &'a CanvasCache) {
    let Some(backdrop) = cache.backdrop(input.id).filter(|_| input.layers.contours) else { return };
    let Some(kept) = cache.contours(input.id) else { return };
    let details = cache.details(input.id);
    // On a small canvas lines that would touch are left out, and the others are thinner.
    let (drawn, width) = details.map_or((&[][..], 1.0), |details| (&details.lines[..], details.width));
    let line = |(region, points): &(usize, Vec<[f64; 2]>)| Mark::Line {
        points: points.clone(),
        colour: contour_colour(theme, *region),
        width: width * theme.thin(),
        graph: false,
    };
    let is_drawn = |number: &usize| drawn.get(*number).copied().unwrap_or(true);
    let content = (backdrop.texture.id(), theme.mode, theme.scale, drawn.to_vec(), width.to_bits());
    let lines =
        || backdrop.contours.iter().enumerate().filter(|(number, _)| is_drawn(number)).map(|(_, found)| line(found));
    show_kept(plot_ui, kept, (input.computing, content), || lines().collect());
}

/// Marks of the target, which stay the same until it, or what is seen of it, changes.
fn show_kept<'a>(
    plot_ui: &mut PlotUi<'a>,
    kept: &'a MeshCache,
    (computing, content): (Computing, impl Hash),
    marks: impl FnOnce() -> Vec<Mark>,
) {
    match computing {
        Computing::Background => kept.show_still(plot_ui, content, marks),
        Computing::Now => kept.show(plot_ui, content, marks),
    }
}

/// Colour of a contour: stronger for inner regions, where there are more draws.
fn contour_colour(theme: &Theme, region: usize) -> Color32 {
    const OPACITY: [f32; 4] = [0.9, 0.75, 0.6, 0.5];
    theme.ink.gamma_multiply(OPACITY[region.min(OPACITY.len() - 1)])
}

fn draws<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &'a CanvasCache,
    (index, run): (usize, &RunFrame),
) {
    if let (Some(found), Some(dot)) = (&run.fits, cache.dot()) {
        fits::cloud(plot_ui, input, theme, (&cache.fits, dot), (index, found));
        return;
    }
    if as_cloud(input.layers.draws, run) {
        for (texture, window) in cache.cloud((input.id, index)) {
            plot_ui.add(picture(texture.id(), window));
        }
        return;
    }
    if input.layers.draws == Draws::Hidden {
        return;
    }
    let (style, alone) = (theme.run(index), input.runs.len() == 1);
    let shape = if alone { MarkerShape::Circle } else { style.marker };
    let (Some(kept), Some(dot)) = (cache.kept(input.id, Some(index)), cache.dot()) else { return };
    let until = if undone(input, run, 0).is_some() { run.step.saturating_sub(1) } else { run.step };
    let looks = (shape as u8, dot.radius().to_bits(), theme.mode, theme.scale);
    let content = (cache.draws_version((input.id, index)), input.layers.draws, until, looks);
    kept.show(plot_ui, content, || {
        let style = RunStyle { marker: shape, ..style };
        let classes = coloured(input.layers.draws, (run, until), theme, style, input.has_one_run()).into_iter();
        let mark = |(style, points): (RunStyle, _)| {
            let RunStyle { colour, marker: shape, .. } = style;
            Mark::Points { points, colour, shape, dot: dot.clone() }
        };
        classes.map(mark).collect()
    });
}

/// The draws until a step shown one by one, grouped by style: `style`, or variants of it by chain, cycle or step. Chains of a run that is
/// alone have markers of their own.
fn coloured(
    draws: Draws,
    (run, until): (&RunFrame, u64),
    theme: &Theme,
    style: RunStyle,
    alone: bool,
) -> Vec<(RunStyle, Vec<[f64; 2]>)> {
    /// Opacity of single draws, so that many draws are darker than few (chosen by eye).
    const OPACITY: f32 = 0.6;
    /// Shades from the first to the last step.
    const SHADES: usize = 6;
    let picked = thinned(&run.history, |step| run.stands_for(step), MOST_POINTS);
    let class = |draw: &Draw| match draws {
        Draws::ByChain => draw.chain % CHAIN_STYLES,
        Draws::ByCycle => cycle_of(run, draw.step) % CYCLE_COLOURS,
        Draws::ByStep => shade(draw.step, run.step, SHADES),
        _ => 0,
    };
    let look = |class: usize| match draws {
        Draws::ByChain => theme.chain_of(style, class, alone),
        Draws::ByCycle => RunStyle { colour: theme.series(class), ..style },
        Draws::ByStep => {
            let colour = style.colour.lerp_to_gamma(theme.paper, 0.8 * (1.0 - part(class + 1, SHADES)));
            RunStyle { colour, ..style }
        }
        _ => style,
    };
    let mut classes: Vec<Vec<[f64; 2]>> = vec![Vec::new(); CHAIN_STYLES];
    for draw in picked.iter().filter(|draw| draw.step <= until) {
        classes[class(draw)].push([draw.at.x, draw.at.y]);
    }
    let filled = classes.into_iter().enumerate().filter(|(_, points)| !points.is_empty());
    let faded = |style: RunStyle| RunStyle { colour: style.colour.gamma_multiply(OPACITY), ..style };
    filled.map(|(class, points)| (faded(look(class)), points)).collect()
}

/// The cycle of a step by the schedule of that step; 0 without cycles.
fn cycle_of(run: &RunFrame, step: u64) -> usize {
    let cycle = run.plan.segment_of(step).schedule.cycle(step.max(1));
    usize::try_from(cycle.unwrap_or(0)).unwrap_or(0)
}

/// The shade of a step among `shades` equal parts of the run so far.
fn shade(step: u64, last: u64, shades: usize) -> usize {
    let number = u128::from(step) * shades as u128 / u128::from(last.max(1));
    usize::try_from(number).unwrap_or(0).min(shades - 1)
}

fn part(number: usize, of: usize) -> f32 {
    number as f32 / of as f32
}

fn modes(plot_ui: &mut PlotUi<'_>, input: &CanvasInput<'_>, theme: &Theme, cache: &CanvasCache) {
    /// Radius of a cross, and how far its rim reaches beyond it, in units of the theme.
    const CROSS: f32 = 1.1;
    const RIM: f32 = 0.5;
    let details = cache.details(input.id);
    let most = |mode: usize| details.and_then(|details| details.crosses.get(mode)).copied().unwrap_or(CROSS).min(CROSS);
    // Crosses of one size together, the usual ones first.
    let mut sizes: Vec<(f32, Vec<[f64; 2]>)> = vec![(CROSS, Vec::new())];
    for (number, mode) in input.frame.target.info().modes.iter().enumerate() {
        let (size, at) = (most(number), [mode.at.x, mode.at.y]);
        match sizes.iter_mut().find(|(known, _)| (known - size).abs() < 1e-3) {
            Some((_, all)) => all.push(at),
            None => sizes.push((size, vec![at])),
        }
    }
    for (size, at) in sizes.into_iter().filter(|(size, at)| *size > 0.0 && !at.is_empty()) {
        for (colour, radius) in [(theme.paper, size + RIM * size / CROSS), (theme.ink, size)] {
            let points = Points::new("", at.clone()).shape(MarkerShape::Plus).color(colour);
            plot_ui.points(points.radius(theme.marker(radius)).allow_hover(false));
        }
    }
}

fn trails(plot_ui: &mut PlotUi<'_>, input: &CanvasInput<'_>, theme: &Theme, (index, run): (usize, &RunFrame)) {
    if is_ensemble(input, run) {
        return;
    }
    let explained = input.layers.stage.is_some();
    let look = if input.runs.len() == 1 && !explained { ALONE } else { AMONG_OTHERS };
    let chains = run.history.chains().clamp(1, MOST_TRAILS);
    let length = (TRAIL_POINTS / chains).min(look.longest);
    for chain in 0..run.history.chains().min(MOST_TRAILS) {
        let colour = match input.layers.draws {
            Draws::ByChain => theme.chain_of(theme.run(index), chain, input.has_one_run()).colour,
            _ => theme.run(index).colour,
        };
        let colour = colour.lerp_to_gamma(theme.ink, look.ink);
        let mut points = trail(&run.history, chain, length);
        if undone(input, run, chain).is_some() {
            points.pop();
        }
        for (third, opacity) in look.opacity.into_iter().enumerate() {
            let (from, until) = (third * points.len() / 3, ((third + 1) * points.len() / 3 + 1).min(points.len()));
            let piece = points[from..until].to_vec();
            plot_ui.add(polyline::in_plane(piece, colour.gamma_multiply(opacity), theme.thin()));
        }
    }
}

/// Whether the positions of thousands of chains are already visible as a density.
fn is_ensemble(input: &CanvasInput<'_>, run: &RunFrame) -> bool {
    input.layers.draws == Draws::Ensemble && run.history.chains() > MOST_TRAILS
}

fn heads_in_plane(plot_ui: &mut PlotUi<'_>, input: &CanvasInput<'_>, theme: &Theme, (index, run): (usize, &RunFrame)) {
    if !is_ensemble(input, run) {
        heads(plot_ui, input, theme, (index, run), |at| [at.x, at.y]);
    }
}

/// Adds the positions of the chains, with a rim in the colour of the paper; `position` gives the point of the plot where a draw is.
pub(super) fn heads(
    plot_ui: &mut PlotUi<'_>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    (index, run): (usize, &RunFrame),
    position: impl Fn(Point) -> [f64; 2],
) {
    let apart = input.layers.draws == Draws::ByChain;
    let styles = if apart { CHAIN_STYLES.min(run.positions.len()) } else { 1 };
    let count = run.positions.len().min(MOST_HEADS);
    // Many markers are small, without a rim.
    let few = [(theme.ink, 0.45), (theme.paper, 0.2)];
    let (radius, rims) = if count > MOST_TRAILS { (0.9, &few[..0]) } else { (1.4, &few[..]) };
    for class in 0..styles {
        let style = theme.run(index);
        let style = if apart { theme.chain_of(style, class, input.has_one_run()) } else { style };
        let at: Vec<[f64; 2]> = (class..count).step_by(styles).map(|chain| position(head(input, run, chain))).collect();
        for &(colour, rim) in rims.iter().chain(&[(style.colour, 0.0)]) {
            let points = Points::new("", at.clone()).shape(style.marker).color(colour);
            plot_ui.points(points.radius(theme.marker(radius + rim)).allow_hover(false));
        }
    }
}

/// Where a chain is: before its step is over, where it was.
fn head(input: &CanvasInput<'_>, run: &RunFrame, chain: usize) -> Point {
    undone(input, run, chain).map_or(run.positions[chain], |record| record.from)
}

/// The newest step of a chain, if it is shown before it is over: nothing tells then where it leads.
fn undone<'r>(input: &CanvasInput<'_>, run: &'r RunFrame, chain: usize) -> Option<&'r StepRecord> {
    let is_undone = |record: &&StepRecord| {
        input.layers.stage.is_some()
            && !input.layers.reveal(input.frame, run, chain).shows(Phase::Move)
            && record.from.x.is_finite()
    };
    run.records.get(chain).filter(is_undone)
}

fn ellipses(plot_ui: &mut PlotUi<'_>, theme: &Theme, style: RunStyle, run: &RunFrame) {
    /// Corners of an ellipse, enough to look smooth.
    const CORNERS: usize = 96;
    let Some(moments) = run.moments else { return };
    for radius in ELLIPSES {
        let mut points: Vec<[f64; 2]> = moments.ellipse(radius, CORNERS).iter().map(|at| [at.x, at.y]).collect();
        points.extend(points.first().copied());
        let line = curve(points, style.colour, theme.line());
        plot_ui.line(line.style(LineStyle::Dashed { length: theme.space(2.0) }));
    }
    let mean = Points::new("", vec![[moments.mean.x, moments.mean.y]]).shape(MarkerShape::Cross).color(style.colour);
    plot_ui.points(mean.radius(theme.marker(1.6)).allow_hover(false));
}
