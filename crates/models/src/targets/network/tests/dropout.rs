//! Gradients with hidden units dropped.

use super::*;

/// Uniforms for `passes` data and `chains` vectors.
fn uniforms(network: &Network, passes: usize, chains: usize) -> Vec<f64> {
    let mut stream = Stream::derive(4, Purpose::Chain, 0, 0);
    (0..passes * network.layout.hidden_units() * chains).map(|_| stream.uniform()).collect()
}

fn rows(seed: u64, dimension: usize, count: usize) -> Coords {
    let rows: Vec<Vec<f64>> = (0..count).map(|row| normals(seed + row as u64, dimension, 0.8)).collect();
    Coords::of(dimension, rows.iter().map(|row| &row[..]))
}

fn dropped(network: &Network, simd: Simd, at: &Coords, dropout: Dropout<'_>) -> Coords {
    let mut out = at.clone();
    network.dropout_gradients(simd, at, dropout, &mut Vec::new(), &mut out);
    out
}

/// log p_T where each datum has a network of its own: with outgoing weights of hidden units multiplied by their masks.
fn objective(network: &Network, theta: &[f64], dropout: Dropout<'_>) -> f64 {
    let units = network.layout.hidden_units();
    let (of_prior, of_likelihood) = network.temper.factors();
    let mut sum = 0.0;
    for index in 0..network.data() {
        let masked: Vec<f64> = theta
            .iter()
            .enumerate()
            .map(|(axis, weight)| match network.layout.unit_behind(axis) {
                Some(unit) if dropout.uniforms[index * units + unit] < dropout.keep => weight / dropout.keep,
                Some(_) => 0.0,
                None => *weight,
            })
            .collect();
        let f = network.output(&masked, network.input(index));
        let target = network.target(index);
        let f: Vec<[f64; 8]> = f.iter().map(|f| [*f; 8]).collect();
        sum += of_likelihood * network.likelihood.log_terms(&f, |t| [target[t]; 8])[0];
    }
    for (axis, (theta, s)) in theta.iter().zip(network.prior_sds()).enumerate() {
        let decay = if network.layout.unit_behind(axis).is_some() { dropout.decay } else { 1.0 };
        sum -= 0.5 * of_prior * decay * (theta / s).powi(2);
    }
    sum
}

#[test]
fn dropout_gradients_are_those_of_networks_with_masked_weights() {
    for network in gallery() {
        for network in [network.clone(), network.tempered(Temper::Posterior(0.3)).unwrap()] {
            let d = network.dimension();
            let (at, uniforms) = (rows(50, d, 1), uniforms(&network, network.data(), 1));
            let dropout = Dropout { keep: 0.7, decay: 1.0 / 0.7, uniforms: &uniforms, batches: None };
            let found = dropped(&network, Simd::BASELINE, &at, dropout);
            let theta: Vec<f64> = at.vector(0).collect();
            for axis in 0..d {
                let moved = |by: f64| {
                    let mut theta = theta.clone();
                    theta[axis] += by;
                    objective(&network, &theta, dropout)
                };
                let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                let gradient = found.get(0, axis);
                assert!((gradient - slope).abs() < 1e-5 * slope.abs().max(10.0), "{axis}: {gradient} {slope}");
            }
        }
    }
}

#[test]
fn bits_of_dropout_gradients_are_those_of_single_chains() {
    const CHAINS: usize = 19;
    for network in gallery() {
        let (d, units) = (network.dimension(), network.layout.hidden_units());
        let indices: Vec<u32> = (0..5 * CHAINS).map(|index| u32::try_from(index * index % 13).unwrap()).collect();
        for size in [None, Some(5)] {
            let passes = size.unwrap_or(network.data());
            let (at, all) = (rows(50, d, CHAINS), uniforms(&network, passes, CHAINS));
            for simd in Simd::available() {
                let batches = size.map(|size| Minibatches::new(&indices, size, CHAINS));
                let dropout = Dropout { keep: 0.8, decay: 1.0, uniforms: &all, batches };
                let found = dropped(&network, simd, &at, dropout);
                for chain in 0..CHAINS {
                    let own: Vec<f64> = (0..passes * units).map(|row| all[row * CHAINS + chain]).collect();
                    let batch: Vec<u32> = indices.iter().skip(chain).step_by(CHAINS).copied().collect();
                    let batches = size.map(|size| Minibatches::new(&batch, size, 1));
                    let dropout = Dropout { uniforms: &own, batches, ..dropout };
                    let alone = dropped(&network, Simd::BASELINE, &at.range(chain..chain + 1), dropout);
                    assert!(found.vector(chain).eq(alone.vector(0)), "{simd:?}, chain {chain}");
                }
            }
        }
    }
}

#[test]
fn without_dropout_they_are_the_gradients_of_the_posterior() {
    for network in gallery() {
        for chains in [1, 9] {
            let at = rows(50, network.dimension(), chains);
            let all = uniforms(&network, network.data(), chains);
            let (mut plain, none) = (at.clone(), Dropout { keep: 1.0, decay: 1.0, uniforms: &all, batches: None });
            network.gradients(Simd::widest(), &at, &mut Vec::new(), &mut plain);
            assert_eq!(dropped(&network, Simd::widest(), &at, none), plain);
            let missing = Dropout { uniforms: &[], ..none };
            assert_eq!(dropped(&network, Simd::widest(), &at, missing), plain);
        }
    }
}
