//! Folder of a scenario: where its files are, the corpus that was read from them last, which takes seconds to read, the columns of
//! the table that was read last, and the targets that were built last, each of which may take a second.

use std::collections::VecDeque;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::lda::Corpus;
use crate::lda::reading::Progress;
use crate::targets::Target;
use crate::targets::data::note::DataNote;
use base::params::{ParamError, Settings};

/// A folder in which relative paths are looked up. Clones share what was read; folders are equal if their paths are.
///
/// A corpus is read once for all targets that differ in other settings only. It stays as it was read, whatever happens to its
/// files, until another folder takes the place of this one: when a scenario is opened again.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    path: PathBuf,
    shared: Arc<Shared>,
    data: Arc<Mutex<Option<DataNote>>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Whether the file of the scenario was read.
    file_is_read: AtomicBool,
    progress: Progress,
    corpus: Mutex<Option<LastCorpus>>,
    columns: Mutex<Option<(String, Arc<[String]>)>>,
    targets: Mutex<VecDeque<(Settings, Arc<Target>)>>,
    lists: Mutex<VecDeque<(ListKey, Arc<[f64]>)>>,
}

/// What a list of step sizes follows from: the path of its file, the column, the decimal mark and the sum.
pub(in crate::targets) type ListKey = [String; 4];

/// Targets that are kept.
const TARGETS_KEPT: usize = 32;

/// Lists of step sizes that are kept.
const LISTS_KEPT: usize = 8;

/// The corpus that was read last, and what it follows from.
#[derive(Debug)]
struct LastCorpus {
    group: Settings,
    holdout_every: Option<usize>,
    corpus: Kept,
}

/// A corpus that nobody has asked for again is kept, so that it is there for the session once its scenario was checked. After that
/// targets keep it: a scenario that can be brought back by undo needs no memory for it.
#[derive(Debug)]
enum Kept {
    Fresh(Arc<Corpus>),
    Used(Weak<Corpus>),
}

impl Folder {
    /// The share of a corpus that is read so far, from 0 to 1; `None` when none is read.
    #[must_use]
    pub fn reading(&self) -> Option<f32> {
        self.shared.progress.share()
    }

    /// Stops reading a corpus: the one that is read at present, else the next. It is refused then.
    pub fn stop_reading(&self) {
        self.shared.progress.stop();
    }

    /// Notes that the file of the scenario was read: what takes time from now on is making its target.
    pub fn note_file_read(&self) {
        self.shared.file_is_read.store(true, Ordering::Relaxed);
    }

    /// Whether the file of the scenario was read.
    #[must_use]
    pub fn file_is_read(&self) -> bool {
        self.shared.file_is_read.load(Ordering::Relaxed)
    }

    /// Whether this is the very same folder, with the same corpus in memory.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// What columns may be called of the table at this path, if it is the one that was read last: a choice for those who name one.
    #[must_use]
    pub fn columns(&self, path: &str) -> Option<Arc<[String]>> {
        let known = self.shared.columns.lock().unwrap_or_else(PoisonError::into_inner);
        known.as_ref().filter(|(of, _)| of == path).map(|(_, names)| names.clone())
    }

    /// The target of these settings, if it was built before and is kept: for the session, once its scenario was checked, and for what is
    /// undone.
    pub(in crate::targets) fn target(&self, settings: &Settings) -> Option<Arc<Target>> {
        let known = self.shared.targets.lock().unwrap_or_else(PoisonError::into_inner);
        known.iter().find(|(of, _)| of == settings).map(|(_, target)| target.clone())
    }

    /// Keeps a target that follows from its settings alone.
    pub(in crate::targets) fn keep_target(&self, settings: &Settings, target: &Arc<Target>) {
        let mut known = self.shared.targets.lock().unwrap_or_else(PoisonError::into_inner);
        known.truncate(TARGETS_KEPT - 1);
        known.push_front((settings.clone(), target.clone()));
    }

    /// The list of step sizes that follows from these settings: as it was read before, or a new one.
    pub(in crate::targets) fn list(
        &self,
        key: ListKey,
        read: impl FnOnce() -> Result<Vec<f64>, Vec<ParamError>>,
    ) -> Result<Arc<[f64]>, Vec<ParamError>> {
        let mut known = self.shared.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, list)) = known.iter().find(|(of, _)| *of == key) {
            return Ok(list.clone());
        }
        let list: Arc<[f64]> = read()?.into();
        known.truncate(LISTS_KEPT - 1);
        known.push_front((key, list.clone()));
        Ok(list)
    }

    /// The same folder, in which no table was read yet for the target that is built.
    pub(in crate::targets) fn without_data(&self) -> Self {
        Self { data: Arc::default(), ..self.clone() }
    }

    /// Notes which rows of a table are used.
    pub(in crate::targets) fn note_data(&self, note: DataNote) {
        *self.data.lock().unwrap_or_else(PoisonError::into_inner) = Some(note);
    }

    /// The rows of the table that was read last.
    pub(in crate::targets) fn data(&self) -> Option<DataNote> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes what the columns of a table may be called.
    pub(in crate::targets) fn note_columns(&self, path: &str, names: Vec<String>) {
        let mut known = self.shared.columns.lock().unwrap_or_else(PoisonError::into_inner);
        *known = Some((path.to_owned(), names.into()));
    }

    /// The corpus that follows from these settings: the last one, or a new one. Whoever asks meanwhile waits for it.
    pub(in crate::targets) fn corpus(
        &self,
        group: &Settings,
        holdout_every: Option<usize>,
        make: impl FnOnce(&Progress) -> Result<Corpus, Vec<ParamError>>,
    ) -> Result<Arc<Corpus>, Vec<ParamError>> {
        let mut known = self.shared.corpus.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |known: &&mut LastCorpus| known.group == *group && known.holdout_every == holdout_every;
        if let Some(known) = known.as_mut().filter(same)
            && let Some(corpus) = known.corpus.hand_out()
        {
            return Ok(corpus);
        }
        let corpus = Arc::new(make(&self.shared.progress)?);
        *known = Some(LastCorpus { group: group.clone(), holdout_every, corpus: Kept::Fresh(corpus.clone()) });
        Ok(corpus)
    }
}

impl Kept {
    fn hand_out(&mut self) -> Option<Arc<Corpus>> {
        let corpus = match self {
            Self::Fresh(corpus) => corpus.clone(),
            Self::Used(corpus) => corpus.upgrade()?,
        };
        *self = Self::Used(Arc::downgrade(&corpus));
        Some(corpus)
    }
}

impl PartialEq for Folder {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl From<PathBuf> for Folder {
    fn from(path: PathBuf) -> Self {
        Self { path, ..Self::default() }
    }
}

impl From<&Path> for Folder {
    fn from(path: &Path) -> Self {
        path.to_owned().into()
    }
}

impl From<&PathBuf> for Folder {
    fn from(path: &PathBuf) -> Self {
        path.clone().into()
    }
}

impl From<&str> for Folder {
    fn from(path: &str) -> Self {
        PathBuf::from(path).into()
    }
}

impl From<&Folder> for Folder {
    fn from(folder: &Folder) -> Self {
        folder.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::{TARGETS, build};
    use base::params::{ParamType, Value, find_kind};

    fn topics(count: f64, documents: f64) -> Settings {
        let mut settings = Settings::defaults(find_kind(&TARGETS, "topics").unwrap());
        settings.set("topics", Value::Number(count)).unwrap();
        settings.set("corpus.documents", Value::Number(documents)).unwrap();
        settings
    }

    fn corpus(target: &Arc<Target>) -> &Arc<Corpus> {
        &target.topics().unwrap().corpus
    }

    #[test]
    fn a_corpus_is_read_once_for_all_numbers_of_topics() {
        let folder = Folder::from(".");
        let first = build(&topics(3.0, 20.0), &folder).unwrap();
        let second = build(&topics(4.0, 20.0), &folder).unwrap();
        assert!(Arc::ptr_eq(corpus(&first), corpus(&second)));
        let other = build(&topics(4.0, 21.0), &folder).unwrap();
        assert_eq!(corpus(&other).training.len(), 21);
        let elsewhere = build(&topics(4.0, 21.0), Path::new(".")).unwrap();
        assert!(!Arc::ptr_eq(corpus(&other), corpus(&elsewhere)) && corpus(&other) == corpus(&elsewhere));
    }

    /// After a check the corpus is there for the session; when the session is gone, so is the corpus.
    #[test]
    fn a_folder_keeps_a_corpus_until_a_target_has_it() {
        let (folder, settings) = (Folder::from("."), topics(3.0, 20.0));
        let checked = Arc::downgrade(corpus(&build(&settings, &folder).unwrap()));
        assert!(checked.upgrade().is_some());
        let target = build(&settings, &folder).unwrap();
        assert!(checked.upgrade().is_some_and(|checked| Arc::ptr_eq(&checked, corpus(&target))));
        drop(target);
        assert!(checked.upgrade().is_none());
    }

    #[test]
    fn reading_that_was_stopped_is_refused_and_the_next_is_not() {
        let folder = Folder::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/data"));
        let kind = find_kind(&TARGETS, "topics").unwrap();
        let mut settings = Settings::defaults(kind);
        let Some(ParamType::Group(kinds)) = settings.spec_at("corpus").map(|spec| spec.ty) else {
            panic!("no corpora")
        };
        settings.set("corpus", Value::Group(Settings::defaults(find_kind(kinds, "csv").unwrap()))).unwrap();
        settings.set("corpus.path", Value::Text("aesop.csv".to_owned())).unwrap();
        folder.stop_reading();
        let errors = build(&settings, &folder).unwrap_err();
        assert_eq!(errors[0].to_string(), "corpus: reading was stopped; allowed: reading to the end");
        assert_eq!((errors.len(), folder.reading()), (1, None));
        assert!(build(&settings, &folder).is_ok());
    }
}
