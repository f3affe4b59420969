//! Shard: a share of the cells of a sweep, for one of several machines.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// Most shards of a sweep.
const MOST: usize = 10_000;

/// Share number `number`, from 1, of `of`: every `of`-th cell, so that long and short cells are spread over all shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// Whether a cell belongs to it.
    pub fn has(self, cell: usize) -> bool {
        cell % self.of == self.number - 1
    }
}

impl Display for Shard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let whole = |part: &str| part.parse::<usize>().ok();
        let parts = text.split_once('/').and_then(|(number, of)| Some((whole(number)?, whole(of)?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) && of <= MOST => Ok(Self { number, of }),
            _ => Err(format!("allowed: I/N with I from 1 to N, and N at most {MOST}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_in_one_shard() {
        for cell in 0..20 {
            let having = (1..=7).filter(|number| Shard { number: *number, of: 7 }.has(cell)).count();
            assert_eq!(having, 1);
        }
    }

    #[test]
    fn shards_are_written_with_a_slash() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        assert_eq!(Shard { number: 2, of: 3 }.to_string(), "2-of-3");
        for wrong in ["", "2", "0/3", "4/3", "1/0", "-1/3", "1/10001", "1/2/3", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
