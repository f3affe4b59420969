//! Work beside the window takes its turns, waits and is woken.

use std::sync::mpsc::channel;
use std::time::Duration;

use super::{Instant, Turn, compute, spawn};

#[test]
fn work_goes_on_until_it_is_over() {
    let (sender, numbers) = channel();
    let mut number = 0;
    let work = move || {
        number += 1;
        sender.send(number).unwrap();
        match number {
            1 => Turn::More,
            2 => Turn::Wait(Duration::from_millis(5)),
            _ => Turn::Over,
        }
    };
    let begun = Instant::now();
    spawn("count", work).unwrap().join();
    assert!(begun.elapsed() >= Duration::from_millis(5));
    assert_eq!(numbers.iter().collect::<Vec<_>>(), [1, 2, 3]);
}

/// A call that comes before the work waits is not lost.
#[test]
fn work_that_waits_is_woken() {
    let (orders, inbox) = channel();
    let (outbox, answers) = channel();
    let helper = spawn("echo", move || match inbox.try_recv() {
        Ok(0) => Turn::Over,
        Ok(order) => {
            outbox.send(order).unwrap();
            Turn::More
        }
        Err(_) => Turn::Idle,
    });
    let helper = helper.unwrap();
    for order in 1..=1000 {
        orders.send(order).unwrap();
        helper.wake();
        assert_eq!(answers.recv_timeout(Duration::from_secs(60)), Ok(order));
    }
    assert!(!helper.ended());
    orders.send(0).unwrap();
    helper.wake();
    helper.join();
    assert!(answers.recv().is_err(), "nothing is left of it");
}

#[test]
fn a_computation_is_made_once() {
    let (sender, results) = channel();
    compute(move || sender.send(2 + 2).unwrap());
    assert_eq!(results.iter().collect::<Vec<_>>(), [4]);
}
