//! A column of a sheet: what its cells are, which are missing, and which are mistakes.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::targets::data::cells::{flag_word, is_absent, is_absent_word};
use crate::targets::data::numbers::{DecimalMark, THOUSANDS, number};

/// Different words of a column at most that has levels.
const MOST_LEVELS: usize = 100;

/// Characters of words on average at most.
const LONGEST: usize = 40;

/// A column.
#[derive(Clone, Debug)]
pub struct SheetColumn {
    /// Its index from 0.
    pub index: usize,
    /// Its name in the first line.
    pub name: Option<String>,
    /// What targets call it: its name, or its number from 1; `None` if neither stands for it without doubt.
    pub reference: Option<String>,
    /// What its cells are.
    pub kind: ColumnKind,
    /// Different words, as they are spelt; 0 of a column of numbers.
    pub different_words: usize,
    /// Cells that are empty or have a word for a missing value.
    pub missing: usize,
    /// The line of the first of them.
    pub first_missing: Option<u64>,
    /// Cells that are no numbers in a column of numbers.
    pub faults: usize,
    /// The line of the first of them, and the cell.
    pub first_fault: Option<(u64, String)>,
    missing_rows: Vec<u32>,
}

impl SheetColumn {
    /// Its name, or column 3.
    #[must_use]
    pub fn title(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("column {}", self.index + 1))
    }

    /// The rows from 0 in which its cell is missing.
    #[must_use]
    pub fn missing_rows(&self) -> &[u32] {
        &self.missing_rows
    }
}

/// A word of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The word.
    pub word: String,
    /// How many cells have it.
    pub count: usize,
}

/// What the cells of a column are.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnKind {
    /// Numbers.
    Numbers {
        /// Whether all are whole.
        whole: bool,
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
        /// How many different ones there are.
        different: usize,
    },
    /// Two words for no and yes, in this order: 0 and 1, False and True, no and yes.
    YesNo([Level; 2]),
    /// Words, in the order in which they come.
    Words(Vec<Level>),
    /// Texts: long, or nearly all different.
    Text {
        /// How many different ones there are.
        different: usize,
        /// Characters of the longest.
        longest: usize,
    },
    /// No cell has anything.
    Empty,
}

/// A column while its cells are read.
pub(super) struct Scan {
    mark: DecimalMark,
    /// Whether it is a column of numbers.
    is_of_numbers: bool,
    pub(super) has_thousands: bool,
    /// Cells that are there.
    count: usize,
    missing: Vec<u32>,
    first_missing: Option<u64>,
    faults: usize,
    first_fault: Option<(u64, String)>,
    whole: bool,
    range: (f64, f64),
    numbers: FxHashSet<u64>,
    ones: usize,
    words: FxHashMap<String, usize>,
    levels: Vec<Level>,
    characters: usize,
    longest: usize,
}

impl Scan {
    pub(super) fn new(mark: DecimalMark, is_of_numbers: bool) -> Self {
        Self {
            mark,
            is_of_numbers,
            has_thousands: false,
            count: 0,
            missing: Vec::new(),
            first_missing: None,
            faults: 0,
            first_fault: None,
            whole: true,
            range: (f64::INFINITY, f64::NEG_INFINITY),
            numbers: FxHashSet::default(),
            ones: 0,
            words: FxHashMap::default(),
            levels: Vec::new(),
            characters: 0,
            longest: 0,
        }
    }

    pub(super) fn take(&mut self, cell: &str, row: usize, line: u64) {
        if if self.is_of_numbers { is_absent(cell) } else { is_absent_word(cell) } {
            self.missing.push(u32::try_from(row).unwrap_or(u32::MAX));
            self.first_missing.get_or_insert(line);
            return;
        }
        self.count += 1;
        if !self.is_of_numbers {
            self.take_word(cell);
            return;
        }
        match number(cell, self.mark).filter(|number| number.is_finite()) {
            Some(number) => {
                let other = if self.mark == DecimalMark::Point { ',' } else { '.' };
                self.has_thousands |= cell.contains(other) || cell.contains(THOUSANDS);
                self.whole &= number.fract().abs() <= 0.0;
                self.range = (self.range.0.min(number), self.range.1.max(number));
                self.ones += usize::from((number - 1.0).abs() <= 0.0);
                self.numbers.insert((number + 0.0).to_bits());
            }
            None => {
                self.faults += 1;
                self.first_fault.get_or_insert_with(|| (line, cell.to_owned()));
            }
        }
    }

    fn take_word(&mut self, cell: &str) {
        let length = cell.chars().count();
        (self.characters, self.longest) = (self.characters + length, self.longest.max(length));
        if let Some(known) = self.words.get(cell) {
            if let Some(level) = self.levels.get_mut(*known) {
                level.count += 1;
            }
            return;
        }
        self.words.insert(cell.to_owned(), self.words.len());
        if self.levels.len() <= MOST_LEVELS {
            self.levels.push(Level { word: cell.to_owned(), count: 1 });
        }
    }

    pub(super) fn finish(self, index: usize, name: Option<String>, reference: Option<String>) -> SheetColumn {
        SheetColumn {
            index,
            name,
            reference,
            kind: self.kind(),
            different_words: self.words.len(),
            missing: self.missing.len(),
            first_missing: self.first_missing,
            faults: self.faults,
            first_fault: self.first_fault,
            missing_rows: self.missing,
        }
    }

    fn kind(&self) -> ColumnKind {
        if self.count == 0 {
            return ColumnKind::Empty;
        }
        if self.is_of_numbers {
            let (low, high) = self.range;
            let has = |number: f64| self.numbers.contains(&number.to_bits());
            if self.numbers.len() == 2 && has(0.0) && has(1.0) {
                let level = |word: &str, count| Level { word: word.to_owned(), count };
                return ColumnKind::YesNo([level("0", self.count - self.faults - self.ones), level("1", self.ones)]);
            }
            return ColumnKind::Numbers { whole: self.whole, low, high, different: self.numbers.len() };
        }
        if let Some(both) = self.flags() {
            return ColumnKind::YesNo(both);
        }
        let different = self.words.len();
        let is_text = different > MOST_LEVELS
            || self.characters > LONGEST * self.count
            || self.count > 2 && 5 * different > 4 * self.count;
        match is_text {
            true => ColumnKind::Text { different, longest: self.longest },
            false => ColumnKind::Words(self.levels.clone()),
        }
    }

    /// The words for no and yes, if there are no others.
    fn flags(&self) -> Option<[Level; 2]> {
        let mut both = [const { None::<Level> }; 2];
        for level in &self.levels {
            let one = flag_word(&level.word)?;
            let known = both[usize::from(one)].get_or_insert_with(|| Level { word: level.word.clone(), count: 0 });
            known.count += level.count;
        }
        let [no, yes] = both;
        no.zip(yes).map(|(no, yes)| [no, yes])
    }
}
