//! Lessons to choose from: a field to search, and below it those that match under the names of their groups, all of them without a query.

use egui::{Button, Key, RichText, ScrollArea, Ui, vec2};

use super::open_dialog::Search;
use super::search_field::{marked, search_field};
use crate::app::commands::palette::{LESSON_TITLES, LESSON_WORDS};
use crate::app::commands::search::rank_of_lesson;
use draw::theme::Theme;
use engine::scenario::LESSONS;

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

/// The lessons that match a query: the best first, of those that match alike the ones with the fewest methods, which are most about what was
/// typed; and all in their order without one.
fn found(query: &str) -> Vec<usize> {
    let of = |(number, title): (usize, &String)| {
        let (about, methods) = LESSON_WORDS.get(number).map_or(("", 0), |(words, methods)| (words.as_str(), *methods));
        let file = LESSONS.get(number)?.name;
        Some((rank_of_lesson(query, title, (file, about))?, methods, number))
    };
    let mut ranked: Vec<(usize, usize, usize)> = LESSON_TITLES.iter().enumerate().filter_map(of).collect();
    if !query.trim().is_empty() {
        ranked.sort_unstable();
    }
    ranked.into_iter().map(|(.., number)| number).collect()
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
    }
}
