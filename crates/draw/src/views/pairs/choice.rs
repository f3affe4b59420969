//! The quantities of a pair plot, by their numbers.

use std::fmt::Write;

use engine::scenario::view::options::{MOST_QUANTITIES, quantities};

/// Quantities at most, and at least.
pub const MOST: usize = MOST_QUANTITIES;
const FEWEST: usize = 2;

/// Coordinates that are all shown at first; of more, the first ones and the last ones.
const ALL: usize = 5;
const FIRST: usize = 3;
const LAST: usize = 2;

/// Two to six different quantities, in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    numbers: [u8; MOST],
    count: usize,
}

impl Chosen {
    /// Of numbers from 0; `None` if there are too few or too many.
    fn of(numbers: impl IntoIterator<Item = usize>) -> Option<Self> {
        let mut all: Vec<u8> = numbers.into_iter().map(u8::try_from).collect::<Result<_, _>>().ok()?;
        all.sort_unstable();
        all.dedup();
        let is_allowed = (FEWEST..=MOST).contains(&all.len());
        let mut chosen = Self { numbers: [0; MOST], count: all.len() };
        is_allowed.then(|| {
            all.iter().zip(&mut chosen.numbers).for_each(|(number, to)| *to = *number);
            chosen
        })
    }

    /// Those of a file, which counts from 1: `1, 2, 5`.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        Self::of(quantities(text)?)
    }

    /// The same for a file.
    #[must_use]
    pub fn text(self) -> String {
        let mut text = String::new();
        for number in self.numbers() {
            let comma = if text.is_empty() { "" } else { ", " };
            // Writing to a text does not fail.
            write!(text, "{comma}{}", number + 1).ok();
        }
        text
    }

    /// Unless others are chosen: all coordinates, or the first and the last of many.
    #[must_use]
    pub fn usual(coordinates: usize) -> Self {
        let last = coordinates.saturating_sub(LAST);
        let shown = (0..coordinates).filter(|number| coordinates <= ALL || *number < FIRST || *number >= last);
        Self::of(shown).unwrap_or(Self { numbers: [0, 1, 0, 0, 0, 0], count: FEWEST })
    }

    /// Those of a target with so many quantities and coordinates: the usual ones where a number is beyond.
    #[must_use]
    pub fn within(chosen: Option<Self>, (quantities, coordinates): (usize, usize)) -> Self {
        let known = chosen.filter(|chosen| chosen.numbers().all(|number| number < quantities));
        known.unwrap_or_else(|| Self::usual(coordinates))
    }

    /// Their numbers, from 0.
    pub fn numbers(self) -> impl Iterator<Item = usize> + Clone {
        self.numbers.into_iter().take(self.count).map(usize::from)
    }

    /// With a quantity more, or without it; `None` if that is too few or too many.
    #[must_use]
    pub fn toggled(self, number: usize) -> Option<Self> {
        if self.numbers().any(|known| known == number) {
            Self::of(self.numbers().filter(|known| *known != number))
        } else {
            Self::of(self.numbers().chain([number]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_names_them_from_one() {
        let chosen = Chosen::of_text("5, 1,2 ").unwrap();
        assert_eq!((chosen.numbers().collect::<Vec<_>>(), chosen.text()), (vec![0, 1, 4], "1, 2, 5".to_owned()));
        for wrong in ["", "1", "0, 1", "1, 2, x", "1, 1", "1,2,3,4,5,6,7", "1, 300"] {
            assert_eq!(Chosen::of_text(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn unless_chosen_all_coordinates_are_shown_or_the_first_and_the_last() {
        let usual = |coordinates| Chosen::usual(coordinates).numbers().collect::<Vec<_>>();
        assert_eq!((usual(2), usual(5)), (vec![0, 1], vec![0, 1, 2, 3, 4]));
        assert_eq!(usual(10), [0, 1, 2, 8, 9]);
        assert_eq!(Chosen::within(Chosen::of_text("1, 9"), (4, 3)), Chosen::usual(3));
    }

    #[test]
    fn two_to_six_can_be_chosen() {
        let two = Chosen::usual(2);
        assert_eq!(two.toggled(0), None);
        assert_eq!(two.toggled(7).unwrap().toggled(7), Some(two));
        assert_eq!(Chosen::of_text("1,2,3,4,5,6").unwrap().toggled(8), None);
    }
}
