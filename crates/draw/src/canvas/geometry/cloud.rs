//! Image of counted draws: one colour, with an opacity that grows with the logarithm of the count.

use crate::geometry::Rgb;
use base::math::Grid;

/// Opacity of a cell with a single draw: a single draw must be visible (chosen by eye).
const FAINTEST: f64 = 0.22;

/// Counts below this have their opacity in a table.
const TABLE: usize = 1024;

/// RGBA bytes (not premultiplied), rows from the top. Cells without draws are transparent, a cell with `most` draws is
/// opaque; in between, opacity is linear in log(1 + count).
#[must_use]
pub fn cloud_image(counts: &[f64], grid: &Grid, colour: Rgb, most: f64) -> Vec<u8> {
    let scale = 1.0 / most.ln_1p();
    let mut table: Vec<Option<u8>> = vec![None; TABLE];
    let mut look_up = |count: f64| match index(count) {
        Some(index) => *table[index].get_or_insert_with(|| opacity(count, scale)),
        None => opacity(count, scale),
    };
    let mut bytes = vec![0; 4 * counts.len()];
    let rows = counts.chunks(grid.x.cells.max(1)).rev();
    for (row, pixels) in rows.zip(bytes.chunks_mut(4 * grid.x.cells.max(1))) {
        for (&count, pixel) in row.iter().zip(pixels.chunks_exact_mut(4)) {
            pixel.copy_from_slice(&[colour[0], colour[1], colour[2], if count > 0.0 { look_up(count) } else { 0 }]);
        }
    }
    bytes
}

/// The index of a count in the table; `None` for large counts and for those that are not whole.
#[expect(clippy::cast_sign_loss, reason = "only numbers below the table's length")]
fn index(count: f64) -> Option<usize> {
    let whole = count.fract() == 0.0 && (0.0..TABLE as f64).contains(&count);
    whole.then_some(count as usize)
}

#[expect(clippy::cast_sign_loss, reason = "an opacity is between 0 and 1")]
fn opacity(count: f64, scale: f64) -> u8 {
    let share = (count.ln_1p() * scale).clamp(0.0, 1.0);
    (255.0 * (FAINTEST + (1.0 - FAINTEST) * share)).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Bounds;

    #[test]
    fn empty_cells_are_clear_the_fullest_is_opaque_and_rows_start_at_the_top() {
        let grid = Grid::new(Bounds::new((0.0, 2.0), (0.0, 2.0)), 2, 2);
        let bytes = cloud_image(&[0.0, 1.0, 5.0, 100.0], &grid, [1, 2, 3], 100.0);
        let alphas: Vec<u8> = bytes.chunks(4).map(|pixel| pixel[3]).collect();
        assert_eq!(alphas[1], 255, "the fullest cell is the upper right one");
        assert_eq!(alphas[2], 0);
        assert!(alphas[3] < alphas[0] && alphas[0] < alphas[1]);
        assert!(bytes.chunks(4).all(|pixel| pixel[..3] == [1, 2, 3]));
    }

    #[test]
    fn no_draws_make_a_clear_picture() {
        let grid = Grid::new(Bounds::new((0.0, 1.0), (0.0, 1.0)), 3, 3);
        assert!(cloud_image(&[0.0; 9], &grid, [9; 3], 0.0).chunks(4).all(|pixel| pixel[3] == 0));
    }
}
