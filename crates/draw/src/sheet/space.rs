//! Whether a figure has space for its plots, and a size that may have it.

use egui::{Rect, Ui};

use super::{Dimensions, Unit};
use crate::kit::own_axes;
use crate::kit::told::{self, Told};
use crate::theme::Theme;
use crate::words::numbers;
use engine::scenario::figures::Row;

/// Sides of a plot in which something can be seen, in sizes of text: about 8 mm in a paper.
const LEAST: f32 = 3.0;

/// What the name of an axis takes, in sizes of text.
const NAME: f32 = 1.5;

/// What a side of a plot lacks in a figure; in more space its axes have their names again.
fn lack(theme: &Theme, side: f32) -> f32 {
    let text = theme.text.body;
    if side < LEAST * text { (LEAST + NAME) * text - side } else { 0.0 }
}

/// Tells that a figure is too small for its panels.
pub(super) fn tell_panels(ui: &Ui, theme: &Theme, (rows, size): (&[Row], &Dimensions)) {
    let spots = told::taken(ui.ctx()).spots;
    let lacks = |panel: usize| {
        let of = spots.iter().find(|spot| spot.panel == panel);
        of.map_or([0.0; 2], |spot| [spot.area.width(), spot.area.height()].map(|side| lack(theme, side)))
    };
    // What a panel gets of more space is its share of its row, and that of the row.
    let whole: f64 = rows.iter().map(|row| row.height).sum();
    let mut first = 0;
    let (mut wider, mut higher) = (0.0_f32, 0.0_f32);
    for row in rows {
        let wide: f64 = row.panels.iter().map(|(_, width)| width).sum();
        for (panel, (_, width)) in row.panels.iter().enumerate() {
            let [across, down] = lacks(first + panel);
            wider = wider.max(across * (wide / width) as f32);
            higher = higher.max(down * (whole / row.height) as f32);
        }
        first += row.panels.len();
    }
    let slivers = spots.iter().filter(|spot| is_sliver(theme, spot.area));
    for spot in slivers {
        told::warn(ui, format!("{} is too small to show anything", own_axes::panel_words(spot.panel)));
    }
    tell(ui, theme, (&numbers::counted(first as u64, "panel"), size), [wider, higher]);
}

/// Tells that a figure of one plot is too small for what that consists of.
pub(super) fn tell_plots(ui: &Ui, theme: &Theme, size: &Dimensions) {
    let plots = told::taken(ui.ctx()).plots;
    let [wider, higher] = missing(theme, &plots);
    tell(ui, theme, (&numbers::counted(plots.len() as u64, "plot"), size), [wider, higher]);
}

/// How much wider and higher a figure should be for its plots. Those beside each other share its width, those below each other its height.
fn missing(theme: &Theme, plots: &[Rect]) -> [f32; 2] {
    let one = |plot: &Rect| {
        let beside = plots.iter().filter(|other| other.y_range().intersects(plot.y_range())).count();
        let below = plots.iter().filter(|other| other.x_range().intersects(plot.x_range())).count();
        [beside as f32 * lack(theme, plot.width()), below as f32 * lack(theme, plot.height())]
    };
    plots.iter().map(one).fold([0.0; 2], |[wide, high], [wider, higher]| [wide.max(wider), high.max(higher)])
}

/// Whether nothing can be seen inside of the axes of a plot.
fn is_sliver(theme: &Theme, area: Rect) -> bool {
    /// Sides of a plot in which nothing can be seen, in sizes of text.
    const NOTHING: f32 = 0.75;
    area.size().min_elem() < NOTHING * theme.text.body
}

/// Whether no plot of a figure has space in which something can be seen.
pub(super) fn shows_nothing(theme: &Theme, told: &Told) -> bool {
    let areas = || told.spots.iter().map(|spot| spot.area).chain(told.plots.iter().copied());
    areas().next().is_some() && areas().all(|area| is_sliver(theme, area))
}

/// Tells that a figure should be so much wider and higher, if it should. No width beyond that of the text of its place, and no height beyond
/// a slide.
fn tell(ui: &Ui, theme: &Theme, (what, size): (&str, &Dimensions), [wider, higher]: [f32; 2]) {
    if wider.max(higher) <= 0.0 || !theme.labels.whole {
        return;
    }
    let page = ui.ctx().content_rect().size();
    let grown = [wider / page.x, higher / page.y].map(|share| 1.0 + f64::from(share));
    told::warn(ui, format!("The figure is too small for {what}: {}", advice(size, grown)));
}

/// What to do about a figure that should be so many times as wide and as high.
fn advice(size: &Dimensions, grown: [f64; 2]) -> String {
    let digits = if size.unit == Unit::Inches { 10.0 } else { 1.0 };
    let (lacks, fixed) = (grown.map(|grown| grown > 1.0), size.fixed());
    let grows = |side: usize| lacks[side] && !fixed[side];
    // A side that has space stays as it is.
    let longer = |side: usize| (size.sides[side] * grown[side] * digits).ceil() / digits;
    let sides = std::array::from_fn(|side| if grows(side) { longer(side) } else { size.sides[side] });
    let larger = (0..2).any(grows).then(|| format!("try {}", Dimensions { sides, ..*size }));
    let fewer = ["have fewer of them beside each other", "have fewer of them below each other"];
    let fewer = (0..2).filter(|side| lacks[*side] && fixed[*side]).map(|side| fewer[side].to_owned());
    let all: Vec<String> = larger.into_iter().chain(fewer).collect();
    format!("{}, or smaller text", all.join(" and "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{pos2, vec2};

    /// In the unit that was chosen, within the text of a place, and as it is where a side has space.
    #[test]
    fn advice_stays_within_the_text_of_a_place() {
        let size = |key: &str| crate::sheet::Preset::of(key).unwrap().size;
        let own = Dimensions { sides: [60.0, 40.0], ..size("column") };
        assert_eq!(advice(&own, [1.0, 1.31]), "try 60 × 53 mm, or smaller text");
        assert_eq!(advice(&own, [1.21, 1.0]), "try 73 × 40 mm, or smaller text");
        let icml = size("icml");
        assert_eq!(advice(&icml, [1.0, 1.21]), "try 82.55 × 62 mm, or smaller text");
        let beside = "have fewer of them beside each other";
        assert_eq!(advice(&icml, [1.3, 1.0]), format!("{beside}, or smaller text"));
        assert_eq!(advice(&icml, [1.3, 1.21]), format!("try 82.55 × 62 mm and {beside}, or smaller text"));
        let below = "have fewer of them below each other, or smaller text";
        assert_eq!(advice(&size("beamer"), [1.0, 1.5]), below);
        let inches = Dimensions { sides: [3.0, 2.0], unit: Unit::Inches, ..own };
        assert_eq!(advice(&inches, [1.0, 1.33]), "try 3 × 2.7 in, or smaller text");
    }

    #[test]
    fn a_figure_whose_plots_are_all_slivers_shows_nothing() {
        let theme = Theme::default();
        let text = theme.text.body;
        let told = |sides: &[f32]| {
            let plot = |side: &f32| Rect::from_min_size(pos2(0.0, 0.0), vec2(10.0 * text, side * text));
            Told { plots: sides.iter().map(plot).collect(), ..Told::default() }
        };
        assert!(shows_nothing(&theme, &told(&[0.3, 0.5])));
        assert!(!shows_nothing(&theme, &told(&[0.3, 2.0])));
        assert!(!shows_nothing(&theme, &told(&[])), "a readout has no plots");
    }

    /// Four slivers in a row need four times what one of them lacks; plots that are large enough need nothing.
    #[test]
    fn plots_beside_each_other_share_what_the_figure_gets() {
        let theme = Theme::default();
        let text = theme.text.body;
        let plot = |number: f32, size| Rect::from_min_size(pos2(number * 10.0 * text, 5.0), size);
        let low = [0.0, 1.0, 2.0, 3.0].map(|number| plot(number, vec2(2.0 * text, 8.0 * text)));
        let [wider, higher] = missing(&theme, &low);
        assert!((wider - 4.0 * 2.5 * text).abs() < 0.01 && higher.abs() < 0.01, "{wider}, {higher}");
        let fine = [0.0, 1.0].map(|number| plot(number, vec2(4.0 * text, 4.0 * text)));
        assert!(missing(&theme, &fine).iter().all(|lack| lack.abs() < 0.01));
    }
}
