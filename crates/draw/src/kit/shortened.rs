//! Names of runs that have no space on a screen: their middle is left out, so that names that begin alike are told apart by their ends.

use egui::{Color32, FontId, Label, Response, RichText, Role, Ui, WidgetInfo};

/// What stands for what is left out.
const LEFT_OUT: char = '…';

/// A name in a font within so many points: as it is, or without its middle; empty where there is no space even for dots.
#[must_use]
pub fn shortened(ui: &Ui, name: &str, font: &FontId, room: f32) -> String {
    cut(name, |text| width(ui, text, font) <= room)
}

/// Adds a name, without its middle where it has no space.
pub fn label(ui: &mut Ui, name: &str, font: &FontId, colour: Color32) -> Response {
    let shown = shortened(ui, name, font, ui.available_width());
    let is_whole = shown == name;
    let response = ui.add(Label::new(RichText::new(shown).font(font.clone()).color(colour)).truncate());
    if is_whole { response } else { tell_whole(ui, response, name) }
}

/// Says the whole of a name at the pointer, and to those who hear it read.
pub(crate) fn tell_whole(ui: &Ui, shown: Response, whole: &str) -> Response {
    shown.widget_info(|| WidgetInfo::labeled(Role::Label, ui.is_enabled(), whole));
    shown.on_hover_text(whole)
}

/// The width of a name in a font.
#[must_use]
pub fn width(ui: &Ui, name: &str, font: &FontId) -> f32 {
    ui.painter().layout_no_wrap(name.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x
}

/// The width that names of these widths have at most, so that all of them have space: short ones stay whole.
#[must_use]
pub(crate) fn fair(widths: &[f32], room: f32) -> f32 {
    let mut sorted = widths.to_vec();
    sorted.sort_by(f32::total_cmp);
    let mut left = room.max(0.0);
    for (number, wide) in sorted.iter().enumerate() {
        let each = left / (sorted.len() - number) as f32;
        if *wide > each {
            return each;
        }
        left -= wide;
    }
    f32::INFINITY
}

/// A text without as much of its middle as it takes to fit.
fn cut(text: &str, fits: impl Fn(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let with = |kept: usize| {
        let begin = letters.iter().take(kept.div_ceil(2));
        // A mark stands with its letter.
        let end = letters.iter().skip(letters.len() - kept / 2).skip_while(|letter| is_mark(**letter));
        begin.chain([&LEFT_OUT]).chain(end).collect::<String>()
    };
    let (mut fitting, mut too_many) = (0, letters.len());
    while fitting + 1 < too_many {
        let middle = usize::midpoint(fitting, too_many);
        *(if fits(&with(middle)) { &mut fitting } else { &mut too_many }) = middle;
    }
    let found = with(fitting);
    if fits(&found) { found } else { String::new() }
}

/// Whether a character stands above the letter before it.
fn is_mark(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text of at most so many letters.
    fn within(text: &str, most: usize) -> String {
        cut(text, |text| text.chars().count() <= most)
    }

    #[test]
    fn names_that_begin_alike_are_told_apart_by_their_ends() {
        assert_eq!(within("A run with a long name 7", 18), "A run wit…g name 7");
        assert_eq!(within("A run with a long name 8", 18), "A run wit…g name 8");
        assert_eq!(within("A run", 5), "A run", "it has space");
        assert_eq!(within("Long name", 3), "L…e");
        assert_eq!(within("Long name", 1), "…");
        assert_eq!(within("Long name", 0), "");
        assert_eq!(within("abcx\u{304}y", 3), "a…y");
        assert_eq!(within("abcdx\u{304}", 3), "ab…", "a mark is not without its letter");
    }

    #[test]
    fn all_names_get_space_and_short_ones_stay_whole() {
        assert!(fair(&[10.0, 20.0], 30.0).is_infinite());
        assert!((fair(&[10.0, 40.0, 60.0], 70.0) - 30.0).abs() < 1e-4);
        assert!((fair(&[50.0; 8], 80.0) - 10.0).abs() < 1e-4);
        assert!(fair(&[50.0], -3.0).abs() < 1e-4);
    }
}
