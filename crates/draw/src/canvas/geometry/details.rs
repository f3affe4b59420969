//! How much of a target is drawn on a small canvas: of nested contours those that stay apart from each other and leave space for draws, and
//! crosses no larger than their modes.

use base::math::Point;

/// Radius below which an inner contour is a blob, and distance of two contours that can be told apart, in units of the theme (chosen by
/// eye).
const LEAST: f64 = 1.25;
const APART: f64 = 0.7;

/// Radius of a mode from which its outermost contour has its full width, and what is left of the width at least.
const FULL: f64 = 2.0;
const THINNEST: f32 = 0.5;

/// Radius of a mode below which it has no cross, and of a cross to that of its mode.
const LEAST_MODE: f64 = 1.6;
const CROSS: f64 = 0.28;

/// A line around a region: the number of the region, the innermost first, and its points.
pub type Contour = (usize, Vec<[f64; 2]>);

/// What is drawn of contours and modes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Details {
    /// Which contours.
    pub lines: Vec<bool>,
    /// Their width, as a share of the usual one.
    pub width: f32,
    /// The regions that have a line.
    pub regions: Vec<usize>,
    /// The largest radius of the cross of each mode in units of the theme; 0 for none.
    pub crosses: Vec<f32>,
}

/// A contour on the screen.
struct Outline {
    region: usize,
    low: [f64; 2],
    high: [f64; 2],
    /// Twice its area by its length: the radius of a circle, about half of the width of a band. Infinite for a line that is cut by the view.
    radius: f64,
}

impl Outline {
    fn of((region, points): &Contour, scale: [f64; 2]) -> Self {
        let at = |point: &[f64; 2]| [point[0] * scale[0], point[1] * scale[1]];
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let (mut area, mut length) = (0.0, 0.0);
        for pair in points.windows(2) {
            let [a, b] = [at(&pair[0]), at(&pair[1])];
            area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
            length += ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt();
        }
        for point in points {
            let point = at(point);
            for axis in 0..2 {
                (low[axis], high[axis]) = (low[axis].min(point[axis]), high[axis].max(point[axis]));
            }
        }
        let closed = points.first().zip(points.last()).is_some_and(|(first, last)| {
            let ([x, y], [x_end, y_end]) = (at(first), at(last));
            (x - x_end).abs().max((y - y_end).abs()) < 1e-6 * length
        });
        let radius = if closed && length > 0.0 { 2.0 * area.abs() / length } else { f64::INFINITY };
        Self { region: *region, low, high, radius }
    }

    fn contains(&self, at: [f64; 2]) -> bool {
        (0..2).all(|axis| (self.low[axis]..=self.high[axis]).contains(&at[axis]))
    }

    fn middle(&self) -> [f64; 2] {
        std::array::from_fn(|axis| 0.5 * (self.low[axis] + self.high[axis]))
    }
}

impl Details {
    /// What is drawn of contours and modes at so many units of the theme for each unit of the plane.
    #[must_use]
    pub fn of(contours: &[Contour], modes: &[Point], scale: [f64; 2]) -> Self {
        let outlines: Vec<Outline> = contours.iter().map(|contour| Outline::of(contour, scale)).collect();
        let mut order: Vec<usize> = (0..outlines.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(outlines[*number].region));
        let mut lines = vec![false; outlines.len()];
        let mut outermost = f64::INFINITY;
        for number in order {
            let own = &outlines[number];
            let around = |other: &&Outline| other.region > own.region && other.contains(own.middle());
            let drawn = outlines.iter().zip(&lines).filter(|(_, drawn)| **drawn).map(|(outline, _)| outline);
            let parent = drawn.filter(around).min_by(|a, b| a.radius.total_cmp(&b.radius));
            lines[number] = match parent {
                None => {
                    outermost = outermost.min(own.radius);
                    true
                }
                Some(parent) => {
                    own.radius.is_infinite() || (own.radius >= LEAST && parent.radius - own.radius >= APART)
                }
            };
        }
        let mut regions: Vec<usize> =
            outlines.iter().zip(&lines).filter(|(_, drawn)| **drawn).map(|(outline, _)| outline.region).collect();
        regions.sort_unstable();
        regions.dedup();
        let width = if outermost.is_finite() { ((outermost / FULL) as f32).clamp(THINNEST, 1.0) } else { 1.0 };
        Self { lines, width, regions, crosses: crosses(&outlines, modes, scale) }
    }
}

/// The largest radius of the cross of each mode.
fn crosses(outlines: &[Outline], modes: &[Point], scale: [f64; 2]) -> Vec<f32> {
    let on_screen: Vec<[f64; 2]> = modes.iter().map(|mode| [mode.x * scale[0], mode.y * scale[1]]).collect();
    let radius = |(number, at): (usize, &[f64; 2])| {
        let others = || on_screen.iter().enumerate().filter(move |(other, _)| *other != number).map(|(_, at)| at);
        let own =
            outlines.iter().filter(|outline| outline.contains(*at) && !others().any(|other| outline.contains(*other)));
        let largest = own
            .map(|outline| outline.radius)
            .fold(None, |most: Option<f64>, radius| Some(most.map_or(radius, |most| most.max(radius))));
        let nearest = others().map(|other| ((other[0] - at[0]).powi(2) + (other[1] - at[1]).powi(2)).sqrt());
        let radius = largest.unwrap_or_else(|| 0.5 * nearest.fold(f64::INFINITY, f64::min));
        if radius < LEAST_MODE { 0.0 } else { (CROSS * radius) as f32 }
    };
    on_screen.iter().enumerate().map(radius).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Circles of radius 1, 2, 3, 4 around each of some modes.
    fn rings(modes: &[Point]) -> Vec<Contour> {
        let ring = |mode: &Point, region: usize| {
            let radius = region as f64 + 1.0;
            let at = |step: u8| {
                let angle = f64::from(step % 64) * std::f64::consts::TAU / 64.0;
                [mode.x + radius * angle.cos(), mode.y + radius * angle.sin()]
            };
            (region, (0..=64).map(at).collect())
        };
        modes.iter().flat_map(|mode| (0..4).map(move |region| ring(mode, region))).collect()
    }

    #[test]
    fn large_modes_have_all_contours_and_small_ones_the_outermost() {
        let modes = [Point::new(0.0, 0.0), Point::new(20.0, 0.0)];
        let contours = rings(&modes);
        let large = Details::of(&contours, &modes, [5.0; 2]);
        assert!(large.lines.iter().all(|line| *line) && large.regions == [0, 1, 2, 3]);
        assert!(large.width >= 1.0 && large.crosses.iter().all(|cross| (cross - 5.6).abs() < 0.1));
        let small = Details::of(&contours, &modes, [0.3; 2]);
        assert_eq!((small.regions.as_slice(), small.lines.iter().filter(|line| **line).count()), (&[3][..], 2));
        assert!((small.width - 0.6).abs() < 0.02 && small.crosses == [0.0, 0.0]);
        let between = Details::of(&contours, &modes, [0.65; 2]);
        assert_eq!(between.regions, [1, 3], "one and a half apart");
    }

    /// A line that leaves the view tells nothing of the size of its mode.
    #[test]
    fn lines_that_are_cut_stay() {
        let arc = |region: usize| (region, vec![[0.0, 0.0], [0.01, 0.02], [0.02, 0.0]]);
        let details = Details::of(&[arc(0), arc(3)], &[Point::new(5.0, 5.0)], [1.0; 2]);
        assert_eq!(details.lines, [true, true]);
        assert!(details.crosses[0].is_infinite());
    }
}
