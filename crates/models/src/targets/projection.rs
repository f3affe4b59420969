//! Projections: the two numbers of a vector that are drawn and counted.

use base::math::{Coords, Point};

/// From d dimensions to the plane. It is part of the scenario: a run is drawn and counted in the same plane from its first
/// step to its last.
#[derive(Clone, Debug, PartialEq)]
pub enum Projection {
    /// Two coordinates, by their numbers from 0.
    Coordinates([usize; 2]),
    /// The coordinates in a plane through `origin`: ⟨θ − origin, uᵢ⟩.
    Affine {
        /// A point of the plane, with d coordinates.
        origin: Vec<f64>,
        /// u₁ and u₂, orthonormal, with d coordinates each.
        axes: [Vec<f64>; 2],
    },
}

impl Projection {
    /// The first two coordinates, which are all that a planar target has.
    pub const PLANE: Self = Self::Coordinates([0, 1]);

    /// Where vector `index` is in the plane.
    #[inline]
    #[must_use]
    pub fn point(&self, vectors: &Coords, index: usize) -> Point {
        self.image(vectors.dimension(), |axis| vectors.get(index, axis))
    }

    /// Where the vector with `dimension` coordinates is in the plane whose coordinates `of` gives.
    #[must_use]
    pub fn image(&self, dimension: usize, of: impl Fn(usize) -> f64) -> Point {
        match self {
            Self::Coordinates(_) => self.displacement(dimension, of),
            Self::Affine { origin, .. } => self.displacement(dimension, |axis| of(axis) - origin[axis]),
        }
    }

    /// The projection of the displacement whose coordinates `of` gives; those from `free` on are 0.
    #[must_use]
    pub fn displacement(&self, free: usize, of: impl Fn(usize) -> f64) -> Point {
        match self {
            Self::Coordinates(numbers) => {
                let [x, y] = numbers.map(|number| if number < free { of(number) } else { 0.0 });
                Point::new(x, y)
            }
            Self::Affine { axes, .. } => {
                let sum = |axis: &[f64]| axis.iter().enumerate().take(free).map(|(k, u)| u * of(k)).sum();
                Point::new(sum(&axes[0]), sum(&axes[1]))
            }
        }
    }

    /// Moves a vector within the plane, or in the two coordinates, so that its projection is `point`.
    pub fn move_to(&self, vector: &mut [f64], point: Point) {
        match self {
            Self::Coordinates([x, y]) => (vector[*x], vector[*y]) = (point.x, point.y),
            Self::Affine { axes, .. } => {
                let here = self.image(vector.len(), |axis| vector[axis]);
                let by = point - here;
                for (value, (u, v)) in vector.iter_mut().zip(axes[0].iter().zip(&axes[1])) {
                    *value += by.x * u + by.y * v;
                }
            }
        }
    }

    /// Writes the projections of all vectors in the plane to `x` and `y`.
    #[inline]
    pub fn points(&self, vectors: &Coords, x: &mut [f64], y: &mut [f64]) {
        if let Self::Coordinates(numbers) = self {
            copy(vectors.axis(numbers[0]), x);
            copy(vectors.axis(numbers[1]), y);
            return;
        }
        for (index, (x, y)) in x.iter_mut().zip(y).enumerate() {
            let point = self.point(vectors, index);
            (*x, *y) = (point.x, point.y);
        }
    }
}

/// Copies as many numbers; for a single one a call would take longer than the number itself.
#[inline]
fn copy(from: &[f64], to: &mut [f64]) {
    if let ([from], [to]) = (from, &mut *to) {
        *to = *from;
    } else {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_displacements_are_those_of_the_plane() {
        let vectors = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 9.0]];
        let coords = Coords::of(4, vectors.iter().map(|vector| &vector[..]));
        let (mut x, mut y) = ([0.0; 2], [0.0; 2]);
        let two = Projection::Coordinates([3, 1]);
        two.points(&coords, &mut x, &mut y);
        assert_eq!((x, y), ([4.0, 9.0], [2.0, 6.0]));
        assert_eq!(two.point(&coords, 1), Point::new(9.0, 6.0));
        assert_eq!(two.displacement(3, |axis| axis as f64), Point::new(0.0, 1.0));
        let origin = vec![1.0, 1.0, 1.0, 1.0];
        let plane = Projection::Affine { origin, axes: [vec![0.0, 0.6, 0.8, 0.0], vec![1.0, 0.0, 0.0, 0.0]] };
        plane.points(&coords, &mut x, &mut y);
        assert!((x[0] - 2.2).abs() < 1e-15 && (x[1] - 7.8).abs() < 1e-15, "{x:?}");
        assert!(y[0].abs() < 1e-15 && (y[1] - 4.0).abs() < 1e-15, "{y:?}");
        let mut vector = vectors[1];
        plane.move_to(&mut vector, Point::new(1.0, 2.0));
        let moved = Coords::of(4, [&vector[..]].into_iter());
        assert!((plane.point(&moved, 0) - Point::new(1.0, 2.0)).norm() < 1e-14);
        assert!((vector[3] - vectors[1][3]).abs() < 1e-15);
        assert_eq!(plane.displacement(4, |axis| if axis == 1 { 5.0 } else { -1.0 }), Point::new(3.0 - 0.8, -1.0));
    }
}
