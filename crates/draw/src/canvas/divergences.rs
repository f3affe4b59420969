//! Divergent transitions on a canvas: a small cross at every draw that follows one, over the draws of all runs.

use std::collections::BTreeMap;

use egui::Pos2;
use egui_plot::{MarkerShape, PlotPoint, PlotTransform, PlotUi, Points};

use super::geometry::divergences;
use super::input::CanvasInput;
use crate::geometry::Draw;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::Point;
use engine::session::Frame;

/// Crosses of a run at most: the newest.
const MOST: usize = 400;

/// Size of a cross, and its rim in the colour of the paper, in units of the theme.
const CROSS: f32 = 0.8;
const RIM: f32 = 0.35;

/// Distance from the pointer within which a cross is told, in units of the theme.
const NEAR: f32 = 2.0;

/// The draws that are marked, of each run, with what they are of.
#[derive(Debug, Default)]
pub(super) struct DivergenceCache(BTreeMap<usize, (Of, Vec<Draw>)>);

/// The generation of a frame, the step of the run, and how many divergent transitions it has had.
type Of = (u64, u64, u64);

impl DivergenceCache {
    /// Looks for the divergent transitions of a run, if the frame is another one.
    pub fn prepare(&mut self, frame: &Frame, index: usize) {
        let Some(run) = frame.runs.get(index) else { return };
        let of = (frame.generation, run.step, run.totals.divergent);
        if self.0.get(&index).is_none_or(|(before, _)| *before != of) {
            self.0.insert(index, (of, divergences(run, MOST)));
        }
    }

    fn of_run(&self, index: usize) -> &[Draw] {
        self.0.get(&index).map_or(&[], |(_, draws)| draws)
    }
}

/// Adds the crosses; `position` gives the point of the plot where a draw is.
pub(super) fn add(
    plot_ui: &mut PlotUi<'_>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &DivergenceCache,
    position: impl Fn(Point) -> [f64; 2],
) {
    if !input.layers.divergences {
        return;
    }
    let draws = input.runs.iter().flat_map(|&index| cache.of_run(index));
    let at: Vec<[f64; 2]> = draws.map(|draw| position(draw.at)).collect();
    for (colour, radius) in [(theme.paper, CROSS + RIM), (theme.error, CROSS)] {
        let points = Points::new("", at.clone()).shape(MarkerShape::Cross).color(colour);
        plot_ui.points(points.radius(theme.marker(radius)).allow_hover(false));
    }
}

/// The entry of the legend: how many there are, and how many of them have a cross if not all have.
pub(super) fn note(input: &CanvasInput<'_>) -> Option<String> {
    let runs = input.runs.iter().filter_map(|&index| input.frame.runs.get(index));
    let counts: Vec<u64> = runs.map(|run| run.totals.divergent).filter(|count| *count > 0).collect();
    let (all, one) = (counts.iter().sum::<u64>(), counts.len() == 1);
    let words = match (all, counts.iter().any(|count| *count > MOST as u64)) {
        (0, _) => return None,
        (1, _) => "× divergent transition".to_owned(),
        (all, false) => format!("× {} divergent transitions", numbers::count(all)),
        (all, true) => {
            let each = if one { "" } else { " of each run" };
            format!("× {} divergent transitions, at most {MOST}{each} marked", numbers::count(all))
        }
    };
    input.layers.divergences.then_some(words)
}

/// The cross nearest to the pointer, in words.
pub(super) fn words(
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &DivergenceCache,
    (pointer, transform): (Pos2, &PlotTransform),
) -> Option<String> {
    let line = input.frame.target.info().dimension == 1;
    let away = |draw: &Draw| {
        let y = if line { 0.0 } else { draw.at.y };
        transform.position_from_point(&PlotPoint::new(draw.at.x, y)).distance(pointer)
    };
    let shown = input.runs.iter().filter(|_| input.layers.divergences);
    let draws = shown.flat_map(|&index| cache.of_run(index).iter().map(move |draw| (index, draw)));
    let near = draws.map(|(index, draw)| (away(draw), index, draw)).filter(|(away, ..)| *away <= theme.space(NEAR));
    let (_, index, draw) = near.min_by(|a, b| a.0.total_cmp(&b.0))?;
    let name = &input.frame.runs.get(index)?.plan.name;
    let step = numbers::count(draw.step);
    Some(format!("{name}: divergent transition at step {step} of chain {}", draw.chain + 1))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::canvas::input::Layers;
    use egui::{Rect, pos2};
    use egui_plot::PlotBounds;
    use engine::scenario::read;
    use engine::session::Session;

    fn frame(step_size: f64, steps: u64) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"x\"\n[target]\nkind = \"gaussian\"\nsd = [0.01, 1.0]\ncorrelation = 0.0\n\
             [[run]]\nname = \"A\"\nmethod = \"hmc\"\nsteps = {steps}\nchains = 2\n\
             step_size = {{ kind = \"constant\", value = {step_size} }}\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(steps);
        session.frame()
    }

    fn input(frame: &Frame, layers: Layers) -> CanvasInput<'_> {
        CanvasInput::of_figure(frame, &[0], layers)
    }

    #[test]
    fn crosses_are_counted_and_told_where_they_are() {
        let (wild, theme) = (frame(20.0, 60), Theme::default());
        let mut cache = DivergenceCache::default();
        cache.prepare(&wild, 0);
        assert_eq!(cache.of_run(0).len(), 120);
        let shown = input(&wild, Layers::default());
        assert_eq!(note(&shown).as_deref(), Some("× 120 divergent transitions"));
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(400.0, 400.0));
        let bounds = PlotBounds::from_min_max([-1.0, -1.0], [1.0, 1.0]);
        let transform = PlotTransform::new(rect, bounds, [false; 2]);
        let newest = cache.of_run(0)[0];
        let at = transform.position_from_point(&PlotPoint::new(newest.at.x, newest.at.y));
        let text = words(&shown, &theme, &cache, (at, &transform)).unwrap();
        assert!(text.starts_with("A: divergent transition at step "), "{text}");
        let far = at + theme.space(NEAR) * egui::vec2(0.0, 40.0);
        assert_eq!(words(&shown, &theme, &cache, (far, &transform)), None);
        let hidden = input(&wild, Layers { divergences: false, ..Layers::default() });
        assert_eq!((note(&hidden), words(&hidden, &theme, &cache, (at, &transform))), (None, None));
    }

    #[test]
    fn a_sound_run_has_none_and_many_are_cut() {
        let sound = frame(0.01, 60);
        assert_eq!(note(&input(&sound, Layers::default())), None);
        let wild = frame(20.0, 600);
        let mut cache = DivergenceCache::default();
        cache.prepare(&wild, 0);
        assert_eq!(cache.of_run(0).len(), MOST);
        let text = note(&input(&wild, Layers::default())).unwrap();
        assert!(text.ends_with("at most 400 marked"), "{text}");
        cache.prepare(&sound, 0);
        assert!(cache.of_run(0).is_empty(), "those of another frame are gone");
    }
}
