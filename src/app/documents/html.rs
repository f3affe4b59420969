//! Documents as HTML: one file that needs no other, with the figure as SVG inside, and the scenario in the figure.

use super::{Block, Document, Table};
use draw::sheet::{Format, ReadError};

/// The extension of such files.
pub const EXTENSION: &str = "html";

/// The look of the page, on a screen and on paper.
const STYLE: &str = "\
body{font:16px/1.45 Inter,'Segoe UI',system-ui,sans-serif;color:#1b1b1b;background:#fff;max-width:60rem;margin:2rem auto;padding:0 1.5rem}\
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}h2{font-size:1.15rem;margin:1.8rem 0 .4rem}p{margin:.4rem 0;white-space:pre-line}\
.small{font-size:.85rem;color:#555}.question{font-weight:600;margin-top:1.2rem}ul{margin:.4rem 0;padding-left:1.3rem}\
ul.options{list-style:none;padding-left:0}ul.options li::before{content:'\\2610\\00a0\\00a0'}\
.line{border-bottom:1px solid #999;height:2.1rem}.sketch{border:1px solid #999;height:24rem;margin:.6rem 0}\
.fields{display:flex;gap:1.5rem;margin:.8rem 0}.fields span{flex:1;border-bottom:1px solid #777;padding-bottom:.15rem}.fields span:first-child{flex:3}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;margin:.4rem 0}th,td{border-bottom:1px solid #ddd;padding:.25rem .7rem .25rem 0;\
text-align:left;vertical-align:top}.many{font-size:.8rem}.many th,.many td{padding-right:.4rem}th{border-bottom-color:#777}figure{margin:1rem 0}figure svg{width:100%;height:auto;border:1px solid #ddd}\
@page{size:A4;margin:16mm 18mm}\
@media print{body{font-size:11pt;margin:0;padding:0;max-width:none}h2,.question{break-after:avoid}figure,tr,.line,.task,.sketch{break-inside:avoid}\
.wide{overflow:visible}table{font-size:9pt;width:100%}.many{font-size:7pt}th,td{overflow-wrap:anywhere}\
figure svg{max-height:165mm}p{orphans:3;widows:3}}";

/// Columns from which a table has smaller type.
const MANY: usize = 7;

/// The page of a document, with the figure in its place if there is one.
#[must_use]
pub fn page(document: &Document, figure: Option<&str>) -> String {
    let title = escaped(&document.title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    );
    let mut in_task = false;
    for block in &document.blocks {
        if in_task && matches!(block, Block::Question(_) | Block::Heading(_)) {
            page.push_str("</div>\n");
            in_task = false;
        }
        if matches!(block, Block::Question(_)) {
            page.push_str("<div class=\"task\">\n");
            in_task = true;
        }
        page.push_str(&written(block, figure));
        page.push('\n');
    }
    if in_task {
        page.push_str("</div>\n");
    }
    page + "</body>\n</html>\n"
}

fn written(block: &Block, figure: Option<&str>) -> String {
    let list = |class: &str, items: &[String]| {
        let items: String = items.iter().map(|item| format!("<li>{}</li>", escaped(item))).collect();
        format!("<ul{class}>{items}</ul>")
    };
    match block {
        Block::Heading(text) => format!("<h2>{}</h2>", escaped(text)),
        Block::Paragraph(text) => format!("<p>{}</p>", escaped(text)),
        Block::Small(text) => format!("<p class=\"small\">{}</p>", escaped(text)),
        Block::Question(text) => format!("<p class=\"question\">{}</p>", escaped(text)),
        Block::List(items) => list("", items),
        Block::Options(items) => list(" class=\"options\"", items),
        Block::Lines(lines) => "<div class=\"line\"></div>".repeat(*lines),
        Block::Table(table) => rows(table),
        Block::Fields(fields) => {
            let one = |(name, value): &(&str, String)| format!("<span>{}: {}</span>", escaped(name), escaped(value));
            format!("<div class=\"fields\">{}</div>", fields.iter().map(one).collect::<String>())
        }
        Block::Sketch => {
            figure.map_or_else(|| "<div class=\"sketch\"></div>".to_owned(), |svg| format!("<figure>{svg}</figure>"))
        }
        Block::Figure => figure.map_or_else(String::new, |svg| format!("<figure>{svg}</figure>")),
    }
}

fn rows(table: &Table) -> String {
    let row = |tag: &str, cells: &[String]| {
        let cells: String = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        format!("<tr>{cells}</tr>")
    };
    let body: String = table.rows.iter().map(|cells| row("td", cells)).collect();
    let many = if table.head.len() > MANY { " class=\"many\"" } else { "" };
    format!(
        "<div class=\"wide\"><table{many}><thead>{}</thead><tbody>{body}</tbody></table></div>",
        row("th", &table.head)
    )
}

/// A text in which nothing is markup, as the content of an element and as a value in quotes.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if letter.is_control() && letter != '\n' => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The figure in a page, if there is one: the text from its first tag to its last. Texts of a person have no tags.
#[must_use]
fn figure_in(page: &str) -> Option<&str> {
    const END: &str = "</svg>";
    let page = &page[page.find("<svg")?..];
    Some(&page[..page.find(END)? + END.len()])
}

/// The scenario in a report in HTML, if there is one.
///
/// # Errors
/// If its figure is broken.
pub fn scenario_in(bytes: &[u8]) -> Result<Option<String>, ReadError> {
    let page = String::from_utf8_lossy(bytes);
    figure_in(&page).map_or(Ok(None), |svg| Format::Svg.scenario(svg.as_bytes()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_figure_of_a_page_is_found_whatever_a_person_has_written() {
        let texts = ["<svg>no</svg>", "a < b & c > \"d\"", "</p><script>x()</script>"];
        let blocks = texts.iter().map(|text| Block::Paragraph((*text).to_owned())).chain([Block::Figure]).collect();
        let page = page(&Document { title: "<b>'T'".to_owned(), blocks }, Some("<svg id=\"x\"><g/></svg>"));
        assert_eq!(figure_in(&page), Some("<svg id=\"x\"><g/></svg>"));
        assert!(!page.contains("<script") && page.contains("&lt;b&gt;&#39;T&#39;"));
        assert_eq!(figure_in("<p>none</p>"), None);
    }

    /// A question and the room for its answer stay on a page.
    #[test]
    fn what_belongs_to_a_question_is_within_one_part() {
        let question = || Block::Question("Why?".to_owned());
        let blocks = vec![question(), Block::Lines(2), question(), Block::Sketch, Block::Heading("End".to_owned())];
        let page = page(&Document { title: "T".to_owned(), blocks }, None);
        let parts: Vec<&str> = page.split("<div class=\"task\">").collect();
        assert_eq!((parts.len(), page.matches("<div").count()), (3, page.matches("</div>").count()));
        assert!(parts[1].contains("class=\"line\"") && parts[2].find("sketch") < parts[2].find("<h2>"));
    }

    proptest! {
        #[test]
        fn escaped_text_has_no_markup_and_reads_as_it_was(text in "[a-z<>&\"'=/; \n]{0,40}") {
            let escaped = escaped(&text);
            prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
            let back = escaped.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&");
            prop_assert_eq!(back, text);
        }
    }
}
