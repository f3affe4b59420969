//! Tables as text: CSV, Markdown, LaTeX, Typst. The first row is the head; the first column has words, the others numbers.

/// A format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated values.
    Csv,
    /// Markdown.
    Markdown,
    /// LaTeX, with the rules of the package booktabs.
    Latex,
    /// Typst.
    Typst,
}

impl TableFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Markdown, Self::Latex, Self::Typst];

    /// Its name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Markdown => "Markdown",
            Self::Latex => "LaTeX",
            Self::Typst => "Typst",
        }
    }

    /// A table in this format, with a caption where the format has one.
    #[must_use]
    pub fn written(self, rows: &[Vec<String>], caption: &str) -> String {
        match self {
            Self::Csv => csv(rows),
            Self::Markdown => format!("{}\n{caption}\n", markdown(rows)),
            Self::Latex => latex(rows, caption),
            Self::Typst => typst(rows, caption),
        }
    }
}

fn csv(rows: &[Vec<String>]) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    // Writing to memory does not fail.
    rows.iter().try_for_each(|row| writer.write_record(row)).ok();
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

fn markdown(rows: &[Vec<String>]) -> String {
    let rule =
        |head: &Vec<String>| row(head.iter().enumerate().map(|(column, _)| if column == 0 { "---" } else { "---:" }));
    let lines = rows
        .iter()
        .enumerate()
        .flat_map(|(number, cells)| std::iter::once(row(cells.iter())).chain((number == 0).then(|| rule(cells))));
    lines.map(|line| line + "\n").collect()
}

/// A row of a table in Markdown.
pub fn row(cells: impl Iterator<Item = impl AsRef<str>>) -> String {
    format!("| {} |", cells.map(|text| cell(text.as_ref())).collect::<Vec<_>>().join(" | "))
}

/// A text in a cell of a table in Markdown: in one line, and without a sign that would end the cell or begin markup.
#[must_use]
pub fn cell(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.trim().chars() {
        match letter {
            '\n' | '\r' | '\t' => escaped.push(' '),
            '|' | '\\' | '`' | '*' | '_' | '<' | '[' | ']' => escaped.extend(['\\', letter]),
            letter => escaped.push(letter),
        }
    }
    escaped
}

fn latex(rows: &[Vec<String>], caption: &str) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let numbers = "r".repeat(columns.saturating_sub(1));
    let line =
        |cells: &Vec<String>| cells.iter().map(|text| in_latex(text)).collect::<Vec<_>>().join(" & ") + " \\\\\n";
    let mut text = format!(
        "% \\usepackage{{booktabs}}\n\\begin{{table}}\n\\centering\n\\begin{{tabular}}{{l{numbers}}}\n\\toprule\n"
    );
    for (number, cells) in rows.iter().enumerate() {
        text += &line(cells);
        if number == 0 {
            text += "\\midrule\n";
        }
    }
    let (caption, label) = (in_latex(caption), label(caption));
    text + &format!("\\bottomrule\n\\end{{tabular}}\n\\caption{{{caption}}}\n\\label{{tab:{label}}}\n\\end{{table}}\n")
}

/// A name by which LaTeX can refer to a table: the first words of its caption.
fn label(caption: &str) -> String {
    const WORDS: usize = 4;
    let words = caption.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.take(WORDS).map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// A text for LaTeX, in one line.
fn in_latex(text: &str) -> String {
    let sign = |letter: char| -> String {
        match letter {
            '\n' | '\r' | '\t' => " ".to_owned(),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{letter}"),
            '~' => "\\textasciitilde{}".to_owned(),
            '^' => "\\textasciicircum{}".to_owned(),
            '\\' => "\\textbackslash{}".to_owned(),
            '<' => "$<$".to_owned(),
            '>' => "$>$".to_owned(),
            '±' => "$\\pm$".to_owned(),
            '−' => "$-$".to_owned(),
            '·' => "$\\cdot$".to_owned(),
            '×' => "$\\times$".to_owned(),
            '‖' => "$\\Vert$".to_owned(),
            '√' => "$\\surd$".to_owned(),
            '–' => "--".to_owned(),
            '\u{2009}' | '\u{202f}' | '\u{a0}' => "\\,".to_owned(),
            letter => match greek(letter) {
                Some(name) => format!("$\\{name}$"),
                None => raised(letter).map_or_else(|| letter.to_string(), |digit| format!("$^{{{digit}}}$")),
            },
        }
    };
    text.trim().chars().map(sign).collect::<String>().replace("}$$^{", "")
}

/// The name of a small Greek letter.
fn greek(letter: char) -> Option<&'static str> {
    const NAMES: [(char, &str); 21] = [
        ('α', "alpha"),
        ('β', "beta"),
        ('γ', "gamma"),
        ('δ', "delta"),
        ('ε', "varepsilon"),
        ('ζ', "zeta"),
        ('η', "eta"),
        ('θ', "theta"),
        ('κ', "kappa"),
        ('λ', "lambda"),
        ('μ', "mu"),
        ('ν', "nu"),
        ('ξ', "xi"),
        ('π', "pi"),
        ('ρ', "rho"),
        ('σ', "sigma"),
        ('τ', "tau"),
        ('φ', "varphi"),
        ('χ', "chi"),
        ('ψ', "psi"),
        ('ω', "omega"),
    ];
    NAMES.iter().find(|(known, _)| *known == letter).map(|(_, name)| *name)
}

/// The digit or sign that a raised one stands for.
fn raised(letter: char) -> Option<char> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁻".chars().zip("0123456789-".chars()).find(|(raised, _)| *raised == letter).map(|(_, plain)| plain)
}

fn typst(rows: &[Vec<String>], caption: &str) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let quoted = |text: &str| {
        format!("\"{}\"", text.trim().replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r', '\t'], " "))
    };
    let line = |cells: &Vec<String>| cells.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", ");
    let mut text = format!(
        "#figure(\n  table(\n    columns: {columns},\n    align: (column, _) => if column == 0 {{ left }} else {{ right }},\n"
    );
    for (number, cells) in rows.iter().enumerate() {
        text += &if number == 0 {
            format!("    table.header({}),\n", line(cells))
        } else {
            format!("    {},\n", line(cells))
        };
    }
    text + &format!("  ),\n  caption: {},\n)\n", quoted(caption))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(cells: &[&[&str]]) -> Vec<Vec<String>> {
        cells.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn a_table_in_four_formats() {
        let rows = rows(&[&["run", "KL(q‖p)"], &["a & b_1", "0.12 ± 0.01"]]);
        assert_eq!(TableFormat::Csv.written(&rows, "none"), "run,KL(q‖p)\na & b_1,0.12 ± 0.01\n");
        let expected = "| run | KL(q‖p) |\n| --- | ---: |\n| a & b\\_1 | 0.12 ± 0.01 |\n\n8 seeds\n";
        assert_eq!(TableFormat::Markdown.written(&rows, "8 seeds"), expected);
        let latex = TableFormat::Latex.written(&rows, "8 seeds, 100 %");
        assert!(latex.contains("run & KL(q$\\Vert$p) \\\\\n\\midrule\na \\& b\\_1 & 0.12 $\\pm$ 0.01 \\\\"), "{latex}");
        assert!(
            latex.contains("{lr}") && latex.contains("\\caption{8 seeds, 100 \\%}\n\\label{tab:8-seeds-100}"),
            "{latex}"
        );
        let typst = TableFormat::Typst.written(&rows, "8 seeds");
        assert!(typst.contains("table.header(\"run\", \"KL(q‖p)\"),\n    \"a & b_1\", \"0.12 ± 0.01\","), "{typst}");
        assert_eq!(in_latex("3·10⁻⁵"), "3$\\cdot$10$^{-5}$");
    }

    proptest! {
        /// Whatever is in the cells: CSV gives them back, LaTeX has as many columns in every line and balanced braces.
        #[test]
        fn any_cell_stays_a_cell(cells in prop::collection::vec("[a-z&%$#_{}~^\\\\<>\"|,;±−α²\n]{0,8}", 6)) {
            let rows: Vec<Vec<String>> = cells.chunks(2).map(<[String]>::to_vec).collect();
            let text = csv(&rows);
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
            let read: Vec<Vec<String>> =
                reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
            prop_assert_eq!(&read, &rows);
            let latex = latex(&rows, "c");
            let bare = latex.replace("\\\\", "").replace("\\&", "").replace("\\{", "").replace("\\}", "");
            prop_assert_eq!(bare.matches('&').count(), 3, "{}", latex);
            prop_assert_eq!(bare.matches('{').count(), bare.matches('}').count(), "{}", latex);
        }
    }
}
