//! Page address: the address of a page follows what is in the window. So a page that is loaded again, a bookmark and the way back of the browser lead to
//! it, and every tab has another title.

use crate::app::experiment::origin::Origin;
use crate::platform::{IN_BROWSER, show_address};

/// What the address shows at present.
#[derive(Debug, Default)]
pub struct PageAddress {
    shown: Option<(Origin, bool)>,
}

/// A new address.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// What stands behind `#`; nothing for the start page, and for what does not fit into a link.
    fragment: String,
    /// Whether the way back leads to what was shown before: not where the same experiment was saved.
    adds: bool,
}

impl PageAddress {
    /// Shows the address of what comes from `origin`, with the start page in front of it or not.
    pub fn show(&mut self, origin: &Origin, start_page: bool) {
        if IN_BROWSER && let Some(Entry { fragment, adds }) = self.follow(origin, start_page) {
            show_address(&fragment, adds);
        }
    }

    /// The new address; `None` if it is shown already.
    fn follow(&mut self, origin: &Origin, start_page: bool) -> Option<Entry> {
        let before = self.shown.as_ref();
        if before.is_some_and(|(shown, page)| *page == start_page && shown.same_as(origin)) {
            return None;
        }
        let adds = before.is_some_and(|(shown, page)| *page != start_page || !shown.same_load(origin));
        self.shown = Some((origin.clone(), start_page));
        let fragment = if start_page { String::new() } else { origin.fragment().unwrap_or_default() };
        Some(Entry { fragment, adds })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::app::files::link;
    use engine::scenario::{LESSONS, Scenario};

    fn entry(fragment: &str, adds: bool) -> Option<Entry> {
        Some(Entry { fragment: fragment.to_owned(), adds })
    }

    #[test]
    fn the_address_names_what_is_in_the_window() {
        let [first, second] = [0, 1].map(|number| Origin::of(Arc::new(LESSONS[number].scenario().unwrap()), None));
        let mut address = PageAddress::default();
        assert_eq!(address.follow(&first, true), entry("", false), "the first address has nothing before it");
        assert_eq!(address.follow(&first, true), None);
        assert_eq!(address.follow(&first, false), entry(LESSONS[0].name, true));
        assert_eq!(address.follow(&second, false), entry(LESSONS[1].name, true));
        assert_eq!(address.follow(&second.clone(), false), None);
        assert_eq!(address.follow(&second, true), entry("", true));
        // The same lesson, opened again: the page does not add what is there already.
        let again = Origin::of(Arc::new(LESSONS[1].scenario().unwrap()), None);
        assert_eq!(address.follow(&again, false), entry(LESSONS[1].name, true));
    }

    #[test]
    fn what_is_saved_has_an_address_of_its_own_in_the_same_place() {
        let lesson = LESSONS[0].scenario().unwrap();
        let mut origin = Origin::of(Arc::new(lesson.clone()), None);
        let mut address = PageAddress::default();
        address.follow(&origin, false);
        let changed = Scenario { seed: lesson.seed + 1, ..lesson };
        origin.mark_saved(Arc::new(changed.clone()), "own.toml".into());
        let Entry { fragment, adds } = address.follow(&origin, false).unwrap();
        assert!(!adds);
        assert_eq!(link::scenario(&fragment).unwrap().seed, changed.seed);
        // What does not fit into a link has none.
        let title = (0..9000_u32).map(|index| char::from_u32(0x4E00 + index * 7919 % 20_000).unwrap()).collect();
        let large = Origin::of(Arc::new(Scenario { title, ..changed }), None);
        assert_eq!(address.follow(&large, false), entry("", true));
    }
}
