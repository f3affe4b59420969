//! Documents as pages of a PDF: A4, as many as it takes. Blocks are laid out one below the other; a table is continued on the next page, its
//! head again above it.

use egui::{Align, Context, FontId, Layout, Rect, Stroke, Ui, UiBuilder, pos2, vec2};

use super::{Block, Document, Table};
use draw::sheet::{Dimensions, DrawError, ExportOptions, Extras, SCENARIO_FILE, Unit};
use draw::theme::{self, Theme};
use draw::views::PlotsOf;
use engine::session::Frame;
use figure::Spoken;
use figure::pdf::{self, Attachment};
use figure::vector::Page;

/// Sides of a page and width of its margins, in millimetres; resolution of pictures, per inch; size of text, in points of 1/72 inch.
const SIDES: [f64; 2] = [210.0, 297.0];
const MARGIN: f32 = 18.0;
const RESOLUTION: f64 = 150.0;
const TEXT: f64 = 9.5;

/// Height of a line to write on, in sizes of text.
const LINE: f32 = 2.2;

/// Space after a column, and the least of it between two texts, in units of the theme.
const GAP: f32 = 3.0;
const CELL_GAP: f32 = 2.0;

/// The smallest type of a table, as a share of small text.
const SMALLEST: f32 = 0.55;

/// The shares of its height to which a figure may shrink to stay on a page, and grow where there is room left.
const SHRINKS: f32 = 0.72;
const GROWS: f32 = 1.4;

/// Room that is left below a figure, against rounding, in points.
const SLACK: f32 = 0.5;

/// Most pages.
const MOST: usize = 60;

/// What a page shows without a break: a block, or a row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Item {
    block: usize,
    /// The row of a table; 0 is the first below its head.
    row: usize,
}

/// How a table fits a page: the font, and the widths of its columns.
struct Fit {
    font: FontId,
    widths: Vec<f32>,
}

/// The figure of a document.
#[derive(Clone, Copy, Debug)]
pub struct Drawn<'a> {
    /// The frame.
    pub frame: &'a Frame,
    /// Its options.
    pub options: &'a ExportOptions,
    /// What it shows besides.
    pub extras: &'a Extras,
}

/// The PDF of a document with the scenario inside.
///
/// # Errors
/// If a page cannot be drawn or written.
pub fn pdf(document: &Document, drawn: Drawn<'_>, scenario: &str) -> Result<Vec<u8>, DrawError> {
    let size = Dimensions { sides: SIDES, unit: Unit::Millimetres, dpi: RESOLUTION, text: TEXT };
    let theme = drawn.options.theme();
    let units = units(document);
    let (mut pages, mut next): (Vec<Page>, usize) = (Vec::new(), 0);
    while (next < units.len() || pages.is_empty()) && pages.len() < MOST {
        let setup = |context: &Context| {
            theme::install_fonts(context);
            theme::apply(context, &theme);
            figure::vector::ask_for_shapes(context);
        };
        let (first, mut end) = (next, next);
        let mut plots = PlotsOf::default();
        let writer = Writer { document, drawn, theme: &theme };
        let draw = |ui: &mut Ui| end = writer.page(ui, (&units, first), &mut plots);
        pages.push(figure::lay_out(size.figure()?, setup, draw)?.page()?);
        next = end.max(first + 1);
    }
    let (name, kind) = (SCENARIO_FILE, "application/toml");
    let attachment = Attachment { name, description: "The experiment of this report", kind, text: scenario };
    let spoken = Spoken { title: &document.title, alt: "" };
    Ok(pdf::encode(&pages, Some(theme.paper), &spoken, &[attachment])?)
}

/// All units of a document.
fn units(document: &Document) -> Vec<Item> {
    let of = |(block, one): (usize, &Block)| {
        let rows = if let Block::Table(table) = one { table.rows.len() } else { 1 };
        (0..rows).map(move |row| Item { block, row })
    };
    document.blocks.iter().enumerate().flat_map(of).collect()
}

/// Draws pages of a document.
struct Writer<'a> {
    document: &'a Document,
    drawn: Drawn<'a>,
    theme: &'a Theme,
}

impl Writer<'_> {
    /// Draws the units from number `first` on, as many as there is space for; returns the number of the first on the next page.
    fn page(&self, ui: &mut Ui, (units, first): (&[Item], usize), plots: &mut PlotsOf) -> usize {
        let whole = ui.max_rect();
        let margin = MARGIN / SIDES[0] as f32 * whole.width();
        let area = whole.shrink(margin);
        let mut top = area.top();
        if first == 0 {
            let font = self.theme.title();
            top = self.text(ui, (area, top), &self.document.title, &font) + self.theme.space(1.0);
        }
        for (number, unit) in units.iter().enumerate().skip(first) {
            let with_head = number == first || unit.row == 0;
            let room = area.bottom() - top;
            let height = self.fitting(*unit, self.height(ui, *unit, with_head, area.width()), room);
            // A heading stays with what it is about, and the last row of a table with the one before.
            let follows = units.get(number + 1).filter(|next| self.is_heading(*unit) || self.ends_table(**next));
            let following = |next: &Item| {
                let whole = self.height(ui, *next, self.is_heading(*unit), area.width());
                self.fitting(*next, whole, room - height)
            };
            let needed = height + follows.map_or(0.0, following);
            if number > first && top + needed > area.bottom() {
                return number;
            }
            let rect = Rect::from_min_size(pos2(area.left(), top), vec2(area.width(), height));
            self.unit(ui, *unit, with_head, rect, plots);
            top += height;
        }
        units.len()
    }

    /// The height of a unit on a page with some room left: a figure shrinks or grows rather than to leave it empty.
    fn fitting(&self, unit: Item, height: f32, room: f32) -> f32 {
        let adapts = matches!(self.document.blocks[unit.block], Block::Figure) && room >= SHRINKS * height;
        if adapts { (GROWS * height).min(room - SLACK) } else { height }
    }

    /// Height of the figure, as a share of its width.
    fn figure_shape(&self) -> f32 {
        let [width, height] = self.drawn.options.size.sides.map(|side| side as f32);
        height / width
    }

    fn is_heading(&self, unit: Item) -> bool {
        matches!(self.document.blocks[unit.block], Block::Heading(_) | Block::Question(_))
    }

    fn ends_table(&self, unit: Item) -> bool {
        matches!(&self.document.blocks[unit.block], Block::Table(table) if unit.row > 0 && unit.row + 1 == table.rows.len())
    }

    /// The font of a block of text with the space above it, in units of the theme.
    fn style<'b>(&self, block: &'b Block) -> Option<(&'b str, FontId, f32)> {
        let theme = self.theme;
        Some(match block {
            Block::Heading(text) => (text, theme.heading(), 4.0),
            Block::Question(text) => (text, theme.strong(), 2.5),
            Block::Paragraph(text) => (text, theme.body(), 1.0),
            Block::Small(text) => (text, theme.small(), 1.5),
            _ => return None,
        })
    }

    fn height(&self, ui: &Ui, unit: Item, with_head: bool, width: f32) -> f32 {
        let (theme, block) = (self.theme, &self.document.blocks[unit.block]);
        if let Some((text, font, above)) = self.style(block) {
            return theme.space(above) + self.galley(ui, text, &font, width).size().y;
        }
        match block {
            Block::List(items) | Block::Options(items) => {
                let line = |item: &String| self.galley(ui, item, &theme.body(), width - theme.space(5.0)).size().y;
                theme.space(1.0) + items.iter().map(line).sum::<f32>()
            }
            Block::Lines(lines) => LINE * theme.text.body * *lines as f32,
            Block::Fields(_) => LINE * theme.text.body,
            Block::Sketch => theme.space(2.0) + 0.5 * width,
            Block::Figure => theme.space(2.0) + self.figure_shape() * width,
            Block::Table(table) => {
                let fit = self.fit(ui, table, width);
                let row = table.rows.get(unit.row).map_or(0.0, |row| self.row_height(ui, row, &fit));
                let head = if with_head { self.row_height(ui, &table.head, &fit) + theme.space(2.0) } else { 0.0 };
                head + row
            }
            _ => 0.0,
        }
    }

    fn unit(&self, ui: &mut Ui, unit: Item, with_head: bool, rect: Rect, plots: &mut PlotsOf) {
        let (theme, block) = (self.theme, &self.document.blocks[unit.block]);
        if let Some((text, font, above)) = self.style(block) {
            self.text(ui, (rect, rect.top() + theme.space(above)), text, &font);
            return;
        }
        match block {
            Block::List(items) | Block::Options(items) => {
                let sign = if matches!(block, Block::Options(_)) { "☐" } else { "•" };
                let mut top = rect.top() + theme.space(1.0);
                for item in items {
                    self.text(ui, (rect, top), sign, &theme.body());
                    let beside = rect.with_min_x(rect.left() + theme.space(5.0));
                    top = self.text(ui, (beside, top), item, &theme.body());
                }
            }
            Block::Lines(lines) => {
                for line in 1..=*lines {
                    let y = rect.top() + LINE * theme.text.body * line as f32;
                    ui.painter().hline(rect.x_range(), y - 1.0, Stroke::new(theme.thin(), theme.faint));
                }
            }
            Block::Fields(fields) => self.fields(ui, fields, rect),
            Block::Sketch => {
                let area = rect.with_min_y(rect.top() + theme.space(2.0));
                ui.painter().rect_stroke(area, 0.0, Stroke::new(theme.thin(), theme.edge), egui::StrokeKind::Inside);
            }
            Block::Figure => {
                let area = rect.with_min_y(rect.top() + theme.space(2.0));
                let Drawn { frame, options, extras } = self.drawn;
                let builder = UiBuilder::new().id_salt("figure").max_rect(area).layout(Layout::top_down(Align::Min));
                let mut inner = ui.new_child(builder);
                inner.shrink_clip_rect(area);
                draw::sheet::draw(&mut inner, frame, theme, (options, extras), plots);
                ui.painter().rect_stroke(area, 0.0, Stroke::new(theme.thin(), theme.rule), egui::StrokeKind::Inside);
            }
            Block::Table(table) => {
                let fit = self.fit(ui, table, rect.width());
                let mut top = rect.top();
                if with_head {
                    top += theme.space(1.0);
                    top = self.row(ui, &table.head, &fit, pos2(rect.left(), top), true) + theme.space(1.0);
                }
                if let Some(row) = table.rows.get(unit.row) {
                    self.row(ui, row, &fit, pos2(rect.left(), top), false);
                }
            }
            _ => {}
        }
    }

    /// Fields beside each other, each above a line; the first is three times as wide as the others.
    fn fields(&self, ui: &Ui, fields: &[(&'static str, String)], rect: Rect) {
        let (theme, gap) = (self.theme, self.theme.space(4.0));
        let unit = (rect.width() + gap) / (fields.len() as f32 + 2.0);
        let mut left = rect.left();
        for (number, (name, value)) in fields.iter().enumerate() {
            let width = if number == 0 { 3.0 } else { 1.0 } * unit - gap;
            let galley = self.galley(ui, &format!("{name}: {value}"), &theme.body(), width);
            let bottom = rect.bottom() - theme.space(1.0);
            ui.painter().galley(pos2(left, bottom - galley.size().y), galley, theme.ink);
            ui.painter().hline(left..=left + width, bottom, Stroke::new(theme.thin(), theme.edge));
            left += width + gap;
        }
    }

    /// How a table fits a page. Columns are as wide as their texts, or narrower where that is too much, but no word breaks: where even the
    /// words have no space beside each other, the type is smaller.
    fn fit(&self, ui: &Ui, table: &Table, width: f32) -> Fit {
        let (theme, font) = (self.theme, self.theme.small());
        let (natural, least) = self.needs(ui, table, &font);
        let sum = |widths: &[f32]| widths.iter().sum::<f32>().max(1.0);
        if sum(&least) > width {
            let share = (width / sum(&least)).max(SMALLEST);
            let font = FontId::new(theme.text.small * share, font.family);
            let (_, least) = self.needs(ui, table, &font);
            let share = (width / sum(&least)).min(1.0);
            return Fit { font, widths: least.into_iter().map(|wide| wide * share).collect() };
        }
        // What is more than the words need shrinks alike.
        let share = ((width - sum(&least)) / (sum(&natural) - sum(&least)).max(1.0)).min(1.0);
        let widths = natural.iter().zip(&least).map(|(natural, least)| least + share * (natural - least));
        Fit { font, widths: widths.collect() }
    }

    /// The widths of the columns for whole texts, and for their longest words.
    fn needs(&self, ui: &Ui, table: &Table, font: &FontId) -> (Vec<f32>, Vec<f32>) {
        let gap = self.theme.space(GAP);
        let wide = |text: &str| ui.painter().layout_no_wrap(text.to_owned(), font.clone(), self.theme.ink).size().x;
        // A line may break at a space, but not at a narrow one within a number.
        let longest = |text: &str| text.split([' ', '\n']).map(wide).fold(0.0, f32::max) + wide(" ");
        let column = |at: usize| {
            let texts = || table.rows.iter().chain([&table.head]).filter_map(|row| row.get(at));
            let whole = texts().map(|text| wide(text)).fold(0.0, f32::max);
            (whole + gap, texts().map(|text| longest(text)).fold(0.0, f32::max) + gap)
        };
        (0..table.head.len()).map(column).unzip()
    }

    fn row_height(&self, ui: &Ui, cells: &[String], fit: &Fit) -> f32 {
        let (theme, gap) = (self.theme, self.theme.space(CELL_GAP));
        let one = |(text, width): (&String, &f32)| self.galley(ui, text, &fit.font, width - gap).size().y;
        cells.iter().zip(&fit.widths).map(one).fold(0.0, f32::max) + theme.space(1.0)
    }

    /// Draws a row; returns its lower edge.
    fn row(&self, ui: &Ui, cells: &[String], fit: &Fit, at: egui::Pos2, head: bool) -> f32 {
        let (theme, gap) = (self.theme, self.theme.space(CELL_GAP));
        let height = self.row_height(ui, cells, fit);
        let mut left = at.x;
        for (text, width) in cells.iter().zip(&fit.widths) {
            let galley = self.galley(ui, text, &fit.font, width - gap);
            ui.painter().galley(pos2(left, at.y), galley, theme.ink);
            left += width;
        }
        let colour = if head { theme.edge } else { theme.rule };
        ui.painter().hline(at.x..=left, at.y + height - theme.space(0.4), Stroke::new(theme.thin(), colour));
        at.y + height
    }

    fn galley(&self, ui: &Ui, text: &str, font: &FontId, width: f32) -> std::sync::Arc<egui::Galley> {
        ui.painter().layout(text.to_owned(), font.clone(), self.theme.ink, width.max(1.0))
    }

    /// Draws a text from a height on; returns its lower edge.
    fn text(&self, ui: &Ui, (area, top): (Rect, f32), text: &str, font: &FontId) -> f32 {
        let galley = self.galley(ui, text, font, area.width());
        let bottom = top + galley.size().y;
        ui.painter().galley(pos2(area.left(), top), galley, self.theme.ink);
        bottom
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::{ViewSpec, read};
    use engine::session::Session;

    /// Whatever the columns: no word breaks, and the table is no wider than the page.
    #[test]
    fn no_word_of_a_table_breaks() {
        let text = "format = 1\nseed = 3\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 3\n";
        let frame = Session::new(read(text, "test", Path::new(".")).unwrap()).unwrap().frame();
        let (options, extras) = (ExportOptions::default(), Extras::of(ViewSpec::default()));
        let (theme, document) = (options.theme(), Document::default());
        let drawn = Drawn { frame: &frame, options: &options, extras: &extras };
        for columns in [3, 8, 12] {
            let head = (0..columns).map(|at| format!("Random walk: measure{at} acceptance")).collect();
            let row = (0..columns).map(|at| format!("3\u{202f}0{at}0 (0.1234 ± 0.02)")).collect();
            let table = Table { head, rows: vec![row] };
            let context = Context::default();
            theme::install_fonts(&context);
            for _ in 0..2 {
                let mut fits = None;
                let mut output = context.run_ui(egui::RawInput::default(), |ui| {
                    let writer = Writer { document: &document, drawn, theme: &theme };
                    let fit = writer.fit(ui, &table, 640.0);
                    let cells = table.rows.iter().chain([&table.head]).flat_map(|row| row.iter().zip(&fit.widths));
                    for (text, width) in cells {
                        let galley = writer.galley(ui, text, &fit.font, width - theme.space(CELL_GAP));
                        for row in &galley.rows {
                            let line = row.row.text();
                            let line = line.trim();
                            let whole = line.is_empty() || text.split(' ').any(|word| line.ends_with(word));
                            assert!(whole, "{columns} columns: {line:?} of {text:?}");
                        }
                    }
                    fits = Some(fit.widths.iter().sum::<f32>());
                });
                // Nothing is painted.
                output.textures_delta.clear();
                assert!(fits.unwrap() <= 641.0, "{columns} columns: {fits:?}");
            }
        }
    }
}
