//! Lists of what is kept of a run now and then, in the order of steps, shared with frames.

use std::sync::Arc;

/// Forgets what comes after a step; `of` says the step of an entry.
pub fn truncate<T: Clone>(kept: &mut Arc<Vec<T>>, step: u64, of: impl Fn(&T) -> u64) {
    let length = kept.partition_point(|entry| of(entry) <= step);
    if length < kept.len() {
        Arc::make_mut(kept).truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_forgets_what_came_later() {
        let mut kept = Arc::new(vec![1, 5, 9]);
        truncate(&mut kept, 5, |step| *step);
        assert_eq!(*kept, [1, 5]);
        truncate(&mut kept, 7, |step| *step);
        assert_eq!(*kept, [1, 5]);
    }
}
