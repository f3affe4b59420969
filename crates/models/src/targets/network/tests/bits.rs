//! Results do not depend, to the last bit, on the number of chains, on their index or on the instruction set.

use super::*;

const MOST_CHAINS: usize = 19;

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// What every chain gets by itself: log density, gradient, estimate and outputs.
fn alone(network: &Network, theta: &[f64], batch: &[u32], inputs: &[f64]) -> Vec<u64> {
    let at = Coords::of(theta.len(), [theta].into_iter());
    let (mut log_density, mut gradient, mut estimate) = ([0.0], at.clone(), at.clone());
    let mut memory = Vec::new();
    let mut outputs = vec![0.0; inputs.len() / network.layout().inputs() * network.layout().outputs()];
    network.log_densities(Simd::BASELINE, &at, &mut memory, &mut log_density);
    network.gradients(Simd::BASELINE, &at, &mut memory, &mut gradient);
    network.estimates(Simd::BASELINE, &at, Minibatches::new(batch, batch.len(), 1), &mut memory, &mut estimate);
    network.outputs(Simd::BASELINE, &at, inputs, &mut memory, &mut outputs);
    bits(&[&log_density[..], gradient.values(), estimate.values(), &outputs].concat())
}

#[test]
fn bits_are_those_of_single_chains() {
    const SIZE: usize = 5;
    for network in gallery() {
        let d = network.dimension();
        let thetas: Vec<Vec<f64>> = (0..MOST_CHAINS).map(|chain| normals(10 + chain as u64, d, 0.8)).collect();
        let inputs = normals(5, 3 * network.layout().inputs(), 1.0);
        let mut stream = Stream::derive(3, Purpose::Minibatch, 0, 0);
        let batches: Vec<Vec<u32>> = (0..MOST_CHAINS)
            .map(|_| (0..SIZE).map(|_| stream.below(u32::try_from(network.data()).unwrap())).collect())
            .collect();
        let expected: Vec<_> =
            (0..MOST_CHAINS).map(|chain| alone(&network, &thetas[chain], &batches[chain], &inputs)).collect();
        // Room with anything in it.
        let mut memory = vec![f64::NAN; 10_000];
        for (simd, chains) in
            Simd::available().flat_map(|simd| [1, 2, 7, 8, 9, MOST_CHAINS].map(|chains| (simd, chains)))
        {
            let at = Coords::of(d, thetas[..chains].iter().map(|theta| &theta[..]));
            let indices: Vec<u32> =
                (0..SIZE).flat_map(|number| batches[..chains].iter().map(move |batch| batch[number])).collect();
            let (mut log_densities, mut gradients, mut estimates) = (vec![0.0; chains], at.clone(), at.clone());
            let mut outputs = vec![0.0; 3 * network.layout().outputs() * chains];
            network.log_densities(simd, &at, &mut memory, &mut log_densities);
            network.gradients(simd, &at, &mut memory, &mut gradients);
            network.estimates(simd, &at, Minibatches::new(&indices, SIZE, chains), &mut memory, &mut estimates);
            network.outputs(simd, &at, &inputs, &mut memory, &mut outputs);
            for chain in 0..chains {
                let mut found = vec![log_densities[chain]];
                found.extend(gradients.vector(chain).chain(estimates.vector(chain)));
                found.extend(outputs[chain..].iter().step_by(chains));
                assert_eq!(bits(&found), expected[chain], "{simd:?}, chain {chain} of {chains}");
            }
        }
    }
}

#[test]
fn single_passes_have_the_same_bits() {
    for network in gallery() {
        let theta = normals(4, network.dimension(), 0.8);
        let at = Coords::of(theta.len(), [&theta[..]].into_iter());
        let inputs = &network.observations().inputs;
        let mut outputs = vec![0.0; network.data() * network.layout().outputs()];
        network.outputs(Simd::widest(), &at, inputs, &mut Vec::new(), &mut outputs);
        let single: Vec<f64> = (0..network.data()).flat_map(|i| network.output(&theta, network.input(i))).collect();
        assert_eq!(bits(&outputs), bits(&single));
    }
}

#[test]
fn shared_minibatches_are_those_of_every_chain() {
    let network = network(&[1, 10, 1], Likelihood::Gaussian { sd: 0.4 });
    let batch: Vec<u32> = vec![3, 1, 3, 12];
    let thetas: Vec<Vec<f64>> = (0..11).map(|chain| normals(40 + chain, 31, 0.8)).collect();
    let at = Coords::of(31, thetas.iter().map(|theta| &theta[..]));
    let (mut shared, mut own) = (at.clone(), at.clone());
    let repeated: Vec<u32> = batch.iter().flat_map(|index| [*index; 11]).collect();
    let mut memory = Vec::new();
    network.estimates(Simd::widest(), &at, Minibatches::new(&batch, 4, 1), &mut memory, &mut shared);
    let size = (memory.len(), memory.capacity());
    network.estimates(Simd::widest(), &at, Minibatches::new(&repeated, 4, 11), &mut memory, &mut own);
    assert_eq!(bits(shared.values()), bits(own.values()));
    assert_eq!(size, (memory.len(), memory.capacity()));
}

#[test]
fn a_lost_chain_loses_no_other() {
    let network = network(&[1, 10, 1], Likelihood::Gaussian { sd: 0.4 });
    let mut thetas: Vec<Vec<f64>> = (0..9).map(|chain| normals(40 + chain, 31, 0.8)).collect();
    thetas[2].fill(f64::NAN);
    thetas[5].fill(1e300);
    let at = Coords::of(31, thetas.iter().map(|theta| &theta[..]));
    let (mut gradients, mut log_densities) = (at.clone(), [0.0; 9]);
    network.gradients(Simd::widest(), &at, &mut Vec::new(), &mut gradients);
    network.log_densities(Simd::widest(), &at, &mut Vec::new(), &mut log_densities);
    assert!(log_densities[2].is_nan() && gradients.vector(2).all(f64::is_nan));
    assert!(!log_densities[5].is_finite());
    for chain in [0, 1, 3, 4, 6, 7, 8] {
        assert!(log_densities[chain].is_finite() && gradients.vector(chain).all(f64::is_finite));
    }
}
