//! Coordinates with numbers, `x[1]` to `x[d]`: how many there are, and what i goes over in sums.
//!
//! A formula is in `x[1]` … `x[d]` where a number stands in brackets behind x, or where a line `d = 10` says how many there are. Then `x[i]` in a
//! sum is a coordinate; elsewhere it is the column x of the data.

use std::ops::{Range, RangeInclusive};

use super::FormulaError;
use super::elements::{Element, MOST};
use super::tokens::{SpannedToken, Token};

/// The name of the number of coordinates in a line of its own.
pub(super) const COUNT: &str = "d";

/// What i goes over in a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// The rows of data.
    Rows,
    /// The coordinates: all i for which there are `x[i + k]`, of the least and the largest k.
    Coordinates([i32; 2]),
}

/// What is known of the coordinates with numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numbered {
    /// d as a line says it, and where.
    stated: Option<(usize, Range<usize>)>,
    /// The largest number and where it is; the first `x[i]` of a formula without any.
    largest: (usize, Range<usize>),
    /// Sums with `x[i + k]` in them: where they are, the least and the largest k, and whether i goes over rows of data.
    pub(super) sums: Vec<(Range<usize>, [i32; 2], bool)>,
}

impl Numbered {
    /// What the words of a formula say; `None` without coordinates with numbers.
    pub(super) fn of(tokens: &[SpannedToken]) -> Result<Option<Self>, FormulaError> {
        let elements = || {
            tokens.iter().filter_map(|(token, at)| match token {
                Token::Element(element) => Some((*element, at)),
                _ => None,
            })
        };
        let Some((_, first)) = elements().next() else { return Ok(None) };
        let numbers = elements().filter_map(|(element, at)| match element {
            Element::Number(number) => Some((number + 1, at.clone())),
            Element::Shifted(_) => None,
        });
        // The first of those with the largest number.
        let largest = numbers.fold((0, first.clone()), |best, next| if next.0 > best.0 { next } else { best });
        let stated = stated(tokens);
        let is_shifted = elements().any(|(element, _)| matches!(element, Element::Shifted(shift) if shift != 0));
        if largest.0 == 0 && stated.is_none() && !is_shifted {
            return Ok(None);
        }
        let Some((value, at)) = stated else { return Ok(Some(Self { stated: None, largest, sums: Vec::new() })) };
        let is_count = value.fract() == 0.0 && (2.0..=MOST as f64).contains(&value);
        if !is_count {
            let problem = format!("d = {value} is no number of coordinates");
            return Err(FormulaError::new(at, problem, format!("a whole number from 2 to {MOST}")));
        }
        let count = (2..MOST).find(|count| *count as f64 >= value).unwrap_or(MOST);
        if largest.0 > count {
            let problem = format!("x[{}] is beyond d = {count}", largest.0);
            return Err(FormulaError::new(largest.1, problem, format!("x[1] to x[{count}], or a larger d")));
        }
        Ok(Some(Self { stated: Some((count, at)), largest, sums: Vec::new() }))
    }

    /// d, with so many rows of data.
    ///
    /// # Errors
    /// If there are too few or too many, or a sum has coordinates that there are not.
    pub(super) fn dimension(&self, rows: usize) -> Result<usize, FormulaError> {
        let last = |shift: i32| rows as i64 + i64::from(shift);
        let of_rows = self.sums.iter().filter(|(.., over_rows)| *over_rows);
        let reached = of_rows.clone().map(|(at, [_, shift], _)| (last(*shift), at)).max_by_key(|(last, _)| *last);
        if let Some((at, [low, _], _)) = of_rows.clone().find(|(_, [low, _], _)| *low < 0) {
            let problem = format!("in the first row of the data x[i{low}] is x[{}]", 1 + low);
            return Err(FormulaError::new(at.clone(), problem, "coordinates from x[1] on: x[i], or x[i+1]"));
        }
        let stated = self.stated.as_ref().map(|(count, _)| *count);
        let most = stated.unwrap_or(MOST);
        if let Some((last, at)) = reached.filter(|(last, _)| *last > most as i64) {
            let problem =
                format!("in row {rows} of the data this is x[{last}], and there are {most} coordinates at most");
            let allowed = if stated.is_some() { "a larger d, or fewer rows" } else { "fewer rows" };
            return Err(FormulaError::new(at.clone(), problem, allowed));
        }
        let reached = reached.map_or(0, |(last, _)| usize::try_from(last).unwrap_or(0));
        let count = stated.unwrap_or(self.largest.0.max(reached));
        if self.largest.0 == 0 && stated.is_none() && reached == 0 {
            let allowed = "a line d = 10 for x[1] to x[10], or a number in brackets somewhere: x[10]";
            return Err(FormulaError::new(
                self.largest.1.clone(),
                "it is not said how many coordinates there are",
                allowed,
            ));
        }
        if count < 2 {
            let allowed = "x without a number for a density on the line; x[1] and x[2], or more";
            return Err(FormulaError::new(self.largest.1.clone(), "x[1] is the only coordinate", allowed));
        }
        let empty = self.sums.iter().find(|(_, shifts, over_rows)| !over_rows && numbers(*shifts, count).is_empty());
        if let Some((at, ..)) = empty {
            let problem = format!("the sum has no i: with {count} coordinates not all of its x are there for any");
            return Err(FormulaError::new(at.clone(), problem, "more coordinates: a line d = 10, or a larger number"));
        }
        Ok(count)
    }

    /// Where the largest number is.
    pub(super) fn place(&self) -> Range<usize> {
        self.stated.as_ref().map_or(&self.largest.1, |(_, at)| at).clone()
    }
}

/// The number behind `d =` at the beginning of a line, and where it is.
fn stated(tokens: &[SpannedToken]) -> Option<(f64, Range<usize>)> {
    let is_break = |token: Option<&SpannedToken>| token.is_none_or(|(token, _)| *token == Token::Break);
    tokens.windows(3).enumerate().find_map(|(place, words)| {
        let [(Token::Name(name), from), (Token::Sign('='), _), (Token::Number(number), to)] = words else {
            return None;
        };
        let before = place.checked_sub(1).and_then(|before| tokens.get(before));
        let stands_alone = is_break(before) && is_break(tokens.get(place + 3));
        (name == COUNT && stands_alone).then_some((*number, from.start..to.end))
    })
}

/// The i, from 0, for which all coordinates with these shifts are there, of so many.
pub(super) fn numbers([low, high]: [i32; 2], count: usize) -> RangeInclusive<i32> {
    let last = count as i32 - 1;
    (-low).max(0)..=(last - high).min(last)
}
