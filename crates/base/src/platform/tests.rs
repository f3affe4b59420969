//! Work beside the window takes its turns, waits and is woken.

use std::future::poll_fn;
use std::sync::mpsc::channel;
use std::task::Poll;
use std::time::Duration;

use super::{Instant, Turn, compute, now, pause, spawn};

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
    compute(async move {
        pause().await;
        sender.send(2 + 2).unwrap();
    });
    assert_eq!(results.iter().collect::<Vec<_>>(), [4]);
}

/// Waits once, as a page does between two pieces.
async fn once_later() {
    let mut waited = false;
    poll_fn(|_| if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

#[test]
fn what_is_computed_at_once_does_not_wait() {
    let sum = async {
        let mut sum = 0;
        for number in 1..=4 {
            once_later().await;
            sum += number;
        }
        sum
    };
    assert_eq!(now(sum), 10);
}
