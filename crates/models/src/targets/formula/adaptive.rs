//! Adaptive integration of several functions over an interval, with upper bounds that say whether anything was missed.
//!
//! An interval is cut into parts, and a part is halved until the Gauss–Kronrod rule with 15 nodes agrees with that with 7 of
//! them (Piessens and others 1983, *QUADPACK*), and until the polynomial through the nodes agrees with the function at both ends: a
//! kink beside an end lies beyond the last node. Nodes do not see what is narrow and lies between them. So each part also has
//! to be confirmed: an upper bound of the function over pieces of it may not be far above what its nodes show. Where it
//! is, the part is halved further, which finds what is there.

use rayon::prelude::*;

/// Nodes of a part: those of the rule and both ends.
pub(super) const NODES: usize = 17;

/// Nodes on [−1, 1] from the middle, with the weights of the rule with 15 nodes and of that with 7.
const RULE: [(f64, f64, f64); 9] = [
    (0.0, 0.209_482_141_084_727_83, 0.417_959_183_673_469_4),
    (0.207_784_955_007_898_47, 0.204_432_940_075_298_9, 0.0),
    (0.405_845_151_377_397_2, 0.190_350_578_064_785_4, 0.381_830_050_505_118_9),
    (0.586_087_235_467_691_1, 0.169_004_726_639_267_9, 0.0),
    (0.741_531_185_599_394_4, 0.140_653_259_715_525_92, 0.279_705_391_489_276_64),
    (0.864_864_423_359_769_1, 0.104_790_010_322_250_18, 0.0),
    (0.949_107_912_342_758_5, 0.063_092_092_629_978_55, 0.129_484_966_168_869_7),
    (0.991_455_371_120_812_6, 0.022_935_322_010_529_224, 0.0),
    (1.0, 0.0, 0.0),
];

/// The value at 1 of the polynomial through the 15 nodes, from the values there.
const AT_END: [f64; NODES - 2] = [
    0.006_238_528_645_340_31,
    -0.018_451_577_046_963_52,
    0.030_438_309_530_368_056,
    -0.043_250_815_978_174_17,
    0.057_719_118_618_911_71,
    -0.073_778_979_644_262_77,
    0.091_687_296_848_571_34,
    -0.112_929_172_918_981_94,
    0.139_783_431_782_908_96,
    -0.174_570_351_562_242_08,
    0.221_175_970_224_893_8,
    -0.291_418_695_919_991_8,
    0.420_047_199_720_884_7,
    -0.706_673_993_404_576_6,
    1.453_983_731_103_314,
];

/// The distance of the last node from an end.
const BESIDE_END: f64 = 1.0 - RULE[7].0;

/// Values from here on are those beside a pole, where no polynomial is right.
const POLE: f64 = 1e100;

/// Length of a part, as a share of the distance from 0 or of 1, that is not halved any more.
const SHORTEST: f64 = 1e-13;

/// Parts whose bounds are made at a time.
const AT_ONCE: usize = 16;

/// A bound this many times above what nodes around show is no confirmation.
const ABOVE: f64 = 4.0;

/// Errors of values, in which those of a part may be.
const NOISES: f64 = 4.0;

/// Functions of one variable, the first of which is a mass: not negative.
pub(super) trait Integrand: Sync {
    /// How many functions.
    fn count(&self) -> usize;

    /// Their values at points, one point after the other.
    fn values(&self, at: &[f64]) -> Vec<f64>;

    /// How much mass over an interval counts, for moments: at least 1.
    fn weight(&self, _over: [f64; 2]) -> f64 {
        1.0
    }

    /// An upper bound of the first function over an interval; below `enough` it need not be the lowest.
    fn bound(&self, over: [f64; 2], enough: f64) -> f64;

    /// The effort that was made so far.
    fn effort(&self) -> usize {
        0
    }
}

/// How carefully to integrate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Care<'a> {
    /// The functions whose errors count, with the error of a part that always is small enough.
    pub(super) controlled: &'a [(usize, f64)],
    /// The error of a part, as a share of the whole, that is small enough.
    pub(super) share: f64,
    /// The function that is the error of the first: parts are not halved for less.
    pub(super) noise: Option<usize>,
    /// Parts at most.
    pub(super) most: usize,
    /// A mass that may be missed, and the same as a share of the whole; 0 and infinite for no confirmation.
    pub(super) missed: [f64; 2],
    /// How often a part is cut for bounds alone.
    pub(super) cuts: u32,
    /// How many parts are halved in vain, for higher values that do not appear.
    pub(super) patience: usize,
    /// Whether values take long: then bounds come first.
    pub(super) slow: bool,
    /// The effort from which on nothing more is tried.
    pub(super) effort: usize,
}

/// A part of the interval.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub(super) from: f64,
    pub(super) to: f64,
    /// The integrals.
    pub(super) sums: Vec<f64>,
    errors: Vec<f64>,
    /// The first function at the nodes.
    pub(super) mass: [f64; NODES],
    /// An upper bound of the first function, of which none is known if it is infinite.
    ceiling: f64,
    /// Whether it confirms what nodes show.
    confirmed: bool,
}

/// What bounds over pieces of a part say.
#[derive(Clone, Copy, Debug, Default)]
struct Beyond {
    /// How much mass there might be in a piece where the bound is far above what nodes show; 0 if there is none.
    mass: f64,
    /// The same in a piece where there is no bound, as beside a pole.
    poles: f64,
    /// The largest bound that is not.
    ceiling: f64,
}

impl Beyond {
    /// The upper bound for the part as a whole, if what nodes show is confirmed.
    fn confirmed(&self) -> Option<f64> {
        (self.mass + self.poles <= 0.0).then_some(self.ceiling)
    }
}

/// The result.
#[derive(Clone, Debug)]
pub(super) struct Integrated {
    /// In ascending order.
    pub(super) parts: Vec<Panel>,
    pub(super) sums: Vec<f64>,
    /// Estimates of errors, on the high side.
    pub(super) errors: Vec<f64>,
    /// An upper bound of what bounds cannot exclude, besides what was found.
    pub(super) hidden: f64,
}

impl Integrated {
    /// The integrals of multiples of the functions.
    pub(super) fn times(&self, factor: f64) -> Self {
        let mut all = self.clone();
        for part in &mut all.parts {
            part.ceiling *= factor;
            part.sums.iter_mut().chain(&mut part.errors).chain(&mut part.mass).for_each(|number| *number *= factor);
        }
        all.sums.iter_mut().chain(&mut all.errors).chain([&mut all.hidden]).for_each(|number| *number *= factor);
        all
    }
}

/// The nodes of a part, in ascending order.
pub(super) fn nodes(from: f64, to: f64) -> [f64; NODES] {
    let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
    std::array::from_fn(|index| {
        let node = RULE[index.abs_diff(NODES / 2)].0;
        middle + if index < NODES / 2 { -half * node } else { half * node }
    })
}

/// The integrals from the first to the last of `breaks`, which are in ascending order.
pub(super) fn integrate(of: &impl Integrand, breaks: &[f64], care: Care<'_>) -> Integrated {
    let intervals: Vec<[f64; 2]> =
        breaks.windows(2).map(|ends| [ends[0], ends[1]]).filter(|ends| ends[0] < ends[1]).collect();
    let ceiling = if care.missed[1].is_infinite() { 0.0 } else { f64::INFINITY };
    let mut parts = made(of, &intervals, &vec![ceiling; intervals.len()], 0.0, care);
    let mut patience = care.patience;
    let mut hidden;
    loop {
        let sums = totals(&parts, of.count());
        let is_open = |part: &Panel| {
            let noise = care.noise.map_or(0.0, |noise| NOISES * part.sums[noise] / part.sums[0].max(f64::MIN_POSITIVE));
            let large = |&(index, floor): &(usize, f64)| {
                let size = sums[index].abs();
                part.errors[index] > floor.max(care.share * size).max(noise * part.sums[index].abs())
            };
            !part.is_last() && care.controlled.iter().any(large)
        };
        let mut open: Vec<bool> = parts.iter().map(is_open).collect();
        let is_accurate = !open.contains(&true);
        let is_full = |open: &[bool]| parts_after(open) > care.most;
        hidden = 0.0;
        if is_accurate || is_full(&open) {
            let missed = care.missed[0].max(care.missed[1] * sums[0]);
            let beyond = beyond(of, &parts, missed, care);
            for ((part, open), beyond) in parts.iter_mut().zip(&mut open).zip(beyond) {
                part.confirmed = beyond.confirmed().is_some();
                part.ceiling = part.ceiling.min(beyond.confirmed().unwrap_or(f64::INFINITY));
                hidden += beyond.mass + beyond.poles;
                // Beside a pole no part has a bound.
                *open |= beyond.mass > 0.0 && !part.is_last() && patience > 0;
            }
        }
        if !open.contains(&true) || is_full(&open) || of.effort() >= care.effort {
            break;
        }
        let halved = open.iter().filter(|open| **open).count();
        let missed = care.missed[0].max(care.missed[1] * sums[0]);
        let (mut kept, mut highest) = (Vec::with_capacity(parts.len() + halved), 0.0_f64);
        let (mut halves, mut ceilings) = (Vec::with_capacity(2 * halved), Vec::with_capacity(2 * halved));
        for (part, open) in parts.into_iter().zip(open) {
            if open {
                let middle = 0.5 * (part.from + part.to);
                halves.extend([[part.from, middle], [middle, part.to]]);
                // A bound of a part is one of its halves, which may not show what confirmed it: a node of the part need not be one of theirs.
                let found = if part.confirmed || is_accurate {
                    None
                } else {
                    part.beyond(of, missed, 0, care.slow).confirmed()
                };
                ceilings.extend([found.unwrap_or(part.ceiling); 2]);
                highest = highest.max(part.highest());
            } else {
                kept.push(part);
            }
        }
        let found = made(of, &halves, &ceilings, missed, care);
        if is_accurate {
            let higher = found.iter().any(|part| part.highest() > 2.0 * highest);
            patience = if higher { care.patience } else { patience.saturating_sub(halved) };
        }
        kept.extend(found);
        kept.sort_by(|one, other| one.from.total_cmp(&other.from));
        parts = kept;
    }
    let mut errors = vec![0.0; of.count()];
    for part in &parts {
        errors.iter_mut().zip(&part.errors).for_each(|(sum, error)| *sum += error);
    }
    Integrated { sums: totals(&parts, of.count()), errors, parts, hidden }
}

/// How many parts there are once the open ones are halved.
fn parts_after(open: &[bool]) -> usize {
    open.len() + open.iter().filter(|open| **open).count()
}

/// What may be hidden in each part.
fn beyond(of: &impl Integrand, parts: &[Panel], missed: f64, care: Care<'_>) -> Vec<Beyond> {
    let of_part = |part: &Panel| {
        let known = Beyond { ceiling: part.ceiling, ..Beyond::default() };
        if part.confirmed { known } else { part.beyond(of, missed, care.cuts, care.slow) }
    };
    if !care.slow {
        return parts.iter().map(of_part).collect();
    }
    let mut all = Vec::with_capacity(parts.len());
    for some in parts.chunks(AT_ONCE) {
        if of.effort() < care.effort {
            all.par_extend(some.par_iter().map(of_part));
        } else {
            // As if there was no bound.
            all.resize(all.len() + some.len(), Beyond { mass: POLE, ..Beyond::default() });
        }
    }
    all
}

fn totals(parts: &[Panel], count: usize) -> Vec<f64> {
    let mut sums = vec![0.0; count];
    for part in parts {
        sums.iter_mut().zip(&part.sums).for_each(|(sum, of_part)| *sum += of_part);
    }
    sums
}

/// The parts of these intervals, with upper bounds that are known.
fn made(of: &impl Integrand, intervals: &[[f64; 2]], ceilings: &[f64], missed: f64, care: Care<'_>) -> Vec<Panel> {
    let is_empty = |&[from, to]: &[f64; 2]| {
        let enough = care.missed[0] / ((to - from) * of.weight([from, to]));
        of.bound([from, to], enough) <= enough
    };
    let empty: Vec<bool> =
        if care.slow { intervals.par_iter().map(is_empty).collect() } else { vec![false; intervals.len()] };
    let points: Vec<f64> = intervals
        .iter()
        .zip(&empty)
        .filter(|(_, empty)| !**empty)
        .flat_map(|(interval, _)| nodes(interval[0], interval[1]))
        .collect();
    let values = of.values(&points);
    let mut values = values.chunks_exact(NODES * of.count());
    let part = |((interval, empty), ceiling): ((&[f64; 2], &bool), &f64)| {
        let values = if *empty { None } else { values.next() };
        values.map_or_else(
            || Panel::nothing(*interval, of.count()),
            |values| Panel::of(*interval, values, of.count()).below(*ceiling, missed),
        )
    };
    intervals.iter().zip(&empty).zip(ceilings).map(part).collect()
}

impl Panel {
    fn nothing([from, to]: [f64; 2], count: usize) -> Self {
        let zeros = vec![0.0; count];
        Self { from, to, sums: zeros.clone(), errors: zeros, mass: [0.0; NODES], ceiling: 0.0, confirmed: true }
    }

    fn of([from, to]: [f64; 2], values: &[f64], count: usize) -> Self {
        let half = 0.5 * (to - from);
        let (mut sums, mut errors, mut mass) = (vec![0.0; count], vec![0.0; count], [0.0; NODES]);
        for index in 0..count {
            let value = |node: usize| values[node * count + index];
            let (mut fine, mut coarse) = (0.0, 0.0);
            for node in 0..NODES {
                let (_, of_fine, of_coarse) = RULE[node.abs_diff(NODES / 2)];
                fine += of_fine * value(node);
                coarse += of_coarse * value(node);
            }
            let ends = [value(0), value(NODES - 1)];
            let found = AT_END.iter().enumerate().fold([0.0; 2], |[first, last], (node, weight)| {
                [first + weight * value(NODES - 2 - node), last + weight * value(node + 1)]
            });
            let off_at_ends: f64 = ends.iter().zip(found).map(|(end, found)| (end - found).abs()).sum();
            let beside = if off_at_ends < POLE { BESIDE_END * off_at_ends } else { 0.0 };
            let mean = 0.5 * fine;
            let spread: f64 =
                (0..NODES).map(|node| RULE[node.abs_diff(NODES / 2)].1 * (value(node) - mean).abs()).sum();
            let off = (fine - coarse).abs();
            let share = 200.0 * off / spread;
            // The estimate of QUADPACK.
            let within = if spread > 0.0 { spread * (share * share.sqrt()).min(1.0) } else { off };
            errors[index] = half * (within + beside);
            sums[index] = half * fine;
        }
        mass.iter_mut().enumerate().for_each(|(node, mass)| *mass = values[node * count]);
        Self { from, to, sums, errors, mass, ceiling: f64::INFINITY, confirmed: false }
    }

    /// With an upper bound, which may confirm what nodes show but for so much mass.
    fn below(mut self, ceiling: f64, missed: f64) -> Self {
        self.ceiling = ceiling;
        self.confirmed = ceiling <= (ABOVE * self.highest()).max(missed / (self.to - self.from));
        self
    }

    /// Whether it is not halved any more.
    fn is_last(&self) -> bool {
        self.to - self.from <= SHORTEST * self.from.abs().max(1.0)
    }

    fn highest(&self) -> f64 {
        self.mass.iter().copied().fold(0.0, f64::max)
    }

    /// The largest value of the mass at nodes in and next to an interval.
    fn shown(&self, [from, to]: [f64; 2]) -> f64 {
        let ascending = nodes(self.from, self.to);
        let first = ascending.partition_point(|node| *node <= from).saturating_sub(1);
        let last = ascending.partition_point(|node| *node < to).min(NODES - 1);
        self.mass[first..=last].iter().copied().fold(0.0, f64::max)
    }

    /// What bounds over pieces say, which are cut so often at most.
    fn beyond(&self, of: &impl Integrand, missed: f64, cuts: u32, slow: bool) -> Beyond {
        let mut found = Beyond::default();
        if self.is_last() {
            return found;
        }
        let mut pieces = vec![([self.from, self.to], 0)];
        while let Some(([from, to], cut)) = pieces.pop() {
            let enough = (ABOVE * self.shown([from, to])).max(missed / (self.to - self.from));
            let bound = of.bound([from, to], enough);
            if bound <= enough {
                found.ceiling = found.ceiling.max(bound);
                continue;
            }
            // Beside a pole no cut gives a bound: where bounds take long, none is tried.
            if cut == cuts || slow && bound >= POLE {
                let beyond = (bound * (to - from)).max(missed);
                if bound < POLE {
                    return Beyond { mass: beyond, ..found };
                }
                found.poles = found.poles.max(beyond);
                continue;
            }
            let middle = 0.5 * (from + to);
            pieces.extend([([from, middle], cut + 1), ([middle, to], cut + 1)]);
        }
        found
    }
}
