//! Visits of chains to modes, counted while the chains run: how often a chain goes from one mode to another.
//!
//! A switch is a draw whose nearest mode is not that of the draw before it of the same chain. Draws that are not finite
//! (of chains that have diverged) belong to no mode and end no visit. Every collected draw is seen, whatever the number
//! of draws; what is kept is one mode for every chain.

/// Instead of a mode: not a draw.
pub(super) const NOT_A_DRAW: u16 = u16::MAX;

/// The modes in which chains are, and how often they have changed them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Visits {
    /// The mode of the last draw of each chain; [`NOT_A_DRAW`] before the first.
    last: Vec<u16>,
    /// The chain of the next draw.
    next: usize,
    /// Whether every chain has a draw.
    begun: bool,
    switches: u64,
}

impl Visits {
    /// Follows so many chains: a row of draws has one of each. Other chains than before have no draws yet.
    pub fn follow(&mut self, chains: usize) {
        if self.last.len() != chains {
            *self = Self { last: vec![NOT_A_DRAW; chains], ..Self::default() };
        }
    }

    /// Adds draws by their modes: those of the chains in turn, row after row, where the last call ended. `finite` says
    /// that all of them are draws.
    #[inline(always)]
    pub fn add(&mut self, modes: &[u16], finite: bool) {
        if self.last.is_empty() {
            return;
        }
        if !(finite && self.begun) {
            return self.add_one_by_one(modes);
        }
        if let [last] = &mut self.last[..] {
            // A single chain is compared with itself.
            let Some((&first, &end)) = modes.first().zip(modes.last()) else { return };
            let within: u16 = modes[1..].iter().zip(modes).map(|(next, one)| u16::from(next != one)).sum();
            self.switches += u64::from(within) + u64::from(*last != first);
            *last = end;
            return;
        }
        let mut modes = modes;
        while !modes.is_empty() {
            let chains = &mut self.last[self.next..];
            let (row, rest) = modes.split_at(chains.len().min(modes.len()));
            let changed: u16 = chains.iter().zip(row).map(|(last, mode)| u16::from(last != mode)).sum();
            chains[..row.len()].copy_from_slice(row);
            self.switches += u64::from(changed);
            self.next = (self.next + row.len()) % self.last.len();
            modes = rest;
        }
    }

    /// The same while chains have no draw yet, and after some have diverged.
    #[cold]
    fn add_one_by_one(&mut self, modes: &[u16]) {
        for &mode in modes {
            let last = &mut self.last[self.next];
            if mode != NOT_A_DRAW {
                self.switches += u64::from(*last != mode && *last != NOT_A_DRAW);
                *last = mode;
            }
            self.next = (self.next + 1) % self.last.len();
        }
        self.begun = !self.last.contains(&NOT_A_DRAW);
    }

    /// Number of switches.
    pub fn switches(&self) -> u64 {
        self.switches
    }

    /// Number of visits: every chain with draws has one more than switches.
    pub fn visits(&self) -> u64 {
        self.switches + self.last.iter().filter(|&&mode| mode != NOT_A_DRAW).count() as u64
    }

    /// Adds the visits of other chains.
    pub fn merge(&mut self, other: &Self) {
        self.last.extend(&other.last);
        self.switches += other.switches;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Modes of draws by rows; every fifth is not a draw.
    fn modes(count: u16) -> Vec<u16> {
        (0..count).map(|i| if i % 5 == 3 { NOT_A_DRAW } else { i % 97 * (i % 89) % 7 / 2 }).collect()
    }

    fn one_by_one(chains: usize, modes: &[u16]) -> (u64, u64) {
        let chain = |chain: usize| -> Vec<u16> {
            let all = modes.iter().skip(chain).step_by(chains);
            all.copied().filter(|&mode| mode != NOT_A_DRAW).collect()
        };
        let switches = |modes: &Vec<u16>| modes.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        let all: Vec<_> = (0..chains).map(chain).collect();
        let switched: u64 = all.iter().map(switches).sum();
        (switched, switched + all.iter().filter(|modes| !modes.is_empty()).count() as u64)
    }

    #[test]
    fn switches_are_those_of_each_chain_however_rows_are_cut() {
        let modes = modes(1260);
        for chains in [1, 2, 3, 9, 20] {
            for cut in [1, 4, 7, 256, 1260] {
                let mut visits = Visits::default();
                visits.follow(chains);
                let finite = |part: &[u16]| !part.contains(&NOT_A_DRAW);
                modes.chunks(cut).for_each(|part| visits.add(part, finite(part)));
                assert_eq!((visits.switches(), visits.visits()), one_by_one(chains, &modes), "{chains} chains, {cut}");
            }
        }
    }

    #[test]
    fn draws_without_gaps_take_the_short_way_to_the_same_count() {
        let modes: Vec<u16> = modes(1000).into_iter().filter(|&mode| mode != NOT_A_DRAW).collect();
        for chains in [1, 4, 7, 300] {
            let modes = &modes[..modes.len() / chains * chains];
            let mut visits = Visits::default();
            visits.follow(chains);
            modes.chunks(256).for_each(|part| visits.add(part, true));
            assert_eq!((visits.switches(), visits.visits()), one_by_one(chains, modes), "{chains} chains");
            assert!(visits.begun && visits.switches() > 100);
        }
    }

    #[test]
    fn other_chains_add_their_visits() {
        let [mut one, mut other] = [[1, 2, 2], [1, 1, NOT_A_DRAW]].map(|modes| {
            let mut visits = Visits::default();
            visits.follow(1);
            visits.add(&modes, false);
            visits
        });
        one.merge(&other);
        assert_eq!((one.switches(), one.visits()), (1, 3));
        other.follow(2);
        assert_eq!((other.switches(), other.visits()), (0, 0), "other chains have no draws yet");
    }
}
