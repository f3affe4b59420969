//! Single linkage: clusters of vectors that chains of near neighbours connect.
//!
//! Two vectors are in one cluster if there is a path between them, from vector to vector, on which no step is longer than the
//! threshold. The steps that matter are the edges of a minimum spanning tree (J. C. Gower & G. J. S. Ross 1969, Applied Statistics 18),
//! found by the algorithm of R. C. Prim (1957) with n(n − 1)/2 distances and O(n) memory. One tree serves every threshold.

use std::cmp::Reverse;

/// A minimum spanning tree of vectors.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpanningTree {
    vectors: usize,
    /// n − 1 edges, the shortest first.
    edges: Vec<Edge>,
}

/// An edge between two vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    /// The numbers of the two vectors.
    pub ends: [usize; 2],
    /// Their Euclidean distance; ∞ where it is not a number.
    pub length: f64,
}

/// Vectors in clusters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clusters {
    /// The cluster of each vector. Cluster 0 is the largest; of equal ones that with the first vector comes first.
    pub of: Vec<usize>,
    /// The number of vectors in each cluster.
    pub sizes: Vec<usize>,
}

impl SpanningTree {
    /// The tree of vectors of equal length.
    #[must_use]
    pub fn of(vectors: &[Vec<f64>]) -> Self {
        // The least squared distance of each vector from those in the tree, and which one has it.
        let mut nearest = vec![(f64::INFINITY, 0); vectors.len()];
        let mut rest: Vec<usize> = (1..vectors.len()).collect();
        let mut edges = Vec::with_capacity(rest.len());
        let mut newest = 0;
        while !rest.is_empty() {
            for &vector in &rest {
                let square = squared_distance(&vectors[vector], &vectors[newest]);
                if square < nearest[vector].0 {
                    nearest[vector] = (square, newest);
                }
            }
            let away = |index: &usize| nearest[rest[*index]].0;
            let index = (0..rest.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(0);
            newest = rest.swap_remove(index);
            let (square, from) = nearest[newest];
            edges.push(Edge { ends: [from, newest], length: square.sqrt() });
        }
        edges.sort_by(|a, b| a.length.total_cmp(&b.length));
        Self { vectors: vectors.len(), edges }
    }

    /// The edges that are at most as long as the threshold, the shortest first.
    #[must_use]
    pub fn within(&self, threshold: f64) -> &[Edge] {
        &self.edges[..self.edges.partition_point(|edge| edge.length <= threshold)]
    }

    /// The clusters that these edges connect.
    #[must_use]
    pub fn clusters(&self, threshold: f64) -> Clusters {
        let mut parents: Vec<usize> = (0..self.vectors).collect();
        for edge in self.within(threshold) {
            let [a, b] = edge.ends.map(|end| root(&mut parents, end));
            // The first vector of a cluster stands for it.
            parents[a.max(b)] = a.min(b);
        }
        let roots: Vec<usize> = (0..self.vectors).map(|vector| root(&mut parents, vector)).collect();
        let mut counts = vec![0; self.vectors];
        roots.iter().for_each(|root| counts[*root] += 1);
        let mut order: Vec<usize> = (0..self.vectors).filter(|vector| counts[*vector] > 0).collect();
        order.sort_by_key(|root| Reverse(counts[*root]));
        let mut numbers = vec![0; self.vectors];
        order.iter().enumerate().for_each(|(number, root)| numbers[*root] = number);
        Clusters {
            of: roots.into_iter().map(|root| numbers[root]).collect(),
            sizes: order.into_iter().map(|root| counts[root]).collect(),
        }
    }
}

impl Clusters {
    /// The share of all vectors that the largest cluster has; 0 without vectors.
    #[must_use]
    pub fn largest_share(&self) -> f64 {
        self.sizes.first().map_or(0.0, |size| *size as f64 / self.of.len() as f64)
    }
}

/// The vector that stands for the cluster of this one; paths to it are halved on the way.
fn root(parents: &mut [usize], mut vector: usize) -> usize {
    while parents[vector] != vector {
        parents[vector] = parents[parents[vector]];
        vector = parents[vector];
    }
    vector
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::{Purpose, Stream};

    /// Heights of merges and clusters by `linkage(x, "single")` and `fcluster(z, t, "distance")` of scipy.cluster.hierarchy 1.17.1.
    #[test]
    fn heights_and_clusters_are_those_of_scipy() {
        let x = [
            [-0.33, 3.35, 1.21],
            [-0.33, 2.59, 1.07],
            [2.22, 0.47, -0.24],
            [-0.4, -0.66, -0.12],
            [-0.48, 0.8, 0.1],
            [0.82, 0.14, -0.62],
            [0.21, 0.57, 0.05],
            [1.48, 0.51, -0.02],
            [-0.87, -0.04, -0.58],
            [-0.28, -0.39, 0.37],
            [-0.09, 2.69, 0.88],
            [2.16, 0.83, -0.66],
            [1.9, 0.11, -0.07],
            [1.75, 0.3, -0.29],
        ];
        let heights = [
            0.322_024_843_762_092_45,
            0.327_108_544_675_922_43,
            0.435_775_171_390_018_53,
            0.502_294_734_194_974_6,
            0.556_417_109_729_742_2,
            0.572_188_780_036_798_6,
            0.729_040_465_269_246_8,
            0.772_787_163_454_466_5,
            0.903_825_204_339_865_9,
            0.965_660_395_791_398_3,
            1.002_945_661_539_048_6,
            1.124_322_017_929_027_4,
            2.041_445_566_259_360_2,
        ];
        let tree = SpanningTree::of(&x.map(|point| point.to_vec()));
        assert_eq!(tree.edges.len(), heights.len());
        for (edge, height) in tree.edges.iter().zip(heights) {
            assert!((edge.length - height).abs() < 1e-14, "{edge:?} {height}");
        }
        for (threshold, expected) in [
            (0.3, [3, 1, 12, 4, 7, 14, 8, 11, 6, 5, 2, 13, 9, 10]),
            (0.6, [2, 1, 7, 3, 5, 8, 6, 7, 4, 3, 1, 7, 7, 7]),
            (0.8, [1, 1, 5, 2, 4, 6, 4, 5, 3, 2, 1, 5, 5, 5]),
            (1.0, [1, 1, 4, 2, 3, 4, 3, 4, 2, 2, 1, 4, 4, 4]),
            (1.5, [1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2]),
            (3.0, [1; 14]),
        ] {
            let found = tree.clusters(threshold);
            // The same clusters, in another order.
            let together =
                |of: &[usize]| -> Vec<Vec<bool>> { of.iter().map(|a| of.iter().map(|b| a == b).collect()).collect() };
            assert_eq!(together(&found.of), together(&expected), "{threshold}");
            assert!(found.sizes.is_sorted_by(|a, b| a >= b) && found.sizes.iter().sum::<usize>() == 14);
            let count = |cluster: usize| found.of.iter().filter(|of| **of == cluster).count();
            assert!((0..found.sizes.len()).all(|cluster| found.sizes[cluster] == count(cluster)));
            assert_eq!(tree.within(threshold).len() + found.sizes.len(), 14);
        }
        let found = tree.clusters(0.8);
        assert!((found.largest_share() - 5.0 / 14.0).abs() < 1e-15);
    }

    /// Clusters are the vectors that steps of at most the threshold reach, by a search from each vector.
    #[test]
    fn clusters_are_what_short_steps_reach() {
        let mut stream = Stream::derive(2, Purpose::Data, 0, 0);
        for count in [2, 7, 60] {
            let vectors: Vec<Vec<f64>> = (0..count).map(|_| (0..4).map(|_| stream.uniform()).collect()).collect();
            let tree = SpanningTree::of(&vectors);
            for threshold in [0.05, 0.2, 0.35, 0.5, 0.8] {
                let found = tree.clusters(threshold).of;
                for from in 0..count {
                    let (mut reached, mut open) = (vec![false; count], vec![from]);
                    while let Some(at) = open.pop() {
                        reached[at] = true;
                        let near = |to: &usize| squared_distance(&vectors[at], &vectors[*to]).sqrt() <= threshold;
                        open.extend((0..count).filter(|to| !reached[*to]).filter(near));
                    }
                    assert!((0..count).all(|to| reached[to] == (found[to] == found[from])), "{count} {threshold}");
                }
            }
        }
    }

    #[test]
    fn few_vectors_equal_ones_and_what_is_no_number() {
        assert_eq!(SpanningTree::of(&[]).clusters(1.0), Clusters::default());
        assert!(SpanningTree::of(&[]).clusters(1.0).largest_share() <= 0.0);
        assert_eq!(SpanningTree::of(&[vec![3.0]]).clusters(0.0), Clusters { of: vec![0], sizes: vec![1] });
        let equal = SpanningTree::of(&vec![vec![1.0, 2.0]; 4]);
        assert_eq!(equal.clusters(0.0), Clusters { of: vec![0; 4], sizes: vec![4] });
        let lost = SpanningTree::of(&[vec![0.0], vec![f64::NAN], vec![0.5]]);
        assert_eq!(lost.clusters(1e300), Clusters { of: vec![0, 1, 0], sizes: vec![2, 1] });
    }
}
