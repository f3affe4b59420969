//! Theme: all colours, text sizes, strokes and distances of the window and of the figures.
//!
//! Plots take a [`Theme`] as a parameter; no other module names a colour. Distances are
//! multiples of one unit, text has four sizes, and runs differ by a colour *and* a marker
//! (colours: Okabe and Ito 2008, safe for colour-blind viewers; on white the pale ones are darker, so that all have a contrast of 3).

mod chains;
mod east_asian;
mod fonts;
mod look;
mod of_figure;
mod run_style;
mod style;
mod text;
mod vision;

use std::sync::Arc;

use egui::{Color32, FontFamily, FontId, Stroke, Vec2, vec2};
use egui_plot::MarkerShape;

use crate::geometry::{Part, Ramp, Rgb};

#[cfg(target_arch = "wasm32")]
pub use east_asian::load_east_asian_font;
pub use fonts::strong_family;
pub use look::{Appearance, LegendPlace, Look, PanelLook, Scale, Spines};
pub use run_style::{Dash, RunStyle};
pub use style::{apply, install_fonts, install_letters, leave_out_paper};
pub use text::{Labels, TextSizes};
pub use vision::Vision;

/// The window of a small projector, in points.
const SMALL_PROJECTOR: Vec2 = vec2(1366.0, 768.0);

/// Opacity of outdated pictures (chosen by eye).
pub const STALE: f32 = 0.45;

/// Colours, sizes and distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Light or dark.
    pub mode: Appearance,
    /// Distance of the viewers.
    pub scale: Scale,
    /// The unit of all distances, in points.
    pub unit: f32,
    /// Sizes of text.
    pub text: TextSizes,
    /// What plots say beside their curves.
    pub labels: Labels,
    /// What a figure has of its own.
    pub look: Look,
    /// Behind plots.
    pub paper: Color32,
    /// Behind panels.
    pub panel: Color32,
    /// Behind cards and fields that lie on a panel.
    pub raised: Color32,
    /// Main text and lines.
    pub ink: Color32,
    /// Secondary text.
    pub soft: Color32,
    /// Ticks, captions, disabled things: still readable.
    pub faint: Color32,
    /// Hairlines between parts.
    pub rule: Color32,
    /// Edges of controls.
    pub edge: Color32,
    /// Grid lines of plots.
    pub grid: Color32,
    /// Selected controls.
    pub accent: Color32,
    /// Warnings.
    pub warning: Color32,
    /// Errors.
    pub error: Color32,
    /// Exact values, beside those of the draws.
    pub exact: Color32,
    /// Exploration stages behind plots against steps.
    pub stage: Color32,
    /// Accepted proposals; rejected ones have the colour of errors.
    pub accepted: Color32,
    /// Shades of density.
    pub ramp: Arc<Ramp>,
    /// Runs, in order; after the last the colours repeat.
    runs: [RunStyle; 8],
    /// Classes of data, in order; after the last they repeat.
    classes: [RunStyle; 5],
    /// Topics, in order of their slots; after the last they repeat.
    topics: [Color32; 10],
    /// The parts of a step.
    parts: [Color32; 4],
}

impl Default for Theme {
    fn default() -> Self {
        Self::new(Appearance::default(), Scale::default())
    }
}

impl Theme {
    /// The theme of an appearance at a distance.
    #[must_use]
    pub fn new(mode: Appearance, scale: Scale) -> Self {
        let theme = match mode {
            Appearance::Light => Self::light(),
            Appearance::Dark => Self::dark(),
        };
        let (unit, factor) = match scale {
            Scale::Screen => (4.0, 1.0),
            Scale::Present => (5.0, 1.4),
        };
        let text = TextSizes { small: 12.0, body: 14.0, heading: 16.0, title: 20.0 }.times(factor);
        Self { scale, unit, text, ..theme }
    }

    /// The same before an audience: in a window that is larger than that of a small projector letters and spaces are, too, in steps of a tenth.
    #[must_use]
    pub fn before_audience(self, window: Vec2) -> Self {
        if self.scale != Scale::Present {
            return self;
        }
        let larger = (window / SMALL_PROJECTOR).min_elem();
        let factor = (10.0 * larger + 0.01).floor().clamp(10.0, 30.0) / 10.0;
        Self { unit: self.unit * factor, text: self.text.times(factor), ..self }
    }

    /// The same with letters and spaces of this share of their size.
    #[must_use]
    pub fn smaller(&self, share: f32) -> Self {
        Self { unit: self.unit * share, text: self.text.times(share), ..self.clone() }
    }

    fn light() -> Self {
        let paper = [255, 255, 255];
        Self {
            mode: Appearance::Light,
            paper: opaque(paper),
            panel: hex(0xF4F5F7),
            raised: hex(0xFFFFFF),
            ink: hex(0x14181D),
            soft: hex(0x434B55),
            faint: hex(0x5E6873),
            rule: hex(0xD5DAE0),
            edge: hex(0x808A95),
            grid: hex(0xECEEF1),
            accent: hex(0x1D5FB8),
            warning: hex(0x9A5B00),
            error: hex(0xB3261E),
            exact: hex(0x14181D),
            stage: hex(0xF1EDE2),
            accepted: hex(0x00734F),
            parts: [0x6A3FB5, 0x14181D, 0xB0004E, 0x0069B4].map(hex),
            ramp: Arc::new(Ramp::on_light(paper)),
            classes: classes([0x7A2E9E, 0x007A55, 0xA85F00, 0x2467B0, 0xB3265A]),
            topics: [
                0x2A62A8, 0xB85A00, 0x2C7A3A, 0xBC3434, 0x7450A8, 0x80563F, 0xB8478F, 0x5F666E, 0x78780A, 0x047C86,
            ]
            .map(hex),
            runs: runs([VERMILION, BLUE, GREEN, 0xC4689B, 0xC08000, 0x2F93CC, 0x14181D, 0x5E5A8A]),
            ..Self::bare()
        }
    }

    fn dark() -> Self {
        let paper = [0x10, 0x13, 0x17];
        Self {
            mode: Appearance::Dark,
            paper: opaque(paper),
            panel: hex(0x191D22),
            raised: hex(0x22272E),
            ink: hex(0xF0F3F6),
            soft: hex(0xBCC5CF),
            faint: hex(0x8D98A4),
            rule: hex(0x363E48),
            edge: hex(0x76818D),
            grid: hex(0x222830),
            accent: hex(0x7CB4FF),
            warning: hex(0xF0B45A),
            error: hex(0xFF8A80),
            exact: hex(0xF0F3F6),
            stage: hex(0x262318),
            accepted: hex(0x35D9A4),
            parts: [0xC4A3FF, 0xF0F3F6, 0xFF85B0, 0x63C7FF].map(hex),
            ramp: Arc::new(Ramp::on_dark(paper)),
            classes: classes([0xC79AF0, 0x3FCF9A, 0xF0B04A, 0x7CB4FF, 0xFF8FB0]),
            topics: [
                0x74A8F5, 0xFFA552, 0x66CF7A, 0xFF7D7D, 0xBE9CFA, 0xCDA184, 0xFA92D2, 0xB4BBC2, 0xD0CE48, 0x48D2DC,
            ]
            .map(hex),
            runs: runs([ORANGE, SKY, 0x1DC796, 0xE39AC2, YELLOW, 0xFF7A2F, 0xF0F3F6, 0x5A9BE0]),
            ..Self::bare()
        }
    }

    /// The common parts of both appearances; all colours are transparent.
    fn bare() -> Self {
        let none = Color32::TRANSPARENT;
        Self {
            mode: Appearance::Light,
            scale: Scale::Screen,
            unit: 4.0,
            text: TextSizes { small: 12.0, body: 14.0, heading: 16.0, title: 20.0 },
            labels: Labels { axes: true, legends: true, whole: false, remarks: true },
            look: Look::default(),
            paper: none,
            panel: none,
            raised: none,
            ink: none,
            soft: none,
            faint: none,
            rule: none,
            edge: none,
            grid: none,
            accent: none,
            warning: none,
            error: none,
            exact: none,
            stage: none,
            accepted: none,
            parts: [none; 4],
            classes: classes([0; 5]),
            topics: [none; 10],
            ramp: Arc::new(Ramp::on_light([255; 3])),
            runs: runs([0; 8]),
        }
    }

    /// The style of the run with number `index`.
    #[must_use]
    pub fn run(&self, index: usize) -> RunStyle {
        self.runs[index % self.runs.len()]
    }

    /// The style of data of the class with number `class`, from 0; its colour is also that of the class in maps.
    #[must_use]
    pub fn class(&self, class: usize) -> RunStyle {
        self.classes[class % self.classes.len()]
    }

    /// The colour of a topic by its number, from 0. Ten topics differ by their colours; more differ by their numbers, which are
    /// always shown.
    #[must_use]
    pub fn topic(&self, number: usize) -> Color32 {
        self.topics[number % self.topics.len()]
    }

    /// A colour for one of many items of a kind (chains, cycles), in the order of the runs' colours.
    #[must_use]
    pub fn series(&self, index: usize) -> Color32 {
        self.runs[index % self.runs.len()].colour
    }

    /// The colour of a part of a step.
    #[must_use]
    pub fn part(&self, part: Part) -> Color32 {
        match part {
            Part::Carried => self.parts[0],
            Part::Drift => self.parts[1],
            Part::GradientNoise => self.parts[2],
            Part::InjectedNoise => self.parts[3],
        }
    }

    /// The colour of a replica at a position on the ladder of temperatures, from 0 (the coldest) to 1.
    #[must_use]
    pub fn temperature(&self, share: f32) -> Color32 {
        self.accent.lerp_to_gamma(self.error, share.clamp(0.0, 1.0))
    }

    /// The dashes of lines of a part of a step: length of a dash and of the gap after it; `None` for a full line.
    #[must_use]
    pub fn dashes(&self, part: Part) -> Option<[f32; 2]> {
        match part {
            Part::Drift => None,
            Part::Carried => Some([self.space(4.5), self.space(0.9)]),
            Part::GradientNoise => Some([self.space(1.75), self.space(1.0)]),
            Part::InjectedNoise => Some([self.space(0.45), self.space(0.65)]),
        }
    }

    /// A distance of `units` units, in points.
    #[must_use]
    pub fn space(&self, units: f32) -> f32 {
        self.unit * units
    }

    /// A hairline.
    #[must_use]
    pub fn hairline(&self) -> Stroke {
        Stroke::new(1.0, self.rule)
    }

    /// The width of a curve.
    #[must_use]
    pub fn line(&self) -> f32 {
        self.unit * self.stroke() * 0.4
    }

    /// The width of a thin line: contours, references.
    #[must_use]
    pub fn thin(&self) -> f32 {
        self.unit * self.stroke() * 0.27
    }

    /// The size of a marker of `units` units, in points.
    #[must_use]
    pub fn marker(&self, units: f32) -> f32 {
        self.unit * units * self.look.marker
    }

    /// How much thicker lines are than at the desk, beyond the larger unit (chosen by eye).
    fn stroke(&self) -> f32 {
        self.look.line * if self.scale == Scale::Present { 1.4 } else { 1.0 }
    }

    /// The font of ticks, key numbers and captions.
    #[must_use]
    pub fn small(&self) -> FontId {
        FontId::new(self.text.small, FontFamily::Proportional)
    }

    /// The font of running text.
    #[must_use]
    pub fn body(&self) -> FontId {
        FontId::new(self.text.body, FontFamily::Proportional)
    }

    /// The font of names within running text.
    #[must_use]
    pub fn strong(&self) -> FontId {
        FontId::new(self.text.body, strong_family())
    }

    /// The font of titles of panels and plots.
    #[must_use]
    pub fn heading(&self) -> FontId {
        FontId::new(self.text.heading, strong_family())
    }

    /// The font of the title of the sheet.
    #[must_use]
    pub fn title(&self) -> FontId {
        FontId::new(self.text.title, strong_family())
    }
}

const VERMILION: u32 = 0xD55E00;
const BLUE: u32 = 0x0072B2;
const GREEN: u32 = 0x009E73;
const ORANGE: u32 = 0xE69F00;
const SKY: u32 = 0x56B4E9;
const YELLOW: u32 = 0xF0E442;

/// The markers of runs, in order.
const MARKERS: [MarkerShape; 8] = [
    MarkerShape::Circle,
    MarkerShape::Square,
    MarkerShape::Diamond,
    MarkerShape::Up,
    MarkerShape::Down,
    MarkerShape::Cross,
    MarkerShape::Plus,
    MarkerShape::Asterisk,
];

fn runs(colours: [u32; 8]) -> [RunStyle; 8] {
    std::array::from_fn(|index| RunStyle { colour: hex(colours[index]), marker: MARKERS[index], dash: Dash::Solid })
}

/// Runs have other colours, so that a class is not taken for a run. The shapes are those that are filled.
fn classes(colours: [u32; 5]) -> [RunStyle; 5] {
    std::array::from_fn(|index| RunStyle { colour: hex(colours[index]), marker: MARKERS[index], dash: Dash::Solid })
}

fn opaque(rgb: Rgb) -> Color32 {
    Color32::from_rgb(rgb[0], rgb[1], rgb[2])
}

fn hex(rgb: u32) -> Color32 {
    let [_, r, g, b] = rgb.to_be_bytes();
    Color32::from_rgb(r, g, b)
}

/// The colour without its opacity.
#[must_use]
pub fn rgb(colour: Color32) -> Rgb {
    [colour.r(), colour.g(), colour.b()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast ratio of WCAG 2, from 1 to 21.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let linear = |part: u8| match f64::from(part) / 255.0 {
            part if part <= 0.04045 => part / 12.92,
            part => ((part + 0.055) / 1.055).powf(2.4),
        };
        let luminance =
            |colour: Color32| 0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b());
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        (a / b).max(b / a)
    }

    fn themes() -> impl Iterator<Item = Theme> {
        let scales = [Scale::Screen, Scale::Present];
        let all =
            [Appearance::Light, Appearance::Dark].into_iter().flat_map(move |mode| scales.map(|scale| (mode, scale)));
        all.map(|(mode, scale)| Theme::new(mode, scale))
    }

    /// The least contrast of text, and of large text and graphics (WCAG 2.2, AA: 1.4.3 and 1.4.11).
    const TEXT: f64 = 4.5;
    const GRAPHICS: f64 = 3.0;

    #[track_caller]
    fn check(theme: &Theme, name: &str, colour: Color32, grounds: &[Color32], least: f64) {
        for ground in grounds {
            let ratio = contrast(colour, *ground);
            assert!(ratio >= least, "{name} in {:?} on {ground:?}: {ratio:.2}", theme.mode);
        }
    }

    /// A translucent colour on a ground.
    fn over(colour: Color32, ground: Color32) -> Color32 {
        ground.blend(colour)
    }

    #[test]
    fn black_on_white_has_the_largest_contrast() {
        assert!((contrast(Color32::WHITE, Color32::BLACK) - 21.0).abs() < 0.01);
        // The grey of the example in the WCAG: #767676 on white.
        assert!((contrast(Color32::WHITE, Color32::from_gray(0x76)) - 4.54).abs() < 0.01);
    }

    #[test]
    fn text_is_readable_on_every_background() {
        for theme in themes() {
            let selected = over(theme.accent.gamma_multiply(0.25), theme.panel);
            let pressed = over(theme.accent.gamma_multiply(0.35), theme.panel);
            let grounds = [theme.paper, theme.panel, theme.raised, theme.grid, theme.stage];
            for (name, text) in [
                ("ink", theme.ink),
                ("soft", theme.soft),
                ("faint", theme.faint),
                ("accent", theme.accent),
                ("warning", theme.warning),
                ("error", theme.error),
                ("accepted", theme.accepted),
            ] {
                check(&theme, name, text, &grounds, TEXT);
            }
            check(&theme, "ink", theme.ink, &[theme.rule, selected, pressed], TEXT);
            check(&theme, "soft", theme.soft, &[theme.rule, selected], TEXT);
            check(&theme, "text of the main button", theme.paper, &[theme.accent], TEXT);
        }
    }

    #[test]
    fn marks_edges_and_the_ring_of_the_focus_stand_out() {
        for theme in themes() {
            let grounds = [theme.paper, theme.panel, theme.raised];
            check(&theme, "edge", theme.edge, &grounds, GRAPHICS);
            check(
                &theme,
                "ring",
                theme.accent,
                &[theme.paper, theme.panel, theme.raised, theme.grid, theme.rule],
                GRAPHICS,
            );
            check(&theme, "exact", theme.exact, &grounds, GRAPHICS);
            for index in 0..8 {
                check(&theme, &format!("run {index}"), theme.run(index).colour, &grounds, GRAPHICS);
                assert!((0..index).all(|other| theme.run(other).marker != theme.run(index).marker));
                assert!((0..index).all(|other| theme.run(other).colour != theme.run(index).colour));
            }
            for class in 0..5 {
                check(&theme, &format!("class {class}"), theme.class(class).colour, &grounds, GRAPHICS);
                assert!((0..class).all(|other| theme.class(other).marker != theme.class(class).marker));
                assert!((0..8).all(|run| theme.run(run).colour != theme.class(class).colour));
            }
            for topic in 0..10 {
                check(&theme, &format!("topic {topic}"), theme.topic(topic), &grounds, GRAPHICS);
                assert!((0..topic).all(|other| theme.topic(other) != theme.topic(topic)));
                assert!((0..8).all(|run| theme.run(run).colour != theme.topic(topic)));
            }
            for part in Part::ALL {
                check(&theme, &format!("{part:?}"), theme.part(part), &grounds, GRAPHICS);
            }
            assert_eq!(theme.run(8), theme.run(0));
        }
    }

    #[test]
    fn parts_of_a_step_stand_out_and_differ_in_their_dashes() {
        for theme in themes() {
            for (number, part) in Part::ALL.into_iter().enumerate() {
                let ratio = contrast(theme.part(part), theme.paper);
                assert!(ratio > 4.0, "{part:?} in {:?}: {ratio}", theme.mode);
                for other in &Part::ALL[..number] {
                    assert_ne!(theme.dashes(part), theme.dashes(*other));
                    assert_ne!(theme.part(part), theme.part(*other));
                }
            }
            assert!(contrast(theme.accepted, theme.paper) > 4.0);
            assert!([0.0, 0.5, 1.0].iter().all(|share| contrast(theme.temperature(*share), theme.paper) > GRAPHICS));
        }
    }

    #[test]
    fn many_chains_have_different_styles() {
        let theme = Theme::default();
        for chain in 0..64 {
            for other in 0..chain {
                let (a, b) = (theme.chain(chain), theme.chain(other));
                assert!(a != b, "chains {chain} and {other}");
                assert!(chain >= 8 || (a.colour != b.colour && a.marker != b.marker));
            }
        }
    }

    #[test]
    fn no_chain_among_several_runs_looks_like_another_run() {
        for theme in themes() {
            for run in 0..8 {
                let styles = [0, 1, 2, 3].map(|chain| theme.chain_of(theme.run(run), chain, false));
                assert_eq!(styles[0], theme.run(run));
                for (chain, style) in styles.iter().enumerate() {
                    check(&theme, "chain", style.colour, &[theme.paper], GRAPHICS);
                    assert!((0..8).all(|other| other == run || style.marker != theme.run(other).marker));
                    // The ink itself has no shades.
                    let is_ink = theme.run(run).colour == theme.ink;
                    assert!(is_ink || styles[..chain].iter().all(|other| other.colour != style.colour));
                }
            }
        }
    }

    #[test]
    fn present_is_larger() {
        let (desk, present) =
            (Theme::new(Appearance::Light, Scale::Screen), Theme::new(Appearance::Light, Scale::Present));
        assert!(present.text.small >= 16.0 && present.text.body > desk.text.body && present.unit > desk.unit);
    }
}
