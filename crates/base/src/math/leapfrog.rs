//! Paths of leapfrog steps along Hamiltonian dynamics.

/// Takes so many steps: half a kick of the momenta, a drift of the positions, which renews the gradients, a kick, and so on, and half a
/// kick at the end. `kick` gets the time in steps, `drift` the number of the step, from 1 on.
///
/// R. M. Neal (2011), *MCMC using Hamiltonian dynamics*, arXiv:1206.1901, section 5.2.3.
pub fn leapfrog<S>(
    steps: usize,
    state: &mut S,
    mut kick: impl FnMut(&mut S, f64),
    mut drift: impl FnMut(&mut S, usize),
) {
    kick(state, 0.5);
    for step in 1..=steps {
        drift(state, step);
        kick(state, if step < steps { 1.0 } else { 0.5 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On ½x² a path with reversed momentum leads back, and its energy is nearly constant.
    #[test]
    fn paths_are_reversible() {
        let path = |state: &mut [f64; 2]| {
            leapfrog(40, state, |[x, r], time| *r -= time * 0.1 * *x, |[x, r], _| *x += 0.1 * *r);
        };
        let mut state = [1.0, 0.5];
        path(&mut state);
        assert!((state[0] * state[0] + state[1] * state[1] - 1.25).abs() < 0.005, "{state:?}");
        state[1] = -state[1];
        path(&mut state);
        assert!((state[0] - 1.0).abs() < 1e-14 && (state[1] + 0.5).abs() < 1e-14, "{state:?}");
    }
}
