//! Grids of small pictures that fill an area.

/// The number of columns of a grid of `count` cells in an area of some width and height in which a cell is worth most;
/// `worth` says what a cell of a width and height is worth. Of equally good grids the one with fewer columns.
#[must_use]
pub fn columns(count: usize, [width, height]: [f32; 2], worth: impl Fn([f32; 2]) -> f32) -> usize {
    let mut best = (f32::NEG_INFINITY, 1);
    for columns in 1..=count.max(1) {
        let rows = count.max(1).div_ceil(columns);
        let found = worth([width / columns as f32, height / rows as f32]);
        if found > best.0 {
            best = (found, columns);
        }
    }
    best.1
}
