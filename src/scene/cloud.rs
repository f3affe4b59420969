//! Counted draws as a picture in one colour whose opacity grows with the logarithm of the count.

use crate::math::Grid;

use super::colormap::Rgb;

/// Opacity of a cell with a single draw: one draw must be seen (chosen by eye).
const FAINTEST: f64 = 0.22;

/// RGBA bytes (not premultiplied), rows from the top: cells without draws are transparent, the fullest is
/// opaque, and in between opacity is linear in log(1 + count).
#[must_use]
pub fn cloud_image(counts: &[f64], grid: &Grid, colour: Rgb) -> Vec<u8> {
    let largest = counts.iter().copied().fold(0.0, f64::max);
    let mut bytes = Vec::with_capacity(4 * counts.len());
    for row in counts.chunks(grid.x.cells.max(1)).rev() {
        for &count in row {
            bytes.extend([colour[0], colour[1], colour[2], opacity(count, largest)]);
        }
    }
    bytes
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an opacity is between 0 and 1")]
fn opacity(count: f64, largest: f64) -> u8 {
    if count <= 0.0 {
        return 0;
    }
    let share = count.ln_1p() / largest.ln_1p();
    (255.0 * (FAINTEST + (1.0 - FAINTEST) * share)).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Window;

    #[test]
    fn empty_is_clear_full_is_opaque_and_rows_are_turned_over() {
        let grid = Grid::new(Window::new((0.0, 2.0), (0.0, 2.0)), 2, 2);
        let bytes = cloud_image(&[0.0, 1.0, 5.0, 100.0], &grid, [1, 2, 3]);
        let alphas: Vec<u8> = bytes.chunks(4).map(|pixel| pixel[3]).collect();
        assert_eq!(alphas[1], 255, "the fullest cell is the upper right one");
        assert_eq!(alphas[2], 0);
        assert!(alphas[3] < alphas[0] && alphas[0] < alphas[1]);
        assert!(bytes.chunks(4).all(|pixel| pixel[..3] == [1, 2, 3]));
    }

    #[test]
    fn no_draws_make_a_clear_picture() {
        let grid = Grid::new(Window::new((0.0, 1.0), (0.0, 1.0)), 3, 3);
        assert!(cloud_image(&[0.0; 9], &grid, [9; 3]).chunks(4).all(|pixel| pixel[3] == 0));
    }
}
