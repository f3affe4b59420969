//! Papers and books that methods and measures come from, as BibTeX and as a line of text.

/// What a source is printed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printed {
    /// A journal, with volume and pages; the pages may be unknown.
    Journal {
        /// Its name.
        name: &'static str,
        /// Its volume.
        volume: &'static str,
        /// The first and the last page, or the number of the article; empty if it has neither.
        pages: &'static str,
    },
    /// The proceedings of a conference.
    Proceedings(&'static str),
    /// The same with where it is in them.
    PartOf {
        /// The name of the conference.
        proceedings: &'static str,
        /// The first and the last page; empty in proceedings without pages.
        pages: &'static str,
        /// The address of the paper; empty where pages say enough.
        url: &'static str,
    },
    /// A chapter of a book, with its publisher.
    Chapter {
        /// The title of the book.
        book: &'static str,
        /// The publisher.
        publisher: &'static str,
    },
    /// A program.
    Program,
    /// A book of its own, by this publisher.
    Book(&'static str),
    /// Nothing but arXiv.
    Preprint,
}

/// A paper or a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its key in BibTeX.
    pub key: &'static str,
    /// Family name and given names of every author, as in `Welling, Max`.
    pub authors: &'static [&'static str],
    /// Its title.
    pub title: &'static str,
    /// Where it is printed.
    pub printed: Printed,
    /// The year.
    pub year: u16,
    /// Its number at arXiv; empty without one.
    pub arxiv: &'static str,
}

/// The International Conference on Machine Learning.
pub const ICML: Printed = Printed::Proceedings(ICML_NAME);

/// Its name, for papers whose pages are known.
pub const ICML_NAME: &str = "International Conference on Machine Learning";

/// The conference on Neural Information Processing Systems.
pub const NEURIPS: Printed = Printed::Proceedings("Advances in Neural Information Processing Systems");

/// The International Conference on Learning Representations.
pub const ICLR: Printed = Printed::Proceedings(ICLR_NAME);

/// Its name, for papers whose address is known.
pub const ICLR_NAME: &str = "International Conference on Learning Representations";

/// The International Conference on Artificial Intelligence and Statistics.
pub const AISTATS: Printed = Printed::Proceedings("International Conference on Artificial Intelligence and Statistics");

/// What both a method and a measure come from.
pub const BETANCOURT: Source = Source {
    key: "betancourt2017",
    authors: &["Betancourt, Michael"],
    title: "A conceptual introduction to Hamiltonian Monte Carlo",
    printed: Printed::Preprint,
    year: 2017,
    arxiv: "1701.02434",
};

impl Source {
    /// The entry of BibTeX, without a line break at its end.
    #[must_use]
    pub fn bibtex(&self) -> String {
        let (kind, of_kind): (&str, Vec<(&str, &str)>) = match self.printed {
            Printed::Journal { name, volume, pages } => {
                ("article", vec![("journal", name), ("volume", volume), ("pages", pages)])
            }
            Printed::Proceedings(name) => ("inproceedings", vec![("booktitle", name)]),
            Printed::PartOf { proceedings, pages, url } => {
                ("inproceedings", vec![("booktitle", proceedings), ("pages", pages), ("url", url)])
            }
            Printed::Chapter { book, publisher } => {
                ("incollection", vec![("booktitle", book), ("publisher", publisher)])
            }
            Printed::Book(publisher) => ("book", vec![("publisher", publisher)]),
            Printed::Program => ("misc", vec![("howpublished", "Computer program")]),
            Printed::Preprint => ("misc", Vec::new()),
        };
        let (authors, title, year) = (self.authors.join(" and "), format!("{{{}}}", self.title), self.year.to_string());
        let of_all = [("author", authors.as_str()), ("title", title.as_str())];
        let preprint = if self.arxiv.is_empty() { "" } else { "arXiv" };
        let last = [("year", year.as_str()), ("eprint", self.arxiv), ("archiveprefix", preprint)];
        let fields = of_all.into_iter().chain(of_kind).chain(last).filter(|(_, value)| !value.is_empty());
        let lines: String = fields.map(|(name, value)| format!("  {name} = {{{}}},\n", escaped(value))).collect();
        format!("@{kind}{{{},\n{lines}}}", self.key)
    }

    /// Authors, year, title and where it is printed, in one line.
    #[must_use]
    pub fn text(&self) -> String {
        let family = |author: &&'static str| author.split(',').next().unwrap_or_default();
        let names: Vec<&str> = self.authors.iter().map(family).collect();
        let authors = match &names[..] {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        };
        let printed = match self.printed {
            Printed::Journal { name, volume, pages: "" } => format!("{name} {volume}"),
            Printed::Journal { name, volume, pages } => format!("{name} {volume}:{}", pages.replace("--", "–")),
            Printed::Proceedings(name) | Printed::PartOf { proceedings: name, pages: "", .. } => name.to_owned(),
            Printed::PartOf { proceedings, pages, .. } => format!("{proceedings}, {}", pages.replace("--", "–")),
            Printed::Chapter { book, publisher } => format!("in {book}, {publisher}"),
            Printed::Book(publisher) => publisher.to_owned(),
            Printed::Program => "computer program".to_owned(),
            Printed::Preprint => String::new(),
        };
        let parts = [printed, if self.arxiv.is_empty() { String::new() } else { format!("arXiv:{}", self.arxiv) }];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        format!("{authors} ({}), “{}”, {}", self.year, self.title, parts.join(", "))
    }
}

/// With accents and signs as LaTeX writes them, which every BibTeX reads.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            'á' => written.push_str(r"{\'a}"),
            'è' => written.push_str(r"{\`e}"),
            'é' => written.push_str(r"{\'e}"),
            'ô' => written.push_str(r"{\^o}"),
            'ö' => written.push_str(r#"{\"o}"#),
            'ü' => written.push_str(r#"{\"u}"#),
            'å' => written.push_str(r"{\aa}"),
            'š' => written.push_str(r"{\v{s}}"),
            'í' => written.push_str(r"{\'i}"),
            '’' => written.push('\''),
            '&' => written.push_str(r"\&"),
            '–' => written.push_str("--"),
            letter => written.push(letter),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAPER: Source = Source {
        key: "syed2022",
        authors: &["Syed, Saifuddin", "Bouchard-Côté, Alexandre"],
        title: "Non-reversible parallel tempering",
        printed: Printed::Journal { name: "J. R. Stat. Soc. B", volume: "84", pages: "321--350" },
        year: 2022,
        arxiv: "1905.02939",
    };

    #[test]
    fn an_entry_has_every_field_that_is_known() {
        let expected = "@article{syed2022,\n  author = {Syed, Saifuddin and Bouchard-C{\\^o}t{\\'e}, Alexandre},\n  \
                        title = {{Non-reversible parallel tempering}},\n  journal = {J. R. Stat. Soc. B},\n  volume = {84},\n  \
                        pages = {321--350},\n  year = {2022},\n  eprint = {1905.02939},\n  archiveprefix = {arXiv},\n}";
        assert_eq!(PAPER.bibtex(), expected);
        let line = "Syed and Bouchard-Côté (2022), “Non-reversible parallel tempering”, J. R. Stat. Soc. B 84:321–350, arXiv:1905.02939";
        assert_eq!(PAPER.text(), line);
        let book = Source { printed: Printed::Book("Press & Co"), arxiv: "", ..PAPER };
        assert!(book.bibtex().contains("publisher = {Press \\& Co}") && !book.bibtex().contains("eprint"));
    }
}
