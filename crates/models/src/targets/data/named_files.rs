//! Files of one's own that a target or a list of step sizes names: a link to it has only their names.

use base::params::{ParamSpec, ParamType, Settings, Value};

use crate::targets::topics::WORD_LISTS;

/// Keys of parameters whose text is the path of a file or of a folder.
const PATHS: [&str; 4] = ["path", "docword", "vocab", "stop_words"];

/// The label of a path that is a folder.
pub(in crate::targets) const FOLDER: &str = "folder";

/// What the path of a parameter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathChoice {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// What a parameter names on the disk; `None` if it is another one.
#[must_use]
pub fn path_choice(spec: &ParamSpec) -> Option<PathChoice> {
    let is_path = spec.ty == ParamType::Text && PATHS.contains(&spec.key);
    is_path.then_some(if spec.label == FOLDER { PathChoice::Folder } else { PathChoice::File })
}

/// Paths of the files and folders that settings name, as they are written there, in the order of the parameters. What comes with the
/// program is not among them.
#[must_use]
pub fn named_files(settings: &Settings) -> Vec<&str> {
    settings.iter().flat_map(|(spec, value)| files_in(spec.key, value)).collect()
}

/// The same of the value of a parameter, by its key or by a path that ends with it.
#[must_use]
pub fn files_in<'a>(path: &str, value: &'a Value) -> Vec<&'a str> {
    let key = path.rsplit('.').next().unwrap_or(path);
    match value {
        Value::Text(text) if PATHS.contains(&key) => {
            let path = text.trim();
            (!path.is_empty() && !WORD_LISTS.contains(&path)).then_some(path).into_iter().collect()
        }
        Value::Group(group) => named_files(group),
        Value::List(list) => list.iter().flat_map(named_files).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{PATHS, named_files};
    use crate::targets::TARGETS;
    use base::params::{KindSpec, ParamType, Settings, Value, find_kind};

    /// Parameters whose text is a formula, or the name of a column or of something in it.
    const NOT_PATHS: [&str; 22] = [
        "density",
        "pattern",
        "column",
        "title",
        "x_column",
        "y_column",
        "label_column",
        "response",
        "predictors",
        "one",
        "arm",
        "outcome",
        "arm_b",
        "shown_x",
        "shown_y",
        "terms",
        "term",
        "trials",
        "sd",
        "group",
        "sha256",
        "text",
    ];

    fn texts(kinds: &[KindSpec]) -> Vec<&'static str> {
        let specs = kinds.iter().flat_map(|kind| kind.params);
        let of_type = |ty: ParamType, key: &'static str| match ty {
            ParamType::Text => vec![key],
            ParamType::Group(kinds) => texts(kinds),
            ParamType::List(kind) => texts(std::slice::from_ref(kind)),
            _ => Vec::new(),
        };
        specs.flat_map(|spec| of_type(spec.ty, spec.key)).collect()
    }

    #[test]
    fn every_text_of_a_target_is_known_to_be_a_path_or_none() {
        let found = texts(&TARGETS);
        for key in PATHS.iter().chain(&NOT_PATHS) {
            assert!(found.contains(key), "no parameter {key}");
        }
        for key in found {
            assert!(PATHS.contains(&key) || NOT_PATHS.contains(&key), "is {key} the path of a file?");
        }
    }

    #[test]
    fn files_are_found_in_groups_and_what_comes_with_the_program_is_none() {
        let mut settings = Settings::defaults(find_kind(&TARGETS, "topics").unwrap());
        assert_eq!(named_files(&settings), [""; 0]);
        let Some(ParamType::Group(kinds)) = settings.spec_at("corpus").map(|spec| spec.ty) else {
            panic!("no corpora")
        };
        let mut corpus = |kind| {
            settings.set("corpus", Value::Group(Settings::defaults(find_kind(kinds, kind).unwrap()))).unwrap();
            settings.clone()
        };
        assert_eq!(named_files(&corpus("aesop")), [""; 0]);
        let mut csv = corpus("csv");
        csv.set("corpus.path", Value::Text("fables.csv".to_owned())).unwrap();
        assert_eq!(named_files(&csv), ["fables.csv"]);
        csv.set("corpus.stop_words", Value::Text(" none ".to_owned())).unwrap();
        assert_eq!(named_files(&csv), ["fables.csv"]);
        csv.set("corpus.stop_words", Value::Text("words.txt".to_owned())).unwrap();
        assert_eq!(named_files(&csv), ["fables.csv", "words.txt"]);
    }
}
