//! What is computed from the gradients of the rows of data, one after the other.

/// The variances over `count` ≥ 1 rows of their gradients, by Welford's (1962) recurrence. `gradient` adds that of a row to zeros.
pub(in crate::targets) fn variances(
    count: usize,
    memory: &mut Vec<f64>,
    out: &mut [f64],
    mut gradient: impl FnMut(usize, &mut [f64]),
) {
    memory.clear();
    memory.resize(2 * out.len(), 0.0);
    let (means, own) = memory.split_at_mut(out.len());
    out.fill(0.0);
    for row in 0..count {
        own.fill(0.0);
        gradient(row, own);
        for ((mean, out), gradient) in means.iter_mut().zip(&mut *out).zip(&*own) {
            let before = gradient - *mean;
            *mean += before / (row + 1) as f64;
            *out += before * (gradient - *mean);
        }
    }
    out.iter_mut().for_each(|variance| *variance /= count as f64);
}
