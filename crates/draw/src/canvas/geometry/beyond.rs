//! Draws beyond the edges of the part of the plane that a plot shows: how many beyond each, and where along it.

use base::math::Bounds;

/// Overhang below which a cell ends at the edge, as a share of the part: its ends are rounded.
const ROUNDING: f64 = 1e-9;

/// Half of a draw: less is the rest of a cell that was cut.
const FEWEST: f64 = 0.5;

/// A side of a part of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Towards lower x.
    Left,
    /// Towards higher x.
    Right,
    /// Towards lower y.
    Bottom,
    /// Towards higher y.
    Top,
}

impl Side {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Bottom, Self::Top];
}

/// The draws beyond one side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beyond {
    /// The side.
    pub side: Side,
    /// How many, not whole where cells are cut.
    pub draws: f64,
    /// Their mean coordinate along the side, within the part.
    pub along: f64,
}

/// The draws beyond each side of `window` that has some, of cells with their numbers of draws. A cell that the window cuts
/// counts by its share outside, and for the side that it is farthest beyond; a cell without a size is a point. On a `flat` target only x counts.
#[must_use]
pub fn beyond(window: Bounds, flat: bool, cells: impl Iterator<Item = (Bounds, f64)>) -> Vec<Beyond> {
    let size = window.size();
    let mut sums = [(0.0, 0.0); 4];
    for (cell, draws) in cells {
        let (low, high) = (window.min - cell.min, cell.max - window.max);
        let overhangs = [low.x / size.x, high.x / size.x, low.y / size.y, high.y / size.y];
        let sides = overhangs.iter().enumerate().take(if flat { 2 } else { 4 });
        let Some((side, farthest)) = sides.max_by(|one, other| one.1.total_cmp(other.1)) else { continue };
        if *farthest <= ROUNDING {
            continue;
        }
        let centre = ((cell.min + cell.max) / 2.0).sup(&window.min).inf(&window.max);
        let outside = draws * (1.0 - inside(cell, window, flat));
        sums[side].0 += outside;
        sums[side].1 += outside * if side < 2 { centre.y } else { centre.x };
    }
    let found = Side::ALL.into_iter().zip(sums).filter(|(_, (draws, _))| *draws >= FEWEST);
    found.map(|(side, (draws, along))| Beyond { side, draws, along: along / draws }).collect()
}

/// The share of a cell that is within a window.
fn inside(cell: Bounds, window: Bounds, flat: bool) -> f64 {
    let overlap = cell.max.inf(&window.max) - cell.min.sup(&window.min);
    let share = |axis: usize| match cell.size()[axis] {
        size if size > 0.0 => (overlap[axis] / size).clamp(0.0, 1.0),
        _ => f64::from(u8::from(overlap[axis] >= 0.0)),
    };
    if flat { share(0) } else { share(0) * share(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_draw_outside_counts_for_the_side_that_it_is_farthest_beyond() {
        let window = Bounds::new((0.0, 10.0), (0.0, 5.0));
        let cell = |x: f64, y: f64| Bounds::new((x, x + 1.0), (y, y + 1.0));
        let cells = [(cell(3.0, 2.0), 7.0), (cell(-2.0, 3.0), 2.0), (cell(-4.0, 1.0), 2.0), (cell(12.0, 9.0), 3.0)];
        let cut = [(cell(9.5, 2.0), 8.0), (cell(9.0, 4.0), 5.0)];
        let found = beyond(window, false, cells.into_iter().chain(cut));
        let expected = [
            Beyond { side: Side::Left, draws: 4.0, along: 2.5 },
            Beyond { side: Side::Right, draws: 4.0, along: 2.5 },
            Beyond { side: Side::Top, draws: 3.0, along: 10.0 },
        ];
        assert_eq!(found, expected);
        let flat = beyond(window, true, cells.into_iter());
        assert_eq!(
            flat.iter().map(|beyond| (beyond.side, beyond.draws)).collect::<Vec<_>>(),
            [(Side::Left, 4.0), (Side::Right, 3.0)]
        );
    }

    /// However a window cuts cells: what is inside and what is beyond its sides are all draws.
    #[test]
    fn no_draw_is_lost_at_a_corner() {
        let cells: Vec<(Bounds, f64)> = (0..400)
            .map(|number| {
                let (x, y) = (f64::from(number % 20) - 10.0, f64::from(number / 20) - 10.0);
                (Bounds::new((x, x + 1.0), (y, y + 1.0)), f64::from(number % 7))
            })
            .collect();
        let all: f64 = cells.iter().map(|cell| cell.1).sum();
        for window in [Bounds::new((-3.3, 4.1), (-9.7, 0.2)), Bounds::new((-30.0, 30.0), (-2.5, 30.0))] {
            let within: f64 = cells.iter().map(|(cell, draws)| draws * inside(*cell, window, false)).sum();
            let outside: f64 = beyond(window, false, cells.iter().copied()).iter().map(|beyond| beyond.draws).sum();
            assert!((within + outside - all).abs() < 1e-9 * all, "{within} and {outside} of {all}");
        }
    }
}
