//! Found topics beside true ones: distances, the best order, and bars found.

use super::Topics;
use base::math::assign;
use base::math::elementary::ln;

/// Share of a topic on the pixels of a bar from which on the bar counts as found.
const FOUND: f64 = 0.8;

/// The Hellinger distance √(1 − Σ √(p r)) of two distributions, from 0 to 1.
pub fn hellinger(p: impl Iterator<Item = f64>, r: impl Iterator<Item = f64>) -> f64 {
    let affinity: f64 = p.zip(r).map(|(p, r)| (p * r).sqrt()).sum();
    (1.0 - affinity).max(0.0).sqrt()
}

/// The Kullback–Leibler divergence Σ p ln(p/r); infinite where r is 0 and p is not.
pub fn divergence(p: impl Iterator<Item = f64>, r: impl Iterator<Item = f64>) -> f64 {
    p.zip(r).map(|(p, r)| if p > 0.0 { p * ln(p / r) } else { 0.0 }).sum()
}

/// Pairs of true (or earlier) and found topics at the smallest sum of distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    /// The found topic of each true one. `None` where there are fewer found topics.
    pub found: Vec<Option<usize>>,
    /// The Hellinger distance of each pair.
    pub distances: Vec<Option<f64>>,
}

impl Matching {
    /// Pairs topics by their Hellinger distances. Both are distributions, over as many words; the numbers of topics may
    /// differ.
    #[must_use]
    pub fn new(truth: &Topics, found: &Topics) -> Self {
        Self::by(truth, found, |k, j| hellinger(truth.topic(k), found.topic(j)))
    }

    /// Pairs topics by squared Euclidean distance: aligns a draw of β with a reference before draws are averaged.
    #[must_use]
    pub fn of_draw(reference: &Topics, draw: &Topics) -> Self {
        let square = |k, j| reference.topic(k).zip(draw.topic(j)).map(|(a, b)| (a - b) * (a - b)).sum();
        Self::by(reference, draw, square)
    }

    fn by(truth: &Topics, found: &Topics, cost: impl Fn(usize, usize) -> f64) -> Self {
        let (rows, columns) = (truth.count(), found.count());
        let mut pairs = vec![None; rows];
        if rows <= columns {
            let costs: Vec<f64> = (0..rows * columns).map(|at| cost(at / columns, at % columns)).collect();
            for (row, column) in assign(&costs, rows, columns).into_iter().enumerate() {
                pairs[row] = Some(column);
            }
        } else {
            let costs: Vec<f64> = (0..rows * columns).map(|at| cost(at % rows, at / rows)).collect();
            for (column, row) in assign(&costs, columns, rows).into_iter().enumerate() {
                pairs[row] = Some(column);
            }
        }
        let distance = |(k, j): (usize, &Option<usize>)| j.map(|j| hellinger(truth.topic(k), found.topic(j)));
        let distances = pairs.iter().enumerate().map(distance).collect();
        Self { found: pairs, distances }
    }

    /// The index of each of `count` found topics: that of the topic that it is paired with. Those without a partner come after all of
    /// these.
    #[must_use]
    pub fn indices(&self, count: usize) -> Vec<usize> {
        let mut indices = vec![None; count];
        for (index, found) in self.found.iter().enumerate() {
            if let Some(own) = found.and_then(|found| indices.get_mut(found)) {
                *own = Some(index);
            }
        }
        let mut spare = self.found.len()..;
        indices.into_iter().filter_map(|index| index.or_else(|| spare.next())).collect()
    }

    /// The mean Hellinger distance of the pairs; `None` if there are none.
    #[must_use]
    pub fn mean_distance(&self) -> Option<f64> {
        mean(self.distances.iter().flatten().copied())
    }

    /// The mean Kullback–Leibler divergence from found to true topics, KL(true ‖ found), of the pairs.
    #[must_use]
    pub fn mean_divergence(&self, truth: &Topics, found: &Topics) -> Option<f64> {
        let pairs = self.found.iter().enumerate();
        mean(pairs.filter_map(|(k, j)| j.map(|j| divergence(truth.topic(k), found.topic(j)))))
    }
}

/// Number of bars for which some topic has at least 0.8 of its mass on the pixels of the bar: the words of a true topic.
#[must_use]
pub fn bars_found(truth: &Topics, found: &Topics) -> usize {
    let mass = |bar: usize, topic: usize| -> f64 {
        truth.topic(bar).zip(found.topic(topic)).map(|(on_bar, share)| if on_bar > 0.0 { share } else { 0.0 }).sum()
    };
    let is_found = |bar: &usize| (0..found.count()).any(|topic| mass(*bar, topic) >= FOUND);
    (0..truth.count()).filter(is_found).count()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics(rows: &[[f64; 3]]) -> Topics {
        Topics::from_fn(rows.len(), 3, |topic, word| rows[topic][word])
    }

    #[test]
    fn distances_have_their_closed_forms() {
        let [p, r] = [[0.5, 0.5, 0.0], [0.5, 0.0, 0.5]];
        assert!((hellinger(p.into_iter(), r.into_iter()) - 0.5_f64.sqrt()).abs() < 1e-15);
        assert!(hellinger(p.into_iter(), p.into_iter()) < 1e-8);
        assert!((divergence(p.into_iter(), [0.25, 0.25, 0.5].into_iter()) - 2.0_f64.ln()).abs() < 1e-15);
        assert!(divergence(p.into_iter(), r.into_iter()).is_infinite());
    }

    #[test]
    fn topics_are_paired_whatever_their_order_and_number() {
        let truth = topics(&[[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]);
        let matching = Matching::new(&truth, &truth.reordered(&[2, 0, 1]));
        assert_eq!(matching.found, [Some(1), Some(2), Some(0)]);
        assert!(matching.mean_distance().unwrap() < 1e-7);
        assert!(matching.mean_divergence(&truth, &truth.reordered(&[2, 0, 1])).unwrap().abs() < 1e-15);
        let fewer = truth.reordered(&[1, 2]);
        assert_eq!(Matching::new(&truth, &fewer).found, [None, Some(0), Some(1)]);
        let more = truth.reordered(&[1, 1, 0, 2]);
        assert_eq!(Matching::of_draw(&truth, &more).found[0], Some(2));
        assert_eq!(Matching::new(&topics(&[]), &truth).mean_distance(), None);
    }

    #[test]
    fn places_are_those_of_the_partners_and_then_the_free_ones() {
        let matching = |found: &[Option<usize>]| Matching { found: found.to_vec(), distances: vec![None; found.len()] };
        assert_eq!(matching(&[Some(2), Some(0)]).indices(4), [1, 2, 0, 3]);
        assert_eq!(matching(&[None, Some(1), Some(0)]).indices(2), [2, 1]);
    }

    #[test]
    fn a_bar_is_found_from_four_fifths_on() {
        let truth = topics(&[[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]);
        assert_eq!(bars_found(&truth, &topics(&[[0.4, 0.4, 0.2], [0.21, 0.39, 0.4]])), 1);
        assert_eq!(bars_found(&truth, &truth), 2);
    }
}
