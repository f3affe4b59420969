//! Vectors of any dimension, side by side: the positions of many chains, their momenta, their gradients.

use std::mem;
use std::ops::Range;

use super::Point;

/// Vectors of one dimension d, coordinate by coordinate: coordinate k of vector c lies at k · len + c.
///
/// All first coordinates come first, then all second ones. In the plane these are two slices, x and y.
#[derive(Debug, Default, PartialEq)]
pub struct Coords {
    values: Vec<f64>,
    dimension: usize,
    len: usize,
}

impl Clone for Coords {
    fn clone(&self) -> Self {
        Self { values: self.values.clone(), dimension: self.dimension, len: self.len }
    }

    /// Without allocation where the memory is large enough.
    #[inline]
    fn clone_from(&mut self, source: &Self) {
        self.resize(source.dimension, source.len);
        // A call that copies two numbers takes longer than the numbers themselves, which a step of a single chain feels.
        if let ([x, y], [from_x, from_y]) = (&mut self.values[..], &source.values[..]) {
            (*x, *y) = (*from_x, *from_y);
        } else {
            self.values.copy_from_slice(&source.values);
        }
    }
}

impl Coords {
    /// `len` vectors of dimension `dimension`, all 0.
    #[must_use]
    pub fn zeros(dimension: usize, len: usize) -> Self {
        Self { values: vec![0.0; dimension * len], dimension, len }
    }

    /// The given vectors, each a slice of `dimension` numbers.
    #[must_use]
    pub fn of<'a>(dimension: usize, vectors: impl ExactSizeIterator<Item = &'a [f64]>) -> Self {
        let mut coords = Self::zeros(dimension, vectors.len());
        for (index, vector) in vectors.enumerate() {
            coords.set(index, vector);
        }
        coords
    }

    /// Points of the plane, as vectors of dimension 2.
    #[must_use]
    pub fn of_points(points: &[Point]) -> Self {
        let mut coords = Self::zeros(2, points.len());
        for (index, point) in points.iter().enumerate() {
            coords.set(index, point.as_slice());
        }
        coords
    }

    /// Resizes to `len` vectors of dimension `dimension`; what they contain is left open.
    #[inline]
    pub fn resize(&mut self, dimension: usize, len: usize) {
        if (dimension, len) != (self.dimension, self.len) {
            self.values.resize(dimension * len, 0.0);
            (self.dimension, self.len) = (dimension, len);
        }
    }

    /// d, the number of coordinates of each vector.
    #[inline]
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Number of vectors.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no vectors.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Coordinate `axis` < d of all vectors.
    #[inline]
    #[must_use]
    pub fn axis(&self, axis: usize) -> &[f64] {
        &self.values[axis * self.len..(axis + 1) * self.len]
    }

    /// Coordinate `axis` < d of all vectors.
    #[inline]
    pub fn axis_mut(&mut self, axis: usize) -> &mut [f64] {
        &mut self.values[axis * self.len..(axis + 1) * self.len]
    }

    /// All coordinates in order, each of all vectors.
    pub fn axes(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        (0..self.dimension).map(|axis| self.axis(axis))
    }

    /// All coordinates in order, each of all vectors.
    #[inline]
    pub fn axes_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        // Chunks of a slice would cost a division, which a step of a single chain feels.
        let (mut rest, len) = (&mut self.values[..], self.len);
        (0..self.dimension).map(move |_| {
            let (axis, others) = mem::take(&mut rest).split_at_mut(len);
            rest = others;
            axis
        })
    }

    /// The first two coordinates of all vectors, of which there have to be two.
    #[inline]
    #[must_use]
    pub fn plane(&self) -> [&[f64]; 2] {
        [self.axis(0), self.axis(1)]
    }

    /// The first two coordinates of all vectors, of which there have to be two.
    #[inline]
    pub fn plane_mut(&mut self) -> [&mut [f64]; 2] {
        let (x, rest) = self.values.split_at_mut(self.len);
        [x, &mut rest[..self.len]]
    }

    /// All numbers, coordinate by coordinate.
    #[inline]
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All numbers, coordinate by coordinate.
    #[inline]
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Coordinate `axis` of vector `index`.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize, axis: usize) -> f64 {
        self.values[axis * self.len + index]
    }

    /// The coordinates of vector `index`, in order.
    #[inline]
    pub fn vector(&self, index: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.dimension).map(move |axis| self.get(index, axis))
    }

    /// Puts a vector, a slice of d numbers, in the place of vector `index`.
    #[inline]
    pub fn set(&mut self, index: usize, vector: &[f64]) {
        for (axis, value) in vector.iter().enumerate().take(self.dimension) {
            self.values[axis * self.len + index] = *value;
        }
    }

    /// The first two coordinates of vector `index`, of which there have to be two.
    #[inline]
    #[must_use]
    pub fn point(&self, index: usize) -> Point {
        Point::new(self.values[index], self.values[self.len + index])
    }

    /// Puts a point in the place of vector `index`, of vectors in the plane.
    #[inline]
    pub fn set_point(&mut self, index: usize, point: Point) {
        (self.values[index], self.values[self.len + index]) = (point.x, point.y);
    }

    /// The vectors with the given numbers.
    #[must_use]
    pub fn range(&self, numbers: Range<usize>) -> Self {
        let mut some = Self::zeros(self.dimension, numbers.len());
        for (to, from) in some.axes_mut().zip(self.axes()) {
            to.copy_from_slice(&from[numbers.clone()]);
        }
        some
    }

    /// Makes these the first `count` vectors of `source`, or all if there are fewer.
    #[inline]
    pub fn copy_first(&mut self, source: &Self, count: usize) {
        let count = count.min(source.len);
        self.resize(source.dimension, count);
        for axis in 0..source.dimension {
            self.axis_mut(axis).copy_from_slice(&source.axis(axis)[..count]);
        }
    }

    /// Puts vector `from` of `source`, of the same dimension, in the place of vector `index`.
    #[inline]
    pub fn copy_vector(&mut self, index: usize, source: &Self, from: usize) {
        for axis in 0..self.dimension {
            self.values[axis * self.len + index] = source.get(from, axis);
        }
    }

    /// Puts the same number into all coordinates of vector `index`.
    #[inline]
    pub fn fill(&mut self, index: usize, value: f64) {
        for axis in 0..self.dimension {
            self.values[axis * self.len + index] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_lie_together() {
        let vectors = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        let mut coords = Coords::of(3, vectors.iter().map(|vector| &vector[..]));
        assert_eq!(coords.values(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
        assert_eq!((coords.dimension(), coords.len()), (3, 2));
        assert_eq!(coords.plane(), [&[1.0, 4.0][..], &[2.0, 5.0]]);
        assert_eq!(coords.axis(2), [3.0, 6.0]);
        assert_eq!(coords.axes().map(<[f64]>::to_vec).collect::<Vec<_>>(), [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
        assert_eq!(coords.vector(1).collect::<Vec<_>>(), vectors[1]);
        coords.axes_mut().for_each(|axis| axis[0] += 10.0);
        coords.fill(1, 0.5);
        assert_eq!(coords.values(), [11.0, 0.5, 12.0, 0.5, 13.0, 0.5]);
        let [x, y] = coords.plane_mut();
        (x[1], y[1]) = (7.0, 8.0);
        assert_eq!(coords.vector(1).collect::<Vec<_>>(), [7.0, 8.0, 0.5]);
    }

    #[test]
    fn some_vectors_and_points() {
        let points = [Point::new(1.0, 2.0), Point::new(3.0, 4.0), Point::new(5.0, 6.0)];
        let mut coords = Coords::of_points(&points);
        coords.set_point(1, Point::new(-3.0, -4.0));
        let mut first = Coords::zeros(7, 9);
        first.copy_first(&coords, 2);
        assert_eq!(first.values(), [1.0, -3.0, 2.0, -4.0]);
        assert_eq!(coords.range(1..3).values(), [-3.0, 5.0, -4.0, 6.0]);
        first.copy_first(&coords, 5);
        assert_eq!((first.point(2), &first), (points[2], &coords));
        coords.copy_vector(1, &first, 0);
        assert_eq!(coords.point(1), points[0]);
        let mut copy = Coords::zeros(3, 4);
        copy.clone_from(&coords);
        assert_eq!(copy, coords);
    }

    #[test]
    fn there_may_be_no_vectors() {
        let mut none = Coords::zeros(3, 0);
        assert!(none.is_empty() && none.axes_mut().all(|axis| axis.is_empty()));
        assert_eq!(none.axes().map(<[f64]>::len).collect::<Vec<_>>(), [0, 0, 0]);
        none.resize(2, 1);
        assert_eq!(none.plane(), [[0.0], [0.0]]);
    }
}
