//! What the panels of a figure do alike: what one of them has no space for, all give up. egui keeps the most that was given up, and more of it
//! asks for another picture, in which all know it.

use egui::{Id, Ui};

/// The most of something that was given up so far.
pub fn known<T: Clone + Send + Sync + 'static>(ui: &Ui, what: Id) -> Option<T> {
    ui.data(|data| data.get_temp(what))
}

/// Gives so much of something up.
pub fn give_up<T: Copy + PartialOrd + Send + Sync + 'static>(ui: &Ui, what: Id, most: T) {
    if known::<T>(ui, what).is_none_or(|known| most > known) {
        ui.data_mut(|data| data.insert_temp(what, most));
        ui.ctx().request_repaint();
    }
}
