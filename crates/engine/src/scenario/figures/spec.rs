//! The parameters of `[figure]`.

use super::venues::CHOICES;
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamSpec, ParamType};

const fn choice(name: &'static str, label: &'static str, help: &'static str) -> Choice {
    Choice { name, label, help }
}

const fn flag(key: &'static str, label: &'static str, help: &'static str) -> ParamSpec {
    ParamSpec::of(key, label, ParamType::Flag, DefaultValue::Flag(true), help)
}

const fn text(key: &'static str, label: &'static str, help: &'static str) -> ParamSpec {
    ParamSpec::of(key, label, ParamType::Text, DefaultValue::Absent, help)
}

const TYPEFACES: [Choice; 3] = [
    choice("inter", "Inter", "That of the window."),
    choice("serif", "serif (Times)", "TeX Gyre Termes, as in most papers."),
    choice("sans", "sans serif (Helvetica)", "TeX Gyre Heros."),
];

const LETTERS: [Choice; 5] = [
    choice("none", "none", "No letters."),
    choice("(a)", "(a), (b)", "Small letters in brackets."),
    choice("a", "a, b", "Small letters."),
    choice("A", "A, B", "Capitals."),
    choice("(A)", "(A), (B)", "Capitals in brackets."),
];

/// Palettes of runs: Okabe and Ito (2008), "Color Universal Design"; Tol (2021), "Colour schemes", SRON/EPS/TN/09-002; Brewer's Dark2.
const PALETTES: [Choice; 6] = [
    choice("own", "own", "Those of the window."),
    choice("okabe-ito", "Okabe–Ito", "Told apart with every kind of colour vision."),
    choice("tol-bright", "Tol, bright", "Told apart with every kind of colour vision."),
    choice("tol-high-contrast", "Tol, high contrast", "Three colours that stay apart in grey too."),
    choice("dark2", "ColorBrewer Dark2", "Strong colours of one lightness."),
    choice("greys", "greys", "For print in black; markers tell runs apart."),
];

const MARKERS: [Choice; 8] = [
    choice("circle", "circle", "A disc."),
    choice("square", "square", "A square."),
    choice("diamond", "diamond", "A square on its corner."),
    choice("up", "triangle", "A triangle."),
    choice("down", "triangle down", "A triangle on its corner."),
    choice("plus", "plus", "Two strokes."),
    choice("cross", "cross", "Two strokes aslant."),
    choice("asterisk", "asterisk", "Three strokes."),
];

const RUN_PARAMS: [ParamSpec; 4] = [
    ParamSpec::of("name", "run", ParamType::Text, DefaultValue::Required, "The run, by its name."),
    text("label", "label", "What the figure calls it; its name if left out."),
    text("colour", "colour", "Its colour, as #0072b2; that of the palette if left out."),
    ParamSpec::of("marker", "marker", ParamType::Choice(&MARKERS), DefaultValue::Absent, "Its marker."),
];

const RUN: KindSpec = KindSpec { name: "run", label: "run", help: "The look of a run.", params: &RUN_PARAMS };

const PARAMS: [ParamSpec; 16] = [
    text(
        "panels",
        "panels",
        "What stands in it: canvas NAME, overlay, readout or a tab; | between panels, ; between rows. A number before a colon is a \
         panel's width, before * a row's height: \"2* canvas SGLD | canvas cSGLD ; schedule\".",
    ),
    ParamSpec::of(
        "size",
        "size",
        ParamType::Choice(&CHOICES),
        DefaultValue::Absent,
        "The place on paper, which gives width, height, text and typeface.",
    ),
    ParamSpec::number(
        "height",
        "height",
        50.0,
        Interval::closed(20.0, 1000.0),
        (30.0, 200.0),
        "The height, where it is not that of the size.",
    )
    .optional()
    .unit("mm"),
    ParamSpec::number(
        "text",
        "text",
        8.0,
        Interval::closed(4.0, 72.0),
        (5.0, 14.0),
        "The size of text, where it is not that of the size.",
    )
    .optional()
    .unit("pt"),
    ParamSpec::of(
        "typeface",
        "typeface",
        ParamType::Choice(&TYPEFACES),
        DefaultValue::Absent,
        "The letters; those of the size if left out.",
    ),
    ParamSpec::of(
        "letters",
        "letters",
        ParamType::Choice(&LETTERS),
        DefaultValue::Word("(a)"),
        "The letters of the panels, where there are several.",
    ),
    ParamSpec::of(
        "palette",
        "palette",
        ParamType::Choice(&PALETTES),
        DefaultValue::Word("own"),
        "The colours of the runs, in their order.",
    ),
    ParamSpec::number(
        "line",
        "line width",
        1.0,
        Interval::closed(0.25, 4.0),
        (0.5, 2.0),
        "The width of lines, as a multiple of the usual one.",
    ),
    text("x", "name of x", "The name of the horizontal axis of canvases, such as θ₁; that of the target if left out."),
    text("y", "name of y", "The name of the vertical axis of canvases."),
    flag("grid", "grid lines", "Lines behind plots at the ticks."),
    flag("cursor", "present step", "The line at the present step in plots over the run."),
    flag("stability", "limit of stability", "The line 2/λ in plots of step sizes."),
    flag("warnings", "warnings", "What is wrong with a run, above its canvas."),
    flag("details", "details of canvases", "Contours, step size and number of draws beside the names of runs."),
    ParamSpec::of(
        "run",
        "runs",
        ParamType::List(&RUN),
        DefaultValue::Absent,
        "The look of single runs: [[figure.run]] tables with name, label, colour and marker.",
    ),
];

/// The table `[figure]`.
pub const FIGURE: KindSpec = KindSpec {
    name: "figure",
    label: "Figure",
    help: "What a figure of the scenario looks like. It changes no result.",
    params: &PARAMS,
};
