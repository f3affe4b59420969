//! Pool of lists: memory that nobody needs any more, for new lists of the same length. Asking the system for a page takes as long as
//! filling it several times.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Lists of numbers that wait to be used again.
#[derive(Debug)]
pub struct Pool<T> {
    waiting: Mutex<Waiting<T>>,
    most: usize,
}

/// Lists, the newest last, and how many numbers they have together.
#[derive(Debug)]
struct Waiting<T> {
    lists: VecDeque<Vec<T>>,
    numbers: usize,
}

/// A pool in which nothing waits.
impl<T: Copy + Default> Default for Pool<T> {
    fn default() -> Self {
        Self::new(0)
    }
}

impl<T: Copy + Default> Pool<T> {
    /// An empty pool in which up to `most` numbers may wait.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { waiting: Mutex::new(Waiting { lists: VecDeque::new(), numbers: 0 }), most }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A list of `length` numbers, whatever they are: the newest that waits, or a new one.
    #[must_use]
    pub fn take(&self, length: usize) -> Vec<T> {
        let mut waiting = self.waiting();
        let index = waiting.lists.iter().rposition(|list| list.len() == length);
        let list = index.and_then(|index| waiting.lists.remove(index));
        waiting.numbers -= list.as_ref().map_or(0, Vec::len);
        drop(waiting);
        list.unwrap_or_else(|| vec![T::default(); length])
    }

    /// Keeps a list. If too many numbers wait, those that have waited longest are dropped.
    pub fn give(&self, list: Vec<T>) {
        let mut waiting = self.waiting();
        waiting.numbers += list.len();
        waiting.lists.push_back(list);
        while waiting.numbers > self.most
            && let Some(oldest) = waiting.lists.pop_front()
        {
            waiting.numbers -= oldest.len();
        }
    }

    /// Number of lists that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting().lists.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A list from a pool, to which it returns.
#[derive(Debug)]
pub struct Pooled<T: Copy + Default> {
    list: Vec<T>,
    pool: Arc<Pool<T>>,
}

impl<T: Copy + Default> Pooled<T> {
    /// A list of `length` numbers, whatever they are.
    #[must_use]
    pub fn new(length: usize, pool: &Arc<Pool<T>>) -> Self {
        Self { list: pool.take(length), pool: pool.clone() }
    }

    /// A list of `length` zeros.
    #[must_use]
    pub fn zeros(length: usize, pool: &Arc<Pool<T>>) -> Self {
        let mut zeros = Self::new(length, pool);
        zeros.fill(T::default());
        zeros
    }
}

impl<T: Copy + Default> Clone for Pooled<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.len(), &self.pool);
        copy.copy_from_slice(self);
        copy
    }
}

impl<T: Copy + Default> Drop for Pooled<T> {
    fn drop(&mut self) {
        self.pool.give(std::mem::take(&mut self.list));
    }
}

impl<T: Copy + Default + PartialEq> PartialEq for Pooled<T> {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl<T: Copy + Default> Deref for Pooled<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.list
    }
}

impl<T: Copy + Default> DerefMut for Pooled<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_gives_up_what_has_waited_longest() {
        let pool = Pool::new(1000);
        (0..3).for_each(|_| pool.give(vec![0.0; 250]));
        (0..3).for_each(|_| pool.give(vec![0.0; 125]));
        let sizes = || pool.waiting().lists.iter().map(Vec::len).collect::<Vec<usize>>();
        assert_eq!(sizes(), [250, 250, 125, 125, 125]);
        assert_eq!((pool.take(250).len(), pool.len()), (250, 4));
        let numbers = pool.waiting().numbers;
        assert_eq!(numbers, sizes().iter().sum::<usize>());
        assert_eq!((pool.take(7), pool.len()), (vec![0.0; 7], 4));
    }

    #[test]
    fn a_pooled_list_returns_and_its_copy_is_another_one() {
        let pool = Arc::new(Pool::new(1000));
        let mut list = Pooled::new(3, &pool);
        list.copy_from_slice(&[1, 2, 3]);
        let copy = list.clone();
        list[0] = 7;
        assert_eq!((&*list, &*copy, list == copy), (&[7, 2, 3][..], &[1, 2, 3][..], false));
        drop((list, copy));
        assert_eq!(pool.len(), 2);
        let zeros = Pooled::zeros(3, &pool);
        assert_eq!((&*zeros, pool.len()), (&[0; 3][..], 1));
    }
}
