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

/// Palettes of runs: Okabe and Ito (2008), "Color Universal Design"; Tol (2021), "Colour schemes", SRON/EPS/TN/09-002; Brewer's Dark2; five
/// colours each of matplotlib's viridis and plasma and of cividis (Nuñez, Anderton and Renslow, 2018), without their pale ends.
const PALETTES: [Choice; 9] = [
    choice("own", "own", "Those of the window."),
    choice("okabe-ito", "Okabe–Ito", "Told apart with every kind of colour vision."),
    choice("tol-bright", "Tol, bright", "Told apart with every kind of colour vision."),
    choice("tol-high-contrast", "Tol, high contrast", "Three colours that stay apart in grey too."),
    choice("dark2", "ColorBrewer Dark2", "Strong colours of one lightness."),
    choice("viridis", "viridis", "From dark to light, for runs that are in an order."),
    choice("plasma", "plasma", "From dark to light, for runs that are in an order."),
    choice("cividis", "cividis", "From dark to light, the same with red-green colour blindness."),
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

const DASHES: [Choice; 4] = [
    choice("solid", "solid", "Full lines."),
    choice("dashed", "dashed", "Dashes."),
    choice("dotted", "dotted", "Dots."),
    choice("dash-dot", "dash-dot", "Dashes and dots by turns."),
];

const SPINES: [Choice; 3] = [
    choice("none", "none", "No lines along the axes."),
    choice("left-bottom", "left and bottom", "Lines along both axes."),
    choice("box", "box", "Lines around each plot."),
];

const ASPECTS: [Choice; 2] = [
    choice("equal", "equal", "One unit is equally long along both axes; the axes are fitted into their panel."),
    choice("free", "free", "The axes fill their panel."),
];

const LEGENDS: [Choice; 9] = [
    choice("above", "above", "Names of runs above each plot."),
    choice("top-left", "top left", "Inside of each plot."),
    choice("top-right", "top right", "Inside of each plot."),
    choice("bottom-left", "bottom left", "Inside of each plot."),
    choice("bottom-right", "bottom right", "Inside of each plot."),
    choice("right", "at the right", "Outside of each plot."),
    choice(
        "ends",
        "at the ends",
        "At the ends of the curves, as far as there is space; above where a plot has no curves.",
    ),
    choice("once", "once, above all", "Above all panels, once; no panel of several runs has names of its own."),
    choice("none", "none", "No names of runs."),
];

const SIDES: [Choice; 2] = [choice("x", "x", "The horizontal axis."), choice("y", "y", "The vertical axis.")];

/// Most panels of a figure as a number.
const MOST: f64 = super::MOST_PANELS as f64;

const PANEL: ParamSpec = ParamSpec::integer(
    "panel",
    "panel",
    1.0,
    Interval::closed(1.0, MOST),
    (1.0, 6.0),
    "The number of the panel, from 1 in the order of reading.",
);

const AXIS_PARAMS: [ParamSpec; 7] = [
    ParamSpec { help: "The number of the panel, from 1; all panels if left out.", ..PANEL }.optional(),
    ParamSpec::of("axis", "axis", ParamType::Choice(&SIDES), DefaultValue::Required, "The axis: x or y."),
    text("name", "name", "Its name, such as \\log p(θ | x); that of the plot if left out."),
    text("unit", "unit", "Its unit, in brackets behind the name."),
    ParamSpec::of(
        "limits",
        "limits",
        ParamType::Pair { legal: Interval::ANY },
        DefaultValue::Absent,
        "Its lower and upper end, in the numbers of its ticks.",
    ),
    text(
        "ticks",
        "ticks",
        "Where its ticks are, and what they are called where that is no number: \"0, 0.5 = half, 1\".",
    ),
    ParamSpec::integer(
        "count",
        "number of ticks",
        5.0,
        Interval::closed(2.0, 20.0),
        (2.0, 10.0),
        "About how many ticks it has, at round numbers.",
    )
    .optional(),
];

/// An axis of panels.
pub(super) const AXIS: KindSpec =
    KindSpec { name: "axis", label: "axis", help: "An axis of a panel, or of all.", params: &AXIS_PARAMS };

const NOTE_PARAMS: [ParamSpec; 6] = [
    PANEL,
    ParamSpec::of("text", "text", ParamType::Text, DefaultValue::Required, "What it says."),
    ParamSpec::of(
        "at",
        "at",
        ParamType::Pair { legal: Interval::ANY },
        DefaultValue::Absent,
        "Where its middle is, in the numbers of the ticks of the panel; where it covers least, near its arrow, if left out.",
    ),
    ParamSpec::of(
        "arrow",
        "arrow to",
        ParamType::Pair { legal: Interval::ANY },
        DefaultValue::Absent,
        "Where an arrow from it ends; no arrow if left out.",
    ),
    ParamSpec::number(
        "size",
        "size",
        1.0,
        Interval::closed(0.5, 4.0),
        (0.5, 2.0),
        "The size of its text, as a multiple of that of ticks.",
    ),
    text("colour", "colour", "Its colour, as #0072b2; that of text if left out."),
];

/// A text on a panel.
pub(super) const NOTE: KindSpec =
    KindSpec { name: "note", label: "note", help: "A text on a panel, with an arrow.", params: &NOTE_PARAMS };

const RUN_PARAMS: [ParamSpec; 5] = [
    ParamSpec::of("name", "run", ParamType::Text, DefaultValue::Required, "The run, by its name."),
    text("label", "label", "What the figure calls it; its name if left out."),
    text("colour", "colour", "Its colour, as #0072b2; that of the palette if left out."),
    ParamSpec::of("marker", "marker", ParamType::Choice(&MARKERS), DefaultValue::Absent, "Its marker."),
    ParamSpec::of(
        "dash",
        "dash",
        ParamType::Choice(&DASHES),
        DefaultValue::Absent,
        "How its lines are broken; full if left out.",
    ),
];

const RUN: KindSpec = KindSpec { name: "run", label: "run", help: "The look of a run.", params: &RUN_PARAMS };

const PARAMS: [ParamSpec; 32] = [
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
        "width",
        "width",
        85.0,
        Interval::closed(20.0, 2000.0),
        (30.0, 300.0),
        "The width, where it is not that of the size.",
    )
    .optional()
    .unit("mm"),
    ParamSpec::number(
        "height",
        "height",
        50.0,
        Interval::closed(20.0, 2000.0),
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
    ParamSpec::number(
        "marker",
        "marker size",
        1.0,
        Interval::closed(0.25, 4.0),
        (0.5, 2.0),
        "The size of markers, as a multiple of the usual one.",
    ),
    text("title", "title", "A title above the panels; none if left out."),
    text("x", "name of x", "The name of the horizontal axis of canvases, such as θ₁; that of the target if left out."),
    text("y", "name of y", "The name of the vertical axis of canvases."),
    ParamSpec::of(
        "spines",
        "spines",
        ParamType::Choice(&SPINES),
        DefaultValue::Word("none"),
        "Lines along the axes of plots.",
    ),
    ParamSpec::of(
        "legend",
        "legend",
        ParamType::Choice(&LEGENDS),
        DefaultValue::Word("above"),
        "Where the names of runs are, in plots and canvases of several runs.",
    ),
    ParamSpec::of(
        "share",
        "shared axes",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Canvases side by side have the vertical axis once, at the left.",
    ),
    ParamSpec::of(
        "share_x",
        "shared x axes",
        ParamType::Flag,
        DefaultValue::Flag(false),
        "Plots over the run below each other have the horizontal axis once, at the lowest.",
    ),
    ParamSpec::of(
        "aspect",
        "units",
        ParamType::Choice(&ASPECTS),
        DefaultValue::Word("equal"),
        "Whether one unit is equally long along both axes of canvases with limits of their own.",
    ),
    flag("grid", "grid lines", "Lines behind plots at the ticks."),
    ParamSpec::of(
        "cursor",
        "present step",
        ParamType::Flag,
        DefaultValue::Absent,
        "The line at the present step in plots over the run; if left out, a figure of a run at its end has none.",
    ),
    flag("stability", "limit of stability", "The line 2/λ in plots of step sizes."),
    flag("variance", "scale of variances", "How much Langevin steps widen the variance, at the right of step sizes."),
    flag("strip", "strip of modes", "The mode that each cycle ends at, below plots of step sizes."),
    flag("floors", "floors of measures", "What as many exact draws score, beside measures and in their plots."),
    flag("warnings", "warnings", "What is wrong with a run, above its canvas."),
    flag("outside", "draws outside", "How many draws are beyond the axes of canvases, at the edge."),
    flag("details", "details of canvases", "Contours, step size and number of draws beside the names of runs."),
    flag("contours", "contours of the target", "Lines around the smallest regions that hold 50, 80, 95 and 99 %."),
    flag("modes", "modes of the target", "A cross at each mode, where modes are large enough for one."),
    ParamSpec::of(
        "run",
        "runs",
        ParamType::List(&RUN),
        DefaultValue::Absent,
        "The look of single runs: [[figure.run]] tables with name, label, colour, marker and dash.",
    ),
    ParamSpec::of(
        "axis",
        "axes",
        ParamType::List(&AXIS),
        DefaultValue::Absent,
        "Single axes: [[figure.axis]] tables with panel, axis, name, unit, limits, ticks and count.",
    ),
    ParamSpec::of(
        "note",
        "notes",
        ParamType::List(&NOTE),
        DefaultValue::Absent,
        "Texts on panels: [[figure.note]] tables with panel, text, at, arrow, size and colour.",
    ),
];

/// The table `[figure]`.
pub const FIGURE: KindSpec = KindSpec {
    name: "figure",
    label: "Figure",
    help: "What a figure of the scenario looks like. It changes no result.",
    params: &PARAMS,
};
