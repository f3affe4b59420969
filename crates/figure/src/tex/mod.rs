//! PGF: a page as commands of the package `pgf`, for `\input` in a LaTeX document, which sets the texts in its own letters.
//!
//! A text is held where it belongs (see [`Label`]), and is smaller where letters of other widths would run over what stands beside it; signs of
//! formulas are formulas. Images, such as
//! densities and clouds of more than [`MOST_CIRCLES`] draws, are PNG files beside the file. Lengths are in big points, 72 per inch.

use std::collections::BTreeMap;
use std::fmt::Write;

use egui::{Color32, Pos2, Rect, Stroke};

use super::source::{Source, Written, add_comment, add_text, number};
use super::vector::{Drawn, Label, Mark, Outline, Page, Step, rooms};
use super::{Picture, Spoken, png};

/// The most dots of a series that are drawn one by one: TeX keeps a picture in its memory.
pub const MOST_CIRCLES: usize = 5000;

/// What begins a comment.
pub const COMMENT: &str = "%";

/// Big points per inch.
const UNITS_PER_INCH: f32 = 72.0;

/// Short names of the commands of pgf that a picture needs often.
const MACROS: &str = r"\def\sampM#1 #2 {\pgfpathmoveto{\pgfqpoint{#1bp}{#2bp}}}
\def\sampL#1 #2 {\pgfpathlineto{\pgfqpoint{#1bp}{#2bp}}}
\def\sampC#1 #2 #3 #4 #5 #6 {\pgfpathcurveto{\pgfqpoint{#1bp}{#2bp}}{\pgfqpoint{#3bp}{#4bp}}{\pgfqpoint{#5bp}{#6bp}}}
\def\sampO#1 #2 #3 {\pgfpathcircle{\pgfqpoint{#1bp}{#2bp}}{#3bp}}
\def\sampR#1 #2 #3 #4 {\pgfpathrectangle{\pgfqpoint{#1bp}{#2bp}}{\pgfqpoint{#3bp}{#4bp}}}
\def\sampT#1#2#3{{\fontsize{#1bp}{#1bp}\selectfont\color{#2}#3}}
\def\sampF#1#2{\setbox2\hbox{#2}\ifdim\wd2>#1bp \resizebox{#1bp}{!}{\copy2}\else\copy2\fi}
";

/// The file of a page with the stem of its name, its words, and texts such as its scenario. `written` makes LaTeX of a text.
///
/// # Errors
/// If an image cannot be written.
pub fn encode(
    page: &Page,
    background: Option<Color32>,
    (stem, spoken): (&str, &Spoken<'_>),
    texts: &[(&str, &str)],
    written: Written<'_>,
) -> Result<Source, png::PngError> {
    let mut writer = Writer::of(page, written);
    let [width, height] = page.size.map(|points| number(points * writer.scale));
    let mut file = String::new();
    add_comment(&mut file, COMMENT, spoken.title);
    add_comment(&mut file, COMMENT, spoken.alt);
    add_comment(
        &mut file,
        COMMENT,
        &format!(
            r"Use: \usepackage{{pgf}} in the preamble and \input{{{stem}.pgf}} in a figure. Letters are those of the document."
        ),
    );
    file.push_str("\\begingroup\n");
    file.push_str(MACROS);
    writer.colours(&mut file, background);
    file.push_str("\\begin{pgfpicture}\n");
    writeln!(file, "\\sampR0 0 {width} {height} \\pgfusepath{{use as bounding box,clip}}").ok();
    file.push_str("\\pgfsetroundjoin\\pgfsetbuttcap\n");
    if let Some(colour) = background {
        writer.state = State::default();
        writer.fill(&mut file, colour);
        writeln!(file, "\\sampR0 0 {width} {height} \\pgfusepath{{fill}}").ok();
    }
    let whole = Rect::from_min_size(Pos2::ZERO, page.size.into());
    let mut open: Option<Rect> = None;
    let all = page.drawn();
    for ((clip, _, drawn), room) in all.iter().zip(rooms(page, &all)) {
        let clip = *clip;
        let clip = (!clip.contains_rect(whole)).then_some(clip);
        if clip != open {
            writer.reclip(&mut file, open, clip);
            open = clip;
        }
        match drawn {
            Drawn::Mark(Mark::Path { outline, fill, stroke }) => writer.path(&mut file, outline, *fill, *stroke),
            Drawn::Mark(Mark::Image { rect, picture }) => writer.image(&mut file, *rect, picture, stem)?,
            Drawn::Mark(Mark::Text(_)) => {}
            Drawn::Label(label) => writer.label(&mut file, label, room),
        }
    }
    writer.reclip(&mut file, open, None);
    file.push_str("\\end{pgfpicture}%\n\\endgroup%\n");
    texts.iter().for_each(|(name, text)| add_text(&mut file, (COMMENT, name, text)));
    Ok(Source { file: file.into_bytes(), beside: writer.images })
}

/// What is set in the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    fill: Option<Color32>,
    stroke: Option<Stroke>,
}

struct Writer<'a> {
    page: &'a Page,
    written: Written<'a>,
    /// Big points per point.
    scale: f32,
    colours: BTreeMap<[u8; 3], usize>,
    state: State,
    images: Vec<(String, Vec<u8>)>,
}

impl<'a> Writer<'a> {
    fn of(page: &'a Page, written: Written<'a>) -> Self {
        let scale = UNITS_PER_INCH / page.points_per_inch;
        Self { page, written, scale, colours: BTreeMap::new(), state: State::default(), images: Vec::new() }
    }

    /// Defines all colours.
    fn colours(&mut self, file: &mut String, background: Option<Color32>) {
        let mut all: Vec<Color32> = background.into_iter().collect();
        for marked in &self.page.marks {
            match &marked.mark {
                Mark::Path { fill, stroke, .. } => all.extend([*fill, stroke.color]),
                Mark::Text(piece) => all.push(piece.colour),
                Mark::Image { .. } => {}
            }
        }
        for colour in all {
            let ([red, green, blue], _) = apart(colour);
            let next = self.colours.len();
            if let std::collections::btree_map::Entry::Vacant(entry) = self.colours.entry([red, green, blue]) {
                entry.insert(next);
                writeln!(file, "\\definecolor{{samp{next}}}{{RGB}}{{{red},{green},{blue}}}").ok();
            }
        }
    }

    fn colour(&self, colour: Color32) -> String {
        format!("samp{}", self.colours.get(&apart(colour).0).copied().unwrap_or_default())
    }

    fn point(&self, at: Pos2) -> [String; 2] {
        [number(at.x * self.scale), number((self.page.size[1] - at.y) * self.scale)]
    }

    fn reclip(&mut self, file: &mut String, before: Option<Rect>, clip: Option<Rect>) {
        if before.is_some() {
            file.push_str("\\end{pgfscope}\n");
        }
        if let Some(clip) = clip {
            let [x, y] = self.point(clip.left_bottom());
            let [width, height] = [clip.width(), clip.height()].map(|side| number(side.max(0.0) * self.scale));
            writeln!(file, "\\begin{{pgfscope}}\n\\sampR{x} {y} {width} {height} \\pgfusepath{{clip}}").ok();
        }
        self.state = State::default();
    }

    fn fill(&mut self, file: &mut String, colour: Color32) {
        if self.state.fill != Some(colour) {
            let opacity = number(apart(colour).1);
            writeln!(file, "\\pgfsetfillcolor{{{}}}\\pgfsetfillopacity{{{opacity}}}", self.colour(colour)).ok();
            self.state.fill = Some(colour);
        }
    }

    fn stroke(&mut self, file: &mut String, stroke: Stroke) {
        if self.state.stroke != Some(stroke) {
            let (opacity, width) = (number(apart(stroke.color).1), number(stroke.width * self.scale));
            let colour = self.colour(stroke.color);
            writeln!(
                file,
                "\\pgfsetstrokecolor{{{colour}}}\\pgfsetstrokeopacity{{{opacity}}}\\pgfsetlinewidth{{{width}bp}}"
            )
            .ok();
            self.state.stroke = Some(stroke);
        }
    }

    fn path(&mut self, file: &mut String, outline: &Outline, fill: Color32, stroke: Stroke) {
        let usage = match (fill != Color32::TRANSPARENT, !stroke.is_empty()) {
            (true, true) => "fill,stroke",
            (true, false) => "fill",
            (false, true) => "stroke",
            (false, false) => return,
        };
        if fill != Color32::TRANSPARENT {
            self.fill(file, fill);
        }
        if !stroke.is_empty() {
            self.stroke(file, stroke);
        }
        match outline {
            Outline::Circle { centre, radius } => {
                let [x, y] = self.point(*centre);
                write!(file, "\\sampO{x} {y} {} ", number(radius * self.scale)).ok();
            }
            Outline::Steps(steps) => {
                for (index, step) in steps.iter().enumerate() {
                    // TeX reads lines of some length.
                    if index % 6 == 5 {
                        file.push('\n');
                    }
                    let (name, points): (char, &[Pos2]) = match step {
                        Step::Move(to) => ('M', &[*to]),
                        Step::Line(to) => ('L', &[*to]),
                        Step::Cubic(points) => ('C', points),
                        Step::Close => {
                            file.push_str("\\pgfpathclose");
                            continue;
                        }
                    };
                    let points: Vec<String> = points.iter().flat_map(|point| self.point(*point)).collect();
                    write!(file, "\\samp{name}{} ", points.join(" ")).ok();
                }
            }
        }
        writeln!(file, "\\pgfusepath{{{usage}}}").ok();
    }

    fn image(&mut self, file: &mut String, rect: Rect, picture: &Picture, stem: &str) -> Result<(), png::PngError> {
        let suffix = format!("-{}.png", self.images.len() + 1);
        let [x, y] = self.point(rect.left_bottom());
        let [width, height] = [rect.width(), rect.height()].map(|side| number(side * self.scale));
        writeln!(
            file,
            "\\pgfsetfillopacity{{1}}\\pgftext[x={x}bp,y={y}bp,left,bottom]\
             {{\\includegraphics[width={width}bp,height={height}bp]{{{stem}{suffix}}}}}"
        )
        .ok();
        self.state.fill = None;
        self.images.push((suffix, png::encode(picture, &[])?));
        Ok(())
    }

    fn label(&mut self, file: &mut String, label: &Label, room: f32) {
        // The opacity of letters is that of areas.
        let opacity = number(apart(label.colour()).1);
        writeln!(file, "\\pgfsetfillopacity{{{opacity}}}").ok();
        self.state.fill = None;
        let [x, y] = self.point(label.at(label.anchor));
        let held = match label.anchor {
            0.0 => ",left",
            1.0 => ",right",
            _ => "",
        };
        let turn = if label.angle.abs() > 1e-3 {
            format!(",rotate={}", number(-label.angle.to_degrees()))
        } else {
            String::new()
        };
        let mut texts = String::new();
        let word = |letters: &str| format!("\\mathrm{{{}}}", within_formula(&(self.written)(letters)));
        // LaTeX chooses the size of letters that hang on others.
        for part in label.with_formulas(self.written, &word, ["{", "}", "{}"]) {
            let (size, text) = (number(part.size * self.scale), part.text);
            // Braces keep a space that the text may begin with.
            let bold = if part.bold { "\\bfseries{}" } else { "" };
            write!(texts, "\\sampT{{{size}}}{{{}}}{{{bold}{text}}}", self.colour(part.colour)).ok();
        }
        let room = number(room * self.scale);
        writeln!(file, "\\pgftext[x={x}bp,y={y}bp{held},base{turn}]{{\\sampF{{{room}}}{{{texts}}}}}").ok();
    }
}

/// A text of LaTeX as it stands within a formula, where its own formulas need no dollars, and spaces need to be said.
fn within_formula(text: &str) -> String {
    let (mut inside, mut escaped, mut opened) = (String::new(), false, false);
    for letter in text.chars() {
        match letter {
            '$' if !escaped => {
                // What follows a command is no part of its name.
                inside.push_str(if opened { "{}" } else { "" });
                opened = !opened;
            }
            ' ' if !escaped => inside.push_str("\\ "),
            _ => inside.push(letter),
        }
        escaped = letter == '\\' && !escaped;
    }
    inside
}

/// A colour without its opacity, and that.
fn apart(colour: Color32) -> ([u8; 3], f32) {
    let [red, green, blue, alpha] = colour.to_srgba_unmultiplied();
    ([red, green, blue], f32::from(alpha) / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_within_formulas_have_no_dollars_of_their_own() {
        assert_eq!(within_formula("$-$0.55"), "-{}0.55");
        assert_eq!(within_formula("age $\\alpha$x"), "age\\ \\alpha{}x");
        assert_eq!(within_formula("5\\$ or 7"), "5\\$\\ or\\ 7");
    }
}
