//! Figures: canvases and plots of the window on one sheet of paper.
//!
//! [`draw`] lays out a picture in any [`egui::Ui`]; [`render`] does so without a window and paints the result;
//! [`file()`] makes a file of it, with its scenario inside. The command line and the window call the same.

mod arrangement;
mod caption;
mod cells;
mod columns;
mod description;
mod extras;
mod footer;
mod format;
mod layout;
mod legend;
pub mod measuring;
mod motion;
mod moving;
mod options;
mod panels;
#[cfg(test)]
mod panels_alike;
mod picture;
mod pieces;
mod preset;
#[cfg(test)]
mod properties;
mod shared;
mod sight;
mod size;
mod space;

use crate::kit::{told, written};
use crate::theme;
use crate::views::PlotsOf;
use crate::words::notation::Notation;
use crate::words::{markup, prose};
use base::params::ParamErrors;
use engine::scenario::{Scenario, write_carried};
use engine::session::{Frame, RunFrame};
use figure::movie::{Movie, MovieError};
use figure::pdf::Attachment;
use figure::remake::python::PythonError;
use figure::source::Source;
use figure::vector::{GRID, Page, Script, as_mathtext};
use figure::{self, FigureError};

pub use crate::canvas::{Draws, Layers};
pub use crate::kit::told::{Spot, Told};
pub use arrangement::{of_view, panels_of, rearrange};
pub use description::{CAPTION_FILE, CaptionForm, Description};
pub use extras::{Extras, Swept, runs_alike};
pub use format::{Format, ReadError, SCENARIO_FILE, SCENARIO_KEY};
pub use layout::{draw, sheet_tab};
pub use motion::{FRAMES, Motion, Over, Poster, RATES};
pub use moving::Moving;
pub use options::{ExportOptions, Paper, Parts};
pub use picture::Picture;
pub use pieces::shown_measures;
pub use preset::{Group, Preset};
pub use size::{Dimensions, RESOLUTIONS, Sides, SidesError, SizeError, TEXTS, Unit};
use thiserror::Error;

/// Draws a figure without a window.
///
/// # Errors
/// If the size is not possible.
pub fn render(frame: &Frame, options: &ExportOptions, extras: &Extras) -> Result<figure::Picture, DrawError> {
    Ok(render_told(frame, options, extras)?.0)
}

/// The same with what the figure tells beside its picture.
///
/// # Errors
/// If the size is not possible.
pub fn render_told(
    frame: &Frame,
    options: &ExportOptions,
    extras: &Extras,
) -> Result<(figure::Picture, Told), DrawError> {
    let (layout, told) = lay_out(frame, options, extras, Format::Png)?;
    Ok((layout.paint(options.background())?, told))
}

/// The same figure with fewer pixels, about `most` along its longer side, or somewhat more: the layout is that of the figure.
///
/// # Errors
/// If the size is not possible.
pub fn render_small(
    frame: &Frame,
    options: &ExportOptions,
    extras: &Extras,
    most: u32,
) -> Result<(figure::Picture, Told), DrawError> {
    let (layout, told) = lay_out(frame, options, extras, Format::Png)?;
    Ok((layout.paint_small(options.background(), most)?, told))
}

/// What a figure says in words.
///
/// # Errors
/// If the size is not possible.
pub fn described(frame: &Frame, options: &ExportOptions, extras: &Extras) -> Result<Description, DrawError> {
    let (_, told) = lay_out(frame, options, extras, Format::Png)?;
    Ok(Description::of(frame, options, extras, &told))
}

/// Lays out a figure for a format.
fn lay_out(
    frame: &Frame,
    options: &ExportOptions,
    extras: &Extras,
    format: Format,
) -> Result<(figure::Layout, Told), DrawError> {
    let mut theme = extras.theme(options, &frame.scenario);
    theme.look.cursor = extras.marks_step(frame, options);
    let setup = |context: &egui::Context| {
        theme::install_letters(context, theme.look.typeface);
        theme::apply(context, &theme);
        if options.paper == Paper::Transparent {
            theme::leave_out_paper(context);
        }
        if format.is_vector() {
            figure::vector::ask_for_circles(context, format.most_dots());
        }
    };
    let mut plots = PlotsOf::default();
    let mut told = Told::default();
    let draw = |ui: &mut egui::Ui| {
        draw(ui, frame, &theme, (options, extras), &mut plots);
        told = told::taken(ui.ctx());
    };
    let layout = figure::lay_out(options.size.figure()?, setup, draw)?;
    Ok((layout, told))
}

/// A laid out figure as paths and texts, with what is drawn in the colour of a run called by its name.
fn page(layout: &figure::Layout, frame: &Frame, options: &ExportOptions, extras: &Extras) -> Result<Page, DrawError> {
    let theme = extras.theme(options, &frame.scenario);
    let named =
        |(run, of): (usize, &RunFrame)| (theme.run(run).colour, written::plain_name_of(&theme, run, &of.plan.name));
    let grid = (theme.grid, GRID.to_owned());
    let mut page = layout.page()?;
    page.name_series(&frame.runs.iter().enumerate().map(named).chain([grid]).collect::<Vec<_>>());
    page.formulas = (0..frame.runs.len()).filter_map(|run| formula(theme.own_name(run)?)).collect();
    Ok(page)
}

/// A name with markup as it is read, and as matplotlib sets it; none where that is the same.
fn formula(name: &str) -> Option<(String, String)> {
    let script = |script: markup::Script| match script {
        markup::Script::Line => Script::Line,
        markup::Script::Raised => Script::Raised,
        markup::Script::Lowered => Script::Lowered,
    };
    let parts = markup::parts(name);
    let parts: Vec<(&str, Script)> = parts.iter().map(|part| (part.text.as_str(), script(part.script))).collect();
    let (read, set) = (markup::plain(name), as_mathtext(&parts));
    (read != set).then_some((read, set))
}

/// Reason for a missing figure.
#[derive(Debug, Error)]
pub enum DrawError {
    /// The size is not possible.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// It has no space for what it shows.
    #[error(
        "{0} would show nothing: its plots have no space beside heads and axes. Choose a larger size, smaller text or fewer panels"
    )]
    Nothing(String),
    /// The figure cannot be drawn.
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// The picture does not fit into a PNG.
    #[error(transparent)]
    Png(#[from] figure::png::PngError),
    /// The page cannot be written as SVG.
    #[error(transparent)]
    Svg(#[from] figure::svg::SvgError),
    /// The page cannot be written as PDF.
    #[error(transparent)]
    Pdf(#[from] figure::pdf::PdfError),
    /// The pictures cannot be written one after another.
    #[error(transparent)]
    Movie(#[from] MovieError),
    /// The script cannot be written.
    #[error(transparent)]
    Python(#[from] PythonError),
    /// The experiment at a moment of a figure that moves cannot be built.
    #[error(transparent)]
    Scenario(#[from] ParamErrors),
}

/// Draws a figure as a file with its scenario inside. What some formats have beside it is left out.
///
/// # Errors
/// If the size is not possible.
pub fn file(frame: &Frame, options: &ExportOptions, extras: &Extras, format: Format) -> Result<Vec<u8>, DrawError> {
    Ok(files(frame, options, extras, (format, "figure"))?.0.file)
}

/// Draws a figure as a file with its scenario inside, and what the format has beside it; with what the figure tells beside its picture. `stem` is the name of the file without its extension.
///
/// # Errors
/// If the size is not possible.
pub fn files(
    frame: &Frame,
    options: &ExportOptions,
    extras: &Extras,
    (format, stem): (Format, &str),
) -> Result<(Source, Told), DrawError> {
    let scenario = Scenario { view: extras.view.clone(), ..frame.scenario.as_ref().clone() };
    let text = write_carried(&scenario);
    let (layout, told) = lay_out(frame, options, extras, format)?;
    if space::shows_nothing(&extras.theme(options, &frame.scenario), &told) {
        return Err(DrawError::Nothing(format!("A figure of {}", extras.chosen.unwrap_or(options.size))));
    }
    let words = Description::of(frame, options, extras, &told);
    let (spoken, scenario) = (words.spoken(), (SCENARIO_KEY, text.as_str()));
    let texts: Vec<(&str, &str)> = spoken.texts().into_iter().chain([scenario]).collect();
    let background = options.background();
    let page = || page(&layout, frame, options, extras);
    let alone = |file: Vec<u8>| Source { file, beside: Vec::new() };
    let source = match format {
        Format::Png => alone(figure::png::encode(&layout.paint(background)?, &texts)?),
        Format::Svg => alone(figure::svg::encode(&page()?, background, &spoken, &[scenario])?),
        Format::Pdf => {
            let (name, kind) = (SCENARIO_FILE, "application/toml");
            let scenario = Attachment { name, description: "The experiment of this figure", kind, text: &text };
            alone(figure::pdf::encode(&[page()?], background, &spoken, &[scenario])?)
        }
        Format::Gif => alone(Movie::gif(&layout.paint(background)?, 1, 1, &text)?.finish()?),
        Format::Apng => alone(Movie::apng(&layout.paint(background)?, 1, 1, &texts)?.finish()?),
        Format::Pgf => {
            let written = |text: &str| prose::written(text, Notation::Latex);
            figure::tex::encode(&page()?, background, (stem, &spoken), &[scenario], &written)?
        }
        Format::Typst => {
            let written = |text: &str| prose::written(text, Notation::Typst);
            figure::typst::encode(&page()?, background, (stem, &spoken), &[scenario], &written)?
        }
        Format::Python => figure::remake::python::encode(&page()?, background, &spoken, &[scenario])?,
        Format::VegaLite => {
            let title = layout::title(frame, options, extras);
            let words = (&spoken, title.as_deref());
            alone(figure::remake::vega::encode(&page()?, background, words, &[scenario])?)
        }
    };
    Ok((source, told))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{Fake, Recipe, frame};
    use crate::views::TABS;
    use base::math::Bounds;
    use engine::scenario::ViewSpec;
    use models::targets::Target;

    /// Every picture: what is opaque are lines, text and shades, a small part of it.
    #[test]
    fn transparent_figures_are_transparent_behind_their_plots() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let frame = frame(Fake::grid(), &[recipe]);
        let clear = |picture, paper| {
            let parts = Parts { footer: false, ..Parts::of(picture) };
            let size = Dimensions::of_points([400.0, 300.0], 1.0);
            let options = ExportOptions { picture, size, paper, parts, ..ExportOptions::default() };
            let drawn = render(&frame, &options, &Extras::default()).unwrap();
            let clear = drawn.pixels().iter().filter(|pixel| pixel[3] == 0).count();
            clear as f64 / drawn.pixels().len() as f64
        };
        for picture in Picture::all(1) {
            assert!(clear(picture, Paper::Transparent) > 0.5, "{picture:?}: {}", clear(picture, Paper::Transparent));
        }
        assert!(clear(Picture::Plot(TABS[0]), Paper::Light) < 1e-9);
    }

    /// Views without ends, without width and the wrong way round, and values that are no numbers: each plot, and each canvas, is drawn.
    #[test]
    fn no_plot_breaks_down_where_there_is_no_range() {
        let (nan, infinite) = (f64::NAN, f64::INFINITY);
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let size = Dimensions::of_points([300.0, 220.0], 1.0);
        for (low, high) in [(nan, nan), (-infinite, infinite), (1.0, 1.0), (3.0, -3.0)] {
            let mut made = frame(Fake::grid(), &[recipe]);
            let view = Bounds::new((low, high), (low, high));
            let extras =
                Extras { view: ViewSpec { area: Some([[low, high]; 2]), ..ViewSpec::default() }, ..Extras::default() };
            for picture in Picture::all(1).filter(|picture| !matches!(picture, Picture::Plot(_))) {
                let drawn = render(&made, &ExportOptions { picture, size, ..ExportOptions::default() }, &extras);
                assert!(drawn.is_ok(), "{picture:?}: {low} to {high}");
            }
            made.target = Target::plane(Arc::new(Fake::grid().seen_in(view))).into();
            made.runs[0].positions.fill(base::math::Point::repeat(low));
            let mut measures = made.runs[0].measures.as_ref().clone();
            measures.iter_mut().for_each(|measure| measure.value = Some(low));
            made.runs[0].measures = Arc::new(measures);
            for tab in TABS.into_iter().filter(|tab| (tab.applies)(&made)) {
                let options = ExportOptions { picture: Picture::Plot(tab), size, ..ExportOptions::default() };
                assert!(render(&made, &options, &Extras::default()).is_ok(), "{}: {low} to {high}", tab.spec.name);
            }
        }
    }

    /// Titles and legends of matplotlib have names of runs as formulas, as its axes have their names.
    #[test]
    fn names_with_markup_are_formulas_in_matplotlib() {
        const TEXT: &str = "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 100\n[[run]]\n\
                            name = \"B\"\nmethod = \"sgld\"\nsteps = 100\n[figure]\npanels = \"canvas A ; schedule\"\n[[figure.run]]\n\
                            name = \"A\"\nlabel = '\\hat{\\theta}_1'\n[[figure.run]]\nname = \"B\"\nlabel = '\\beta_{age} \\$5'\n";
        let scenario = engine::scenario::read(TEXT, "test", std::path::Path::new(".")).unwrap();
        let mut session = engine::session::Session::new(scenario).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let size = Dimensions::of_points([400.0, 500.0], 1.0);
        let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
        let extras = Extras::of(frame.scenario.view.clone());
        let script = String::from_utf8(file(&frame, &options, &extras, Format::Python).unwrap()).unwrap();
        for part in [
            r#"ax.set_title("(a) $\\hat{\\theta}_1$""#,
            r#"label="$\\hat{\\theta}_1$""#,
            r#"label="$\\beta_{\\mathrm{age}}$ \\$5""#,
        ] {
            assert!(script.contains(part), "{part}: {script}");
        }
    }

    /// Scripts name the lines at limits of stability, and axes whose names had no space in the figure.
    #[test]
    fn other_programs_name_limits_and_axes() {
        const TEXT: &str = "format = 1\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 100\n\
                            step_size = { kind = \"constant\", value = 0.05 }\n[figure]\npanels = \"1.5* canvas A ; schedule\"\n";
        let scenario = engine::scenario::read(TEXT, "test", std::path::Path::new(".")).unwrap();
        let mut session = engine::session::Session::new(scenario).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let size = Dimensions { sides: [85.0, 50.0], unit: Unit::Millimetres, dpi: 72.0, text: 8.0 };
        let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
        let extras = Extras::of(frame.scenario.view.clone());
        let drawn = |format| files(&frame, &options, &extras, (format, "figure")).unwrap();
        let (source, told) = drawn(Format::Python);
        let script = String::from_utf8(source.file).unwrap();
        assert!(told.warnings.iter().any(|warning| warning.ends_with("horizontal axis: step")), "{:?}", told.warnings);
        assert!(script.contains("ax.set_xlabel(\"step\")") && script.contains("label=\"stable up to 2/λ"), "{script}");
        let vega: String = String::from_utf8(drawn(Format::VegaLite).0.file).unwrap();
        assert!(vega.contains("\"title\": \"step\""), "{vega}");
    }

    /// The mark of the present step is in figures of runs that go on, and where it is asked for.
    #[test]
    fn figures_of_finished_runs_have_no_mark_of_the_present_step() {
        let drawn = |steps: u64, cursor: &str| {
            let text = format!(
                "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 100\n[figure]\n\
                 panels = \"schedule\"\n{cursor}\n"
            );
            let scenario = engine::scenario::read(&text, "test", std::path::Path::new(".")).unwrap();
            let mut session = engine::session::Session::new(scenario).unwrap();
            session.advance(steps);
            let frame = session.frame();
            assert_eq!(frame.finished(), steps > 100);
            let size = Dimensions::of_points([400.0, 300.0], 1.0);
            let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
            render(&frame, &options, &Extras::of(frame.scenario.view.clone())).unwrap().pixels().to_vec()
        };
        let [off, on] = ["cursor = false", "cursor = true"];
        for (steps, same, other) in [(u64::MAX, off, on), (50, on, off)] {
            let usual = drawn(steps, "");
            assert!(usual == drawn(steps, same) && usual != drawn(steps, other), "{steps} steps");
        }
    }

    /// The line of a run is broken as its figure says, in pixels and in paths; other programs get the whole line with its dashes.
    #[test]
    fn lines_of_runs_have_their_dashes() {
        let made = |dash: &str| {
            let text = format!(
                "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 100\n[[run]]\n\
                 name = \"B\"\nmethod = \"sgld\"\nsteps = 100\nstep_size = {{ kind = \"constant\", value = 0.02 }}\n[figure]\n\
                 panels = \"schedule\"\n[[figure.run]]\nname = \"B\"\ndash = \"{dash}\"\n"
            );
            let scenario = engine::scenario::read(&text, "test", std::path::Path::new(".")).unwrap();
            let mut session = engine::session::Session::new(scenario).unwrap();
            session.advance(u64::MAX);
            let frame = session.frame();
            let size = Dimensions::of_points([400.0, 300.0], 1.0);
            let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
            let extras = Extras::of(frame.scenario.view.clone());
            let text = |format| String::from_utf8(file(&frame, &options, &extras, format).unwrap()).unwrap();
            let pixels = render(&frame, &options, &extras).unwrap().pixels().to_vec();
            (pixels, [Format::Svg, Format::Python, Format::VegaLite].map(text))
        };
        let (full, [svg, python, vega]) = made("solid");
        assert!(!python.contains("ls=(0") && !vega.contains("strokeDash"));
        let count = |text: &str, of: &str| text.matches(of).count();
        for dash in ["dashed", "dotted", "dash-dot"] {
            let (broken, [paths, script, description]) = made(dash);
            // A broken line is one path that begins again and again.
            assert!(broken != full && count(&paths, "M") > count(&svg, "M") + 15, "{dash}");
            assert!(script.contains("ls=(0, (") && description.contains("strokeDash"), "{dash}");
            // The line is no heap of dashes there.
            assert_eq!(count(&script, "ax.plot("), count(&python, "ax.plot("), "{dash}: {script}");
        }
    }

    /// A letter and the bar above it are two glyphs, which egui both calls by the letter.
    #[test]
    fn letters_with_marks_are_whole_in_vector_figures() {
        let setup = |context: &egui::Context| {
            theme::install_fonts(context);
            figure::vector::ask_for_shapes(context);
        };
        let size = figure::FigureSize::new(200, 40, 1.0).unwrap();
        let words = "largest p\u{304}p, p\u{304} of";
        let layout = figure::lay_out(size, setup, |ui| drop(ui.label(words))).unwrap();
        let page = layout.page().unwrap();
        let text = |marked: &figure::vector::Clipped| match &marked.mark {
            figure::vector::Mark::Text(piece) => Some(piece.text.clone()),
            _ => None,
        };
        let found: String = page.marks.iter().filter_map(text).collect();
        assert_eq!(found.replace(' ', ""), words.replace(' ', ""));
    }
}
