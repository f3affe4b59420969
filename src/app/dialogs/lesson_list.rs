//! Lessons to choose from: a field to search, and below it those that match under the names of their groups, all of them without a query.

use std::collections::BTreeSet;

use egui::{Button, Key, RichText, ScrollArea, Ui, vec2};

use super::current::Search;
use super::search_field::{marked, search_field};
use crate::app::commands::palette::{LESSON_TITLES, LESSON_WORDS};
use crate::app::commands::search::{self, rank_of_lesson};
use draw::theme::Theme;
use engine::scenario::{LESSONS, Level};

/// Shows the field and the list, which is at most so high; returns the number of the lesson that was chosen, by Enter the first one found. Those that are `taken` have a sign.
pub fn show(ui: &mut Ui, theme: &Theme, search: &mut Search, height: f32, taken: &[usize]) -> Option<usize> {
    search_field(ui, search, "Words of a title, a group, a target or a method; Enter takes the first");
    ui.add_space(theme.space(1.0));
    let found = found(&search.text);
    let first = found.first().copied().filter(|_| !search.text.trim().is_empty());
    let mut chosen = first.filter(|_| ui.input(|input| input.key_pressed(Key::Enter)));
    if chosen.is_some() {
        *search = Search::default();
    }
    ScrollArea::vertical().id_salt("lessons").max_height(height).auto_shrink([false, false]).show(ui, |ui| {
        ui.set_max_width(ui.available_width() - 2.0 * ui.spacing().scroll.bar_width);
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut group = "";
        for number in &found {
            let (Some(lesson), Some(title)) = (LESSONS.get(*number), LESSON_TITLES.get(*number)) else { continue };
            if lesson.group != group {
                group = lesson.group;
                ui.add_space(theme.space(1.0));
                ui.label(RichText::new(group).font(theme.small()).color(theme.soft));
            }
            let button = Button::selectable(
                first == Some(*number),
                marked(theme, title, &search.text, (theme.body(), theme.ink)),
            );
            let button = button.min_size(vec2(ui.available_width(), 0.0));
            let button = if taken.contains(number) { button.shortcut_text("✓") } else { button };
            if ui.add(button).on_hover_text(lesson.effort()).clicked() {
                chosen = Some(*number);
            }
        }
        if found.is_empty() {
            ui.weak("No lesson has these words");
        }
    });
    chosen
}

/// How a lesson is found, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// The query is its title.
    Title,
    /// The query is a method of its runs: lessons that presuppose less first, then those of which more runs use it, of a thousand.
    Method(Level, std::cmp::Reverse<usize>),
    /// Its title, group, target or methods have the words, with their rank; then those with the fewest methods, which are most about what was typed.
    Words(usize, usize),
    /// Its text has the words.
    Text,
}

/// The lessons that match a query, the best first; all in their order without one.
fn found(query: &str) -> Vec<usize> {
    let ranked =
        LESSON_TITLES.iter().enumerate().filter_map(|(number, title)| Some((place(query, number, title)?, number)));
    let mut ranked: Vec<(Place, usize)> = ranked.collect();
    if !query.trim().is_empty() {
        ranked.sort_unstable();
    }
    ranked.into_iter().map(|(_, number)| number).collect()
}

fn place(query: &str, number: usize, title: &str) -> Option<Place> {
    let (lesson, words) = (LESSONS.get(number)?, LESSON_WORDS.get(number)?);
    let rank = rank_of_lesson(query, title, (lesson.name, &words.about));
    if rank == Some(0) {
        return Some(Place::Title);
    }
    let asked = query.trim().to_lowercase();
    let is_asked = |name: &str| name.to_lowercase() == asked;
    let with = words.methods.iter().filter(|kind| is_asked(kind.label) || is_asked(kind.name)).count();
    if with > 0 {
        return Some(Place::Method(lesson.level, std::cmp::Reverse(1000 * with / words.methods.len())));
    }
    let different: BTreeSet<&str> = words.methods.iter().map(|kind| kind.name).collect();
    let by_words = rank.map(|rank| Place::Words(rank, different.len()));
    by_words.or_else(|| search::rank(query, "", &words.text).map(|_| Place::Text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lessons_are_found_by_title_and_by_group() {
        assert_eq!(found("").len(), LESSONS.len());
        assert!(found("").is_sorted() && found("no such words anywhere").is_empty());
        for (number, title) in LESSON_TITLES.iter().enumerate() {
            assert_eq!(found(title).first(), Some(&number), "{title}");
            assert!(found(LESSONS[number].group).contains(&number), "{title}");
        }
    }

    #[test]
    fn lessons_are_found_by_their_methods_and_by_their_target() {
        for (number, lesson) in LESSONS.iter().enumerate() {
            let scenario = lesson.unbuilt().unwrap();
            let kinds = scenario.runs.iter().map(|run| run.settings.kind).chain([scenario.target.kind]);
            for kind in kinds {
                assert!(found(kind.label).contains(&number), "{} of {}", kind.label, lesson.name);
            }
        }
        let named = |query| found(query).into_iter().map(|number| LESSONS[number].name).collect::<Vec<_>>();
        assert!(named("svi").contains(&"equal-cost"));
        for query in ["NUTS", "nuts"] {
            assert_eq!(named(query).first(), Some(&"no-u-turn"), "the lesson about it, before others with it");
        }
        // Lessons with a method, the simplest first, before those that only speak of it.
        for kind in ["HMC", "SGLD", "MALA", "Laplace"] {
            let all = found(kind);
            let uses = |number: &usize| {
                let runs = &LESSONS[*number].unbuilt().unwrap().runs;
                runs.iter().any(|run| run.settings.kind.label == kind)
            };
            let first = all.iter().position(|number| !uses(number)).unwrap_or(all.len());
            assert!(first > 0 && !all[first..].iter().any(uses), "{kind}: {:?}", named(kind));
            let exact = usize::from(LESSON_TITLES[all[0]].eq_ignore_ascii_case(kind));
            assert!(all[exact..first].is_sorted_by_key(|number| LESSONS[*number].level), "{kind}: {:?}", named(kind));
        }
        assert_eq!(named("HMC").first(), Some(&"no-u-turn"));
        assert!(named("animals").contains(&"few-data"), "words of the text count as well");
    }
}
