//! A script of matplotlib that draws the plots of a page, and its data as NPZ beside it.

use egui::Color32;

use super::npz::{self, Array};
use super::{Axis, Marker, Panel, Remade, Series, Shape, apart, short};
use crate::Spoken;
use crate::source::{Source, add_text};
use crate::vector::Page;

/// What begins a comment.
pub const COMMENT: &str = "#";

/// Points of matplotlib per inch.
const UNITS_PER_INCH: f32 = 72.0;

/// How far what stands around axes is from the ends of their part of the figure, in points of the page.
const MARGIN: f32 = 2.0;

/// What sets texts and axes: letters of matplotlib have other widths than those of the figure.
const FUNCTIONS: &str = r#"

def wrap(text, room, side="width"):
    """Breaks a text at spaces outside of formulas where it is longer than a room in pixels."""
    words, lines = text.get_text().split(" "), [""]
    for word in words:
        text.set_text(f"{lines[-1]} {word}".strip())
        within = lines[-1].replace("\\$", "").count("$") % 2
        if lines[-1] and not within and getattr(text.get_window_extent(), side) > room:
            lines.append(word)
        else:
            lines[-1] = text.get_text()
    text.set_text("\n".join(lines))


def legend(ax, names, room):
    """Names above axes in as many columns as a room in pixels has."""
    known = dict(zip(*reversed(ax.get_legend_handles_labels())))
    for columns in range(len(names), 0, -1):
        box = ax.legend(
            [known[name] for name in names], names, ncols=columns, fontsize="small", loc="lower left", bbox_to_anchor=(0, 1.03),
            frameon=False, borderpad=0, borderaxespad=0, handlelength=1.2, columnspacing=1,
        )
        if box.get_window_extent().width <= room:
            return box
    for text in box.get_texts():
        wrap(text, room - 3 * text.get_fontsize() * fig.dpi / 72)
    return box


def fit(ax, cell, title, names):
    """Axes as large as leaves all that stands around them within their part of the figure, and texts within the axes."""
    part = Bbox(cell).transformed(fig.transFigure)
    whole = title and title.get_text()
    for _ in range(3):
        top = 1.03
        if names:
            box = legend(ax, names, part.x1 - ax.bbox.x0)
            top = box.get_window_extent().transformed(ax.transAxes.inverted()).y1 + 4 / ax.bbox.height * fig.dpi / 72
        if title:
            title.set_text(whole)
            title.set_y(top)
            wrap(title, part.x1 - title.get_window_extent().x0)
        wrap(ax.xaxis.label, part.width)
        wrap(ax.yaxis.label, part.height, "height")
        around, spot = ax.get_tightbbox(), ax.bbox
        left, bottom = spot.x0 + max(part.x0 - around.x0, 0), spot.y0 + max(part.y0 - around.y0, 0)
        right, above = spot.x1 - max(around.x1 - part.x1, 0), spot.y1 - max(around.y1 - part.y1, 0)
        ax.set_position(Bbox([[left, bottom], [max(right, left + 20), max(above, bottom + 20)]]).transformed(fig.transFigure.inverted()))
    for text in ax.texts:
        at = ax.transData.transform(text.get_position())
        if ax.bbox.contains(*at):
            text.set_fontsize(text.get_fontsize() * min(1, 0.95 * ax.bbox.width / text.get_window_extent().width))
            box = text.get_window_extent()
            across = max(ax.bbox.x0 + 2 - box.x0, 0) + min(ax.bbox.x1 - 2 - box.x1, 0)
            up = max(ax.bbox.y0 + 2 - box.y0, 0) + min(ax.bbox.y1 - 2 - box.y1, 0)
            text.set_position(ax.transData.inverted().transform((at[0] + across, at[1] + up)))

"#;

/// Why no script is made.
#[derive(Debug, thiserror::Error)]
#[error("the data of the script cannot be written: {0}")]
pub struct PythonError(#[from] zip::result::ZipError);

/// The script of a page with its words, and texts such as its scenario. Its data have the same name with another ending.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn encode(
    page: &Page,
    background: Option<Color32>,
    spoken: &Spoken<'_>,
    texts: &[(&str, &str)],
) -> Result<Source, PythonError> {
    let remade = Remade::of(page);
    let mut script =
        Script { page, arrays: Vec::new(), text: String::new(), scale: UNITS_PER_INCH / page.points_per_inch };
    script.head(&remade, background, spoken);
    remade.panels.iter().for_each(|panel| script.panel(panel));
    script.text.push_str("\nif len(sys.argv) > 1:\n    fig.savefig(sys.argv[1], dpi=300)\nelse:\n    plt.show()\n");
    texts.iter().for_each(|(name, text)| add_text(&mut script.text, (COMMENT, name, text)));
    let data = npz::archive(&script.arrays)?;
    Ok(Source { file: script.text.into_bytes(), beside: vec![(".npz".to_owned(), data)] })
}

struct Script<'a> {
    page: &'a Page,
    arrays: Vec<Array>,
    text: String,
    /// Points of matplotlib per point of the page.
    scale: f32,
}

impl Script<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn head(&mut self, remade: &Remade, background: Option<Color32>, spoken: &Spoken<'_>) {
        let text = |text: &str| text.replace('\\', "/").replace("\"\"\"", "'''");
        let left_out = format!("\n{}", remade.left_out_words(true));
        let title = if spoken.title.is_empty() { "A figure" } else { spoken.title };
        let head = format!(
            "\"\"\"{}\n\n{}\n\nValues are those of the figure, to seven digits; sampler-lab run --data writes all of them.{}\n\
             Run it with the name of a picture to write, or with none to see the figure in a window.\n\"\"\"",
            text(title),
            text(spoken.alt),
            text(&left_out)
        );
        self.line(&head);
        self.line("import sys\nfrom pathlib import Path\n\nimport matplotlib.pyplot as plt\nimport numpy as np\nfrom matplotlib.transforms import Bbox");
        self.text.push_str(FUNCTIONS);
        self.line("data = np.load(Path(__file__).with_suffix(\".npz\"))");
        let size = number(remade.text * self.scale);
        self.line(&format!(
            "plt.rcParams.update({{\"font.size\": {size}, \"axes.labelsize\": \"large\", \"axes.titlesize\": \"large\", \"axes.linewidth\": 0.5}})"
        ));
        let [width, height] = self.page.size.map(|side| format!("{:.3}", side / self.page.points_per_inch));
        let paper = background.map_or_else(|| "none".to_owned(), |colour| apart(colour).0);
        self.line(&format!("fig = plt.figure(figsize=({width}, {height}), facecolor=\"{paper}\")"));
    }

    fn panel(&mut self, panel: &Panel) {
        let [wide, high] = self.page.size;
        let shares = [
            panel.rect.left() / wide,
            1.0 - panel.rect.bottom() / high,
            panel.rect.width() / wide,
            panel.rect.height() / high,
        ];
        let shares = shares.map(|share| format!("{share:.4}")).join(", ");
        self.line(&format!("\nax = fig.add_axes([{shares}], facecolor=\"none\")"));
        // Only what has a label is in a legend, and matplotlib warns of one without any.
        let labelled =
            panel.series.iter().any(|series| series.name.is_some() && !matches!(series.shape, Shape::Image { .. }));
        let legend = labelled && !panel.legend(self.page).is_empty();
        self.title(panel);
        let mut named: Vec<&str> = Vec::new();
        for (series, order) in panel.series.iter().zip(1..) {
            // What has several looks is in the legend once.
            let name = series.name.as_deref().filter(|name| !named.contains(name));
            named.extend(name.filter(|_| !matches!(series.shape, Shape::Image { .. })));
            self.series(series, (name, order));
        }
        for (axis, letter) in [(&panel.x, 'x'), (&panel.y, 'y')] {
            self.axis(axis, letter);
        }
        if let Some(colour) = panel.grid {
            let (colour, opacity) = apart(colour);
            self.line(&format!("ax.grid(color=\"{colour}\", alpha={opacity}, lw=0.5, zorder=0)"));
            self.line("ax.set_axisbelow(True)");
        }
        if let Some((name, ticks)) = &panel.scale {
            let values: Vec<String> = ticks.iter().map(|(value, _)| short(*value)).collect();
            let words: Vec<String> = ticks.iter().map(|(_, words)| quoted(words)).collect();
            self.line("right = ax.secondary_yaxis(\"right\")");
            self.line(&format!("right.set_yticks([{}], [{}], minor=False)", values.join(", "), words.join(", ")));
            self.line("right.set_yticks([], minor=True)");
            self.line(&format!("right.set_ylabel({}, fontsize=\"small\")", quoted(name)));
        }
        let names = if legend { panel.legend(self.page) } else { Vec::new() };
        let names: Vec<String> = names.iter().map(|name| quoted(&set(name, &self.page.formulas))).collect();
        let title = if panel.title.is_some() { "title" } else { "None" };
        let cell = panel.cell.shrink(MARGIN);
        let [left, right] = [cell.left(), cell.right()].map(|x| format!("{:.4}", x / wide));
        let [bottom, top] = [cell.bottom(), cell.top()].map(|y| format!("{:.4}", 1.0 - y / high));
        self.line(&format!("fit(ax, [[{left}, {bottom}], [{right}, {top}]], {title}, [{}])", names.join(", ")));
    }

    /// Writes the title of a panel, which begins where the line above the plot does in the figure.
    fn title(&mut self, panel: &Panel) {
        let Some(title) = panel.title.as_ref() else { return };
        let title = quoted(&set(title, &self.page.formulas));
        let x = panel.head.map_or(0.0, |head| (head.x - panel.rect.left()) / panel.rect.width());
        self.line(&format!("title = ax.set_title({title}, loc=\"left\", x={x:.4}, y=1.03, pad=0)"));
    }

    fn axis(&mut self, axis: &Axis, letter: char) {
        if axis.log {
            self.line(&format!("ax.set_{letter}scale(\"log\")"));
        }
        let [from, to] = axis.ends.map(short);
        self.line(&format!("ax.set_{letter}lim({from}, {to})"));
        let values: Vec<String> = axis.ticks.iter().map(|(value, _)| short(*value)).collect();
        let words: Vec<String> = axis.ticks.iter().map(|(_, words)| quoted(words)).collect();
        self.line(&format!("ax.set_{letter}ticks([{}], [{}], minor=False)", values.join(", "), words.join(", ")));
        self.line(&format!("ax.set_{letter}ticks([], minor=True)"));
        if !axis.name.is_empty() {
            self.line(&format!("ax.set_{letter}label({})", quoted(&axis.mathtext)));
        }
    }

    /// Adds an array; returns what reads it.
    fn array(&mut self, of: impl FnOnce(String) -> Array) -> String {
        let name = format!("s{}", self.arrays.len() + 1);
        self.arrays.push(of(name.clone()));
        format!("data[\"{name}\"]")
    }

    /// Lines of points, one below the other with a row of NaN between them.
    fn apart(&mut self, lines: &[Vec<[f64; 2]>]) -> String {
        const GAP: &[[f64; 2]] = &[[f64::NAN; 2]];
        let rows = lines.iter().enumerate();
        let rows: Vec<[f64; 2]> = rows
            .flat_map(|(number, line)| if number == 0 { &[][..] } else { GAP }.iter().chain(line))
            .copied()
            .collect();
        self.array(|name| Array::of_points(name, rows.iter()))
    }

    fn series(&mut self, series: &Series, (name, order): (Option<&str>, usize)) {
        let name = name.map(|name| quoted(&set(name, &self.page.formulas)));
        let label = name.as_ref().map(|name| format!(", label={name}")).unwrap_or_default();
        let common = format!("zorder={order}{label}");
        match &series.shape {
            Shape::Lines { lines, colour, width, dashes } => {
                let (values, (colour, opacity)) = (self.apart(lines), apart(*colour));
                // Lengths are in widths of the line.
                let lengths = dashes.map(|lengths| lengths.map(|length| number(length / width)).join(", "));
                let broken = lengths.map(|lengths| format!("ls=(0, ({lengths})), ")).unwrap_or_default();
                let width = number(width * self.scale);
                self.line(&format!(
                    "ax.plot(*{values}.T, color=\"{colour}\", alpha={opacity}, lw={width}, {broken}{common})"
                ));
            }
            Shape::Areas { areas, colour } => {
                let (values, (colour, opacity)) = (self.apart(areas), apart(*colour));
                self.line(&format!(
                    "for area in np.split({values}, np.where(np.isnan({values}[:, 0]))[0]):\n    \
                     ax.fill(*area[~np.isnan(area[:, 0])].T, color=\"{colour}\", alpha={opacity}, lw=0, zorder={order})"
                ));
                if let Some(label) = name {
                    self.line(&format!(
                        "ax.plot([], [], \"s\", color=\"{colour}\", alpha={opacity}, mew=0, label={label})"
                    ));
                }
            }
            Shape::Dots { points, colour, size, marker } => {
                let values = self.array(|name| Array::of_points(name, points.iter()));
                let (colour, opacity) = apart(*colour);
                let (form, size) = form(*marker, size * self.scale);
                self.line(&format!(
                    "ax.plot(*{values}.T, \"{form}\", color=\"{colour}\", alpha={opacity}, ms={size}, mew=0, {common})"
                ));
            }
            Shape::Text { at: [x, y], anchor, mathtext, colour, size, .. } => {
                let ((colour, opacity), size) = (apart(*colour), number(size * self.scale));
                let held =
                    ["left", "center", "right"][if *anchor < 0.25 { 0 } else { 1 + usize::from(*anchor > 0.75) }];
                let (x, y, text) = (short(*x), short(*y), quoted(mathtext));
                self.line(&format!(
                    "ax.text({x}, {y}, {text}, ha=\"{held}\", va=\"baseline\", size={size}, color=\"{colour}\", alpha={opacity}, \
                     clip_on=True, zorder={order})"
                ));
            }
            Shape::Image { ends: [x, y], picture } => {
                let [width, height] = [picture.width(), picture.height()].map(|side| side as usize);
                let values = self.array(|name| Array {
                    name,
                    shape: vec![height, width, 4],
                    kind: "|u1",
                    bytes: picture.straight(),
                });
                let ends = [x[0], x[1], y[0], y[1]].map(short).join(", ");
                self.line(&format!("ax.imshow({values}, extent=({ends}), aspect=\"auto\", zorder={order})"));
            }
        }
    }
}

/// A text with names that have formulas, which matplotlib sets.
fn set(text: &str, formulas: &[(String, String)]) -> String {
    let pieces = |name: &str, formula: &str| {
        // What stands beside formulas is no formula.
        let piece = |piece: &str| {
            let whole = set(piece, formulas);
            if whole == piece { piece.replace('$', r"\$") } else { whole }
        };
        text.split(name).map(piece).collect::<Vec<_>>().join(formula)
    };
    // Of names within one another the longest.
    let named = formulas.iter().filter(|(name, _)| !name.is_empty() && text.contains(name.as_str()));
    let longest = named.max_by_key(|(name, _)| name.len());
    longest.map_or_else(|| text.to_owned(), |(name, formula)| pieces(name, formula))
}

/// A marker of matplotlib, and its size there for the width of ours.
fn form(marker: Marker, size: f32) -> (char, String) {
    let (form, scale) = match marker {
        Marker::Circle => ('o', 1.0),
        Marker::Square => ('s', 1.0),
        Marker::Diamond => ('D', std::f32::consts::FRAC_1_SQRT_2),
        Marker::Up => ('^', 1.0),
        Marker::Down => ('v', 1.0),
    };
    (form, number(size * scale))
}

fn number(value: f32) -> String {
    crate::source::number(value)
}

/// A text as Python and JSON read it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_formulas_are_set_wherever_they_stand() {
        let formulas = [("θ₁", r"$\theta_1$"), ("x of θ₁", r"x of $\theta_1^*$")];
        let formulas = formulas.map(|(name, formula)| (name.to_owned(), formula.to_owned()));
        for (text, expected) in [
            ("(a) θ₁", r"(a) $\theta_1$"),
            ("draws of θ₁ for $5", r"draws of $\theta_1$ for \$5"),
            ("x of θ₁, θ₁", r"x of $\theta_1^*$, $\theta_1$"),
            ("for $5", "for $5"),
        ] {
            assert_eq!(set(text, &formulas), expected);
        }
    }
}
