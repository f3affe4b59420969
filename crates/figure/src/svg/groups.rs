//! Groups of an SVG: panels, in them series, in them what is cut off by the same rectangle.

use std::collections::BTreeSet;

use egui::{Rect, Vec2};

use super::super::vector::{Of, Page};
use super::{escaped, line, number};

/// The groups that are open at a place of the file.
#[derive(Debug)]
pub(super) struct Groups<'a> {
    page: &'a Page,
    panel: Option<usize>,
    series: Option<usize>,
    clip: Option<Rect>,
    /// The clip rectangles that have a definition, by number.
    clips: Vec<Rect>,
    /// The identifiers that are in use.
    names: BTreeSet<String>,
    /// That of the open panel.
    prefix: String,
}

impl<'a> Groups<'a> {
    /// None is open yet.
    pub fn of(page: &'a Page) -> Self {
        let (names, prefix) = (BTreeSet::new(), String::new());
        Self { page, panel: None, series: None, clip: None, clips: Vec::new(), names, prefix }
    }

    /// Opens the groups of a mark, after those that it does not belong to are closed.
    pub fn enter(&mut self, file: &mut String, of: Of, clip: Option<Rect>) {
        let other_panel = of.panel != self.panel;
        let other_series = other_panel || of.series != self.series;
        if !other_series && clip == self.clip {
            return;
        }
        self.close(file, other_panel, other_series);
        if other_panel {
            self.panel = of.panel;
            let name = of.panel.and_then(|panel| self.page.panels.get(panel));
            self.prefix = name.map(|name| self.open(file, name, name)).unwrap_or_default();
        }
        if other_series {
            self.series = of.series;
            if let Some(name) = of.series.and_then(|series| self.page.series.get(series)) {
                let id = format!("{} {name}", self.prefix);
                self.open(file, &id, name);
            }
        }
        if let Some(clip) = clip {
            let known = self.clips.iter().position(|known| *known == clip);
            let index = known.unwrap_or_else(|| {
                definition(file, self.clips.len(), clip);
                self.clips.push(clip);
                self.clips.len() - 1
            });
            line(file, &format!(r#"<g clip-path="url(#clip{index})">"#));
            self.clip = Some(clip);
        }
    }

    /// Closes all that are open.
    pub fn leave(&mut self, file: &mut String) {
        self.close(file, true, true);
    }

    fn close(&mut self, file: &mut String, panel: bool, series: bool) {
        let open =
            [self.clip.take().is_some(), series && self.series.take().is_some(), panel && self.panel.take().is_some()];
        open.into_iter().filter(|open| *open).for_each(|_| line(file, "</g>"));
    }

    /// Opens a group with a name, under an identifier that no other has.
    fn open(&mut self, file: &mut String, id: &str, name: &str) -> String {
        let plain: String =
            id.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
        let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
        let mut id = words.join("-");
        if !id.starts_with(|first: char| first.is_ascii_alphabetic()) {
            id = format!("g-{id}");
        }
        let mut unused = id.clone();
        let mut number = 1;
        while !self.names.insert(unused.clone()) {
            number += 1;
            unused = format!("{id}-{number}");
        }
        line(file, &format!(r#"<g id="{unused}" inkscape:label="{}">"#, escaped(name)));
        unused
    }
}

/// The definition of a clip rectangle.
fn definition(file: &mut String, index: usize, clip: Rect) {
    let size = clip.size().max(Vec2::ZERO);
    let (point, size) = ([clip.min.x, clip.min.y].map(number), [size.x, size.y].map(number));
    line(
        file,
        &format!(
            r#"<clipPath id="clip{index}"><rect x="{}" y="{}" width="{}" height="{}"/></clipPath>"#,
            point[0], point[1], size[0], size[1]
        ),
    );
}
