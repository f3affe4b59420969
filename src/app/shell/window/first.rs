//! What a window shows first: what was named, what was in it last time, or the start page.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::experiment::model::RefusedTarget;
use crate::app::experiment::origin::Origin;
use crate::app::perform::{ASKING, opening};
use crate::app::recovery::Session;
use crate::app::view::View;
use crate::app::view::messages::{Offer, RESTORED};
use crate::app::view::prefs::Prefs;
use base::params::ParamError;
use engine::scenario::{Lesson, Pacing, Scenario};

/// The scenario behind the start page at the first start.
const FIRST_LESSON: &str = "what-is-a-target";

/// What a window shows first.
pub(super) enum First {
    /// A scenario that was read, and its file.
    Loaded(Box<Scenario>, Option<PathBuf>),
    /// What was in the window last time.
    LastTime(Box<Session>),
    /// The start page.
    Nothing,
}

/// A scenario, where it comes from, and how it is opened: in Watch or in Instant, and the step to stop at.
pub(super) type Opening = (Scenario, Origin, (Pacing, Option<u64>));

impl First {
    /// The target that was refused last time.
    pub(super) fn refused(&self) -> Option<RefusedTarget> {
        match self {
            Self::LastTime(session) => session.window.typed.refused.clone(),
            _ => None,
        }
    }

    /// Chooses the view.
    pub(super) fn show(self, view: &mut View, prefs: &Prefs) -> Result<Opening, Vec<ParamError>> {
        let (scenario, file) = match self {
            Self::LastTime(session) => {
                let Session { window, start_page, course, .. } = *session;
                let seen = window.seen();
                view.show_again(window.origin.saved(), &seen);
                view.forms.formula.clone_from(&window.typed.formula);
                view.window.start_page = start_page;
                (view.window.path, view.playlist) = (course.path, course.playlist);
                if !start_page {
                    view.messages.offer(RESTORED, Offer::StartPage);
                }
                // What was asked is asked again.
                let moment = if view.studies.challenge.asks() { ASKING } else { window.moment() };
                return Ok((seen, window.origin, moment));
            }
            Self::Nothing => {
                view.window.start_page = true;
                let lesson = Lesson::find(FIRST_LESSON).and_then(|lesson| lesson.scenario().ok());
                let missing = || vec![ParamError::new("lesson", "is missing", FIRST_LESSON)];
                (lesson.ok_or_else(missing)?, None)
            }
            Self::Loaded(scenario, file) => (*scenario, file),
        };
        view.show(&scenario);
        let moment = if view.window.start_page { (Pacing::Watch, Some(0)) } else { opening(&scenario, prefs) };
        Ok((scenario.clone(), Origin::of(Arc::new(scenario), file), moment))
    }
}
