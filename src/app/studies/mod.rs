//! Studies: what is computed or asked beside the runs. Repeats with other seeds ([`convergence`]), short runs over many step sizes
//! ([`range_test`]), the posterior by a long HMC run ([`reference`]) and a grid over parameters ([`sweep`]) are a [`study`] each: results so far, and
//! the job that computes more. [`along`] runs kept trials again, for their sparklines. [`challenge`] asks questions about the runs.

pub mod along;
pub mod challenge;
pub mod convergence;
pub mod news;
pub mod range_test;
pub mod reference;
mod repeating;
pub mod study;
pub mod sweep;

use base::params::ParamError;
use engine::scenario::Scenario;
use engine::worker::Order;

use crate::app::controls::fault;
use crate::app::tasks::Task;
use along::AlongStudy;
use challenge::ChallengeStudy;
use convergence::ConvergenceStudy;
use news::News;
use range_test::RangeStudy;
use reference::ReferenceStudy;
use sweep::SweepStudy;

/// All studies. Each tells by itself what its results are of: nothing is reset with another scenario but challenges, which its file asks, and
/// the range test, which ends with what is shown.
#[derive(Debug, Default)]
pub struct Studies {
    /// The convergence study.
    pub convergence: ConvergenceStudy,
    /// The range test.
    pub range_test: RangeStudy,
    /// The sweep.
    pub sweep: SweepStudy,
    /// How measures went along the runs of trials.
    pub along: AlongStudy,
    /// The HMC reference.
    pub reference: ReferenceStudy,
    /// What is asked before the runs are shown, and goals.
    pub challenge: ChallengeStudy,
}

impl Studies {
    /// Takes in news of the job with a number about a scenario; returns the order that they lead to.
    ///
    /// # Errors
    /// Why the job has no result, in words.
    pub fn take_in(&mut self, ticket: u64, news: News, scenario: &Scenario) -> Result<Option<Order>, String> {
        let words = |errors: Vec<ParamError>| fault::in_words(scenario, None, &errors);
        match news {
            News::Repeat(repeat) => self.convergence.add(ticket, repeat).map_err(words)?,
            News::Point(point) => self.range_test.add(ticket, point).map_err(words)?,
            News::Sweep(news) => self.sweep.add(ticket, news).map_err(words)?,
            News::Cloud(cloud) => self.sweep.add_cloud(ticket, *cloud),
            News::Along(along) => self.along.add(ticket, along),
            News::Reference(reference) => {
                let order = self.reference.add(ticket, reference);
                return order.map_err(|reason| format!("No HMC reference: {reason}"));
            }
        }
        Ok(None)
    }

    /// Ends the study whose task failed.
    pub fn fail(&mut self, task: Task) {
        match task {
            Task::Repeats => self.convergence.fail(),
            Task::RangeTest => self.range_test.close(),
            Task::Sweep => self.sweep.halt(),
            Task::Reference => self.reference.halt(),
            Task::Along => self.along.fail(),
            _ => {}
        }
    }
}
