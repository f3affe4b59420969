//! What a figure of a scenario looks like: its `[figure]` table, as data. It never changes a result.
//!
//! Panels stand in rows. A file says them in one text, as they stand on paper: `canvas SGLD | canvas cSGLD ; schedule` are two canvases
//! above a plot. What is left out is as the window has it.

mod own;
mod spec;
mod venues;

use toml::de::{DeTable, DeValue};

use super::table_reader::{TableReader, found};
use super::view::TABS;
use super::write::settings_lines_but;
use base::params::{KindSpec, ParamError, Settings, Value, find_kind};

pub use own::{Note, OwnAxis, axes_of, notes_of, ticks};
pub use spec::FIGURE;
pub use venues::{Place, Typeface, VENUES, Venue, venue};

/// What stands between two rows, and between two panels of a row.
const ROW: char = ';';
const PANEL: char = '|';

/// The word of the canvas of a run, before its name.
const CANVAS: &str = "canvas";

/// The words of the canvas with all runs, and of the readout.
const OVERLAY: &str = "overlay";
const READOUT: &str = "readout";

/// Keys that files had not from the start: they are written where they say something, so that figures of older scenarios keep their bytes.
const LATER: [&str; 4] = ["share_x", "aspect", "strip", "floors"];

/// Most panels of a figure.
pub const MOST_PANELS: usize = 24;

/// Most panels of a row, and rows.
pub const MOST_IN_LINE: usize = 6;

/// A part of a figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Panel {
    /// The canvas of a run, by its name.
    Canvas(String),
    /// The canvas with all runs.
    Overlay,
    /// The table of measures.
    Readout,
    /// The plot of a tab.
    Plot(&'static KindSpec),
}

/// A row of panels with its height, and the widths of its panels, each relative to the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The panels, from left to right, each with its width.
    pub panels: Vec<(Panel, f64)>,
    /// The height.
    pub height: f64,
}

/// The rows of panels in a text: `canvas SGLD | canvas cSGLD ; schedule`. A panel or the first panel of a row may have a number in front of
/// it, its width and the height of its row: `2: canvas SGLD`; a row has `3*` in front of all of it.
///
/// # Errors
/// With the panel that is not known, or the place where one is missing.
pub fn rows(text: &str, runs: &[&str]) -> Result<Vec<Row>, ParamError> {
    let rows: Vec<Row> = text.split(ROW).map(|row| one_row(row, runs)).collect::<Result<_, _>>()?;
    let widest = rows.iter().map(|row| row.panels.len()).max().unwrap_or(0);
    if rows.len() > MOST_IN_LINE || widest > MOST_IN_LINE {
        let problem = format!("{} rows of up to {widest} panels", rows.len());
        return Err(ParamError::new(
            "panels",
            problem,
            format!("at most {MOST_IN_LINE} rows of {MOST_IN_LINE} panels"),
        ));
    }
    Ok(rows)
}

fn one_row(text: &str, runs: &[&str]) -> Result<Row, ParamError> {
    let (height, rest) = before(text, '*');
    let panels = rest.split(PANEL).map(|panel| {
        let (width, name) = before(panel, ':');
        Ok((one_panel(name.trim(), runs)?, width))
    });
    Ok(Row { panels: panels.collect::<Result<_, ParamError>>()?, height })
}

/// A number from a tenth to ten in front of a sign, with what follows it; 1 and all of the text where there is none.
fn before(text: &str, sign: char) -> (f64, &str) {
    let split = text.split_once(sign).and_then(|(number, rest)| Some((number.trim().parse::<f64>().ok()?, rest)));
    split.filter(|(number, _)| (0.1..=10.0).contains(number)).unwrap_or((1.0, text))
}

fn one_panel(name: &str, runs: &[&str]) -> Result<Panel, ParamError> {
    let run = |name: &str| runs.iter().find(|run| **run == name).map(|run| Panel::Canvas((*run).to_owned()));
    let canvas = name.strip_prefix(CANVAS).map(str::trim).and_then(run);
    let plot = || find_kind(&TABS, name).map(Panel::Plot);
    let found = match name {
        OVERLAY => Some(Panel::Overlay),
        READOUT => Some(Panel::Readout),
        _ => canvas.or_else(plot),
    };
    found.ok_or_else(|| {
        let problem = if name.is_empty() {
            "a panel is missing".to_owned()
        } else {
            format!("unknown panel \"{}\"", base::params::excerpt(name))
        };
        let canvases = runs.iter().map(|run| format!("{CANVAS} {run}"));
        let plots = TABS.iter().map(|tab| tab.name.to_owned());
        let words =
            canvases.chain([OVERLAY.to_owned(), READOUT.to_owned()]).chain(plots).collect::<Vec<_>>().join(", ");
        ParamError::new("panels", problem, format!("{words}; {PANEL} between panels, {ROW} between rows"))
    })
}

/// The text of rows of panels, which [`rows`] reads as the same.
#[must_use]
pub fn text_of(rows: &[Row]) -> String {
    let number =
        |number: f64, sign: char| if (number - 1.0).abs() < 1e-9 { String::new() } else { format!("{number}{sign} ") };
    let name = |panel: &Panel| match panel {
        Panel::Canvas(run) => format!("{CANVAS} {run}"),
        Panel::Overlay => OVERLAY.to_owned(),
        Panel::Readout => READOUT.to_owned(),
        Panel::Plot(kind) => kind.name.to_owned(),
    };
    let row = |row: &Row| {
        let panels = row.panels.iter().map(|(panel, width)| number(*width, ':') + &name(panel));
        number(row.height, '*') + &panels.collect::<Vec<_>>().join(" | ")
    };
    rows.iter().map(row).collect::<Vec<_>>().join(" ; ")
}

/// The text or the word under a key, where there is one.
#[must_use]
pub fn given<'a>(settings: &'a Settings, key: &str) -> Option<&'a str> {
    Some(settings.word(key)).filter(|text| !text.is_empty())
}

/// The table of a document with runs of these names.
pub(super) fn read(document: &DeTable<'_>, runs: &[&str], reader: &mut TableReader) -> Option<Settings> {
    let value = document.get(FIGURE.name)?;
    reader.locate(FIGURE.name, value.span());
    let DeValue::Table(table) = value.get_ref() else {
        reader.fault(&value.span(), ParamError::new(FIGURE.name, found(value), "a [figure] table"));
        return None;
    };
    let before = reader.count();
    let settings = reader.settings(table, &value.span(), FIGURE.name, &FIGURE, &[]);
    if reader.count() > before {
        return None;
    }
    for error in errors(&settings, runs) {
        reader.fault_at_path(error.under(FIGURE.name));
    }
    (reader.count() == before).then_some(settings)
}

/// The lines of a file.
pub(super) fn write(figure: Option<&Settings>, text: &mut String) {
    if let Some(figure) = figure {
        text.push_str("\n[figure]\n");
        settings_lines_but(text, figure, &LATER);
    }
}

/// Follows a change of the names of runs, `after` taking the place of `before`; with `None` the run is removed, and its panels with it.
pub(super) fn follow_run(figure: &mut Settings, before: &str, after: Option<&str>) {
    let styles = figure.list("run").iter().filter_map(|style| {
        let mut style = style.clone();
        if style.word("name") == before {
            style.set("name", Value::Text(after?.to_owned())).ok()?;
        }
        Some(style)
    });
    let styles: Vec<Settings> = styles.collect();
    // What was in the list may be in it, and the text of panels is any text.
    if styles.is_empty() {
        figure.clear("run");
    } else {
        figure.set("run", Value::List(styles)).ok();
    }
    let Some(text) = given(figure, "panels") else { return };
    let rows = text.split(ROW).filter_map(|row| {
        let panels = row.split(PANEL).filter_map(|panel| match panel.rsplit_once(CANVAS) {
            Some((lead, name)) if name.trim() == before => after.map(|after| format!("{lead}{CANVAS} {after} ")),
            _ => Some(panel.to_owned()),
        });
        let panels: Vec<String> = panels.collect();
        (!panels.is_empty()).then(|| panels.join("|"))
    });
    let text = rows.collect::<Vec<_>>().join(";");
    if text.is_empty() {
        figure.clear("panels");
    } else {
        figure.set("panels", Value::Text(text.trim_end().to_owned())).ok();
    }
}

/// What is wrong with a figure of a scenario with runs of these names, with paths from the figure down.
#[must_use]
pub fn errors(figure: &Settings, runs: &[&str]) -> Vec<ParamError> {
    let mut errors = Vec::new();
    if let Some(text) = given(figure, "panels") {
        errors.extend(rows(text, runs).err());
    }
    for (number, style) in figure.list("run").iter().enumerate() {
        let path = |key: &str| format!("run[{number}].{key}");
        let name = style.word("name");
        if !runs.contains(&name) {
            let problem = format!("there is no run \"{}\"", base::params::excerpt(name));
            errors.push(ParamError::new(path("name"), problem, runs.join(", ")));
        }
        errors.extend(own::colour_error(style).map(|error| error.under(&format!("run[{number}]"))));
    }
    let panels = given(figure, "panels").and_then(|text| rows(text, runs).ok());
    let count = |rows: Vec<Row>| rows.iter().map(|row| row.panels.len()).sum();
    errors.extend(own::errors(figure, panels.map(count)));
    errors
}

/// The figure without what is wrong with it: of what no file could say, nothing is drawn.
#[must_use]
pub fn without_errors(figure: &Settings, runs: &[&str]) -> Settings {
    let mut figure = figure.clone();
    let mut gone = Vec::new();
    for ParamError { path, .. } in errors(&figure, runs) {
        match own::entry(&path) {
            None => figure.clear(&path),
            // Without its panel or its run an entry means nothing.
            Some((list, number, "panel" | "name")) => gone.push((list.to_owned(), number)),
            Some((list, number, key)) => own::change(&mut figure, list, |entries| {
                entries.get_mut(number).into_iter().for_each(|entry| entry.clear(key));
            }),
        }
    }
    gone.sort();
    gone.dedup();
    for (list, number) in gone.into_iter().rev() {
        own::change(&mut figure, &list, |entries| drop(entries.remove(number)));
    }
    figure
}

/// The number of rows of panels that a figure says, or that it has at first.
#[must_use]
pub fn row_count(figure: Option<&Settings>) -> usize {
    /// Canvases above a plot.
    const USUAL: usize = 2;
    figure.and_then(|figure| given(figure, "panels")).map_or(USUAL, |text| text.split(ROW).count())
}

/// Red, green and blue of a colour that is written as #0072b2, or without its sign.
#[must_use]
pub fn colour_of(text: &str) -> Option<[u8; 3]> {
    let text = text.trim();
    let digits = text.strip_prefix('#').unwrap_or(text);
    let digits =
        Some(digits).filter(|digits| digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    let part = |from: usize| u8::from_str_radix(&digits[from..from + 2], 16).ok();
    Some([part(0)?, part(2)?, part(4)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_are_read() {
        let runs = ["SGLD", "VI, mean field"];
        let canvas = |run: &str| Panel::Canvas(run.to_owned());
        let read = rows("2* canvas SGLD | 1.5: canvas VI, mean field ; readout", &runs).unwrap();
        let expected = [
            Row { panels: vec![(canvas("SGLD"), 1.0), (canvas("VI, mean field"), 1.5)], height: 2.0 },
            Row { panels: vec![(Panel::Readout, 1.0)], height: 1.0 },
        ];
        assert_eq!(read, expected);
        assert_eq!(text_of(&read), "2* canvas SGLD | 1.5: canvas VI, mean field ; readout");
        let spaced = rows("  canvas SGLD|trace ", &runs).unwrap();
        assert_eq!(spaced[0].panels.len(), 2);
        for (text, words) in [
            (
                "canvas MALA",
                "unknown panel \"canvas MALA\"; allowed: canvas SGLD, canvas VI, mean field, overlay, readout, schedule,",
            ),
            ("trace |", "a panel is missing"),
            ("", "a panel is missing"),
            ("trace|trace|trace|trace|trace|trace|trace", "1 rows of up to 7 panels"),
        ] {
            let error = rows(text, &runs).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    /// A run keeps its panels and its look under another name, and takes them with it.
    #[test]
    fn panels_and_looks_follow_their_run() {
        let base::params::ParamType::List(kind) = FIGURE.param("run").unwrap().ty else { panic!("a list of runs") };
        let mut look = Settings::defaults(kind);
        look.set("name", Value::Text("A".to_owned())).unwrap();
        let mut figure = Settings::defaults(&FIGURE);
        figure.set("run", Value::List(vec![look])).unwrap();
        figure.set("panels", Value::Text("2* canvas A | canvas B ; canvas A ; trace".to_owned())).unwrap();
        follow_run(&mut figure, "A", Some("C"));
        assert_eq!(figure.list("run")[0].word("name"), "C");
        let renamed = rows("2* canvas C | canvas B ; canvas C ; trace", &["B", "C"]).unwrap();
        assert_eq!(rows(figure.word("panels"), &["B", "C"]).unwrap(), renamed);
        follow_run(&mut figure, "C", None);
        let left = rows(figure.word("panels"), &["B"]).unwrap();
        assert_eq!(left.iter().map(|row| row.panels.len()).collect::<Vec<_>>(), [1, 1]);
        assert!(figure.list("run").is_empty() && errors(&figure, &["B"]).is_empty());
    }

    #[test]
    fn what_is_wrong_with_a_figure_can_be_left_out() {
        let entries = |key: &str, values: &[&[(&str, Value)]]| {
            let base::params::ParamType::List(kind) = FIGURE.param(key).unwrap().ty else { panic!("{key} is no list") };
            let entry = |values: &&[(&str, Value)]| {
                let mut entry = Settings::defaults(kind);
                values.iter().for_each(|(key, value)| entry.set(key, value.clone()).unwrap());
                entry
            };
            Value::List(values.iter().map(entry).collect())
        };
        let text = |text: &str| Value::Text(text.to_owned());
        let mut figure = Settings::defaults(&FIGURE);
        figure.set("panels", text("canvas A ; trace")).unwrap();
        figure
            .set("run", entries("run", &[&[("name", text("A")), ("colour", text("blue"))], &[("name", text("Z"))]]))
            .unwrap();
        let limits = ("limits", Value::Pair([2.0, 1.0]));
        let x = ("axis", Value::Choice("x"));
        figure
            .set(
                "axis",
                entries(
                    "axis",
                    &[&[x.clone(), limits], &[x.clone(), ("panel", Value::Number(9.0))], &[x, ("unit", text("s"))]],
                ),
            )
            .unwrap();
        let runs = ["A"];
        assert_eq!(errors(&figure, &runs).len(), 4);
        let mended = without_errors(&figure, &runs);
        assert!(errors(&mended, &runs).is_empty());
        assert_eq!((mended.list("run").len(), mended.list("axis").len()), (1, 2));
        assert_eq!((mended.list("axis")[0].get("limits"), mended.list("axis")[1].word("unit")), (None, "s"));
        assert_eq!((mended.word("panels"), row_count(Some(&mended))), ("canvas A ; trace", 2));
    }

    /// What a scenario says that knows nothing of later keys is written as it was before there were any.
    #[test]
    fn later_keys_are_written_where_they_say_something() {
        let mut figure = Settings::defaults(&FIGURE);
        let written = |figure: &Settings| {
            let mut text = String::new();
            write(Some(figure), &mut text);
            text
        };
        assert!(LATER.iter().all(|key| !written(&figure).contains(key)), "{}", written(&figure));
        assert!(written(&figure).contains("stability = true"));
        figure.set("share_x", Value::Flag(true)).unwrap();
        figure.set("floors", Value::Flag(false)).unwrap();
        let text = written(&figure);
        assert!(
            text.contains("share_x = true") && text.contains("floors = false") && !text.contains("strip"),
            "{text}"
        );
    }

    #[test]
    fn colours_are_those_of_the_web() {
        assert_eq!(colour_of("#0072b2"), Some([0, 0x72, 0xb2]));
        assert_eq!(colour_of("0072b2"), Some([0, 0x72, 0xb2]));
        assert_eq!(colour_of(" #FFFFFF"), Some([255; 3]));
        for wrong in ["0072b", "##0072b2", "+072b2", "#0072b", "#0072b2ff", "#gg72b2", "#é0é", ""] {
            assert_eq!(colour_of(wrong), None, "{wrong}");
        }
    }
}
