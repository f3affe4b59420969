//! The files of the page, in memory: read once, at the start. Nothing else can be served.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use hyper::body::Bytes;
use hyper::header::HeaderValue;
use thiserror::Error;

/// What a browser opens first, and the program itself: a folder without them is no page.
pub const FIRST: &str = "index.html";
const PROGRAM: &str = "sampler_lab_bg.wasm";

/// Largest size of a file, in bytes: the program has about 15 MB.
const LARGEST: u64 = 256 << 20;

/// Endings of the files that belong to a page, and what their content is called (RFC 9110, section 8.3). A browser compiles the program
/// while it is loading only if it is called exactly this.
const TYPES: [(&str, &str); 9] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("otf", "font/otf"),
    ("png", "image/png"),
    ("svg", "image/svg+xml; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("webmanifest", "application/manifest+json; charset=utf-8"),
];

/// Why a folder is no page.
#[derive(Debug, Error)]
pub enum PageError {
    /// There is no such folder.
    #[error("no folder {}", .0.display())]
    Missing(PathBuf),
    /// Something is not in it.
    #[error("no {missing} in {}", .folder.display())]
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// The file that is not there.
        missing: &'static str,
    },
    /// A file is too large.
    #[error("{} has more than {} MiB", .0.display(), LARGEST >> 20)]
    TooLarge(PathBuf),
    /// The system refuses.
    #[error("{}: {source}", .path.display())]
    Refused {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

/// Bytes that are sent, with a name for them.
#[derive(Clone, Debug)]
pub struct Form {
    /// All of them; clones share them.
    pub bytes: Bytes,
    /// Their entity tag (RFC 9110, section 8.8.3): other bytes have another one.
    pub tag: HeaderValue,
}

/// A file of the page, in the forms that can be sent.
#[derive(Clone, Debug)]
pub struct PageFile {
    /// The value of Content-Type.
    pub content_type: HeaderValue,
    /// As it is.
    pub plain: Form,
    /// Compressed with gzip, if that was prepared.
    pub gzip: Option<Form>,
    /// Compressed with Brotli, if that was prepared.
    pub brotli: Option<Form>,
}

/// The files of the page by their names, as they stand in an address.
#[derive(Clone, Debug, Default)]
pub struct Page(BTreeMap<String, PageFile>);

impl From<Vec<u8>> for Form {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<Bytes> for Form {
    fn from(bytes: Bytes) -> Self {
        let tag = format!("\"{:016x}-{:x}\"", digest(&bytes), bytes.len());
        // Digits, letters and quotes are allowed in a header.
        let tag = HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\""));
        Self { bytes, tag }
    }
}

/// A name for these bytes: FNV-1a.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What the content of a file of the page is called; `None` for other files.
fn content_type(name: &str) -> Option<HeaderValue> {
    let (_, ending) = name.rsplit_once('.')?;
    let (_, content) = TYPES.into_iter().find(|(known, _)| *known == ending)?;
    Some(HeaderValue::from_static(content))
}

impl Page {
    /// The page in a folder: the files in it that a page is made of, without those in folders inside of it.
    ///
    /// # Errors
    /// If it is no page, or the system refuses.
    pub fn read(folder: &Path) -> Result<Self, PageError> {
        if !folder.is_dir() {
            return Err(PageError::Missing(folder.to_owned()));
        }
        let refused = |source| PageError::Refused { path: folder.to_owned(), source };
        let mut page = Self::default();
        for entry in fs::read_dir(folder).map_err(refused)? {
            let path = entry.map_err(refused)?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            let hidden = name.starts_with('.');
            let Some(content_type) = content_type(name).filter(|_| !hidden) else { continue };
            let Some(plain) = read_file(&path)? else { continue };
            let packed = |ending: &str| read_file(&folder.join(format!("{name}.{ending}")));
            let (gzip, brotli) = (packed("gz")?, packed("br")?);
            page.0.insert(name.to_owned(), PageFile { content_type, plain, gzip, brotli });
        }
        match [FIRST, PROGRAM].into_iter().find(|name| page.file(name).is_none()) {
            Some(missing) => Err(PageError::Incomplete { folder: folder.to_owned(), missing }),
            None => Ok(page),
        }
    }

    /// The file of this name.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&PageFile> {
        self.0.get(name)
    }

    /// The page that is part of this program, if it was built with one.
    #[cfg(feature = "page")]
    fn built_in() -> anyhow::Result<Option<Self>> {
        use std::io::Read;

        let mut page = Self::default();
        for (name, gzip, brotli) in super::built_in::FILES {
            let content_type = content_type(name).with_context(|| name.to_owned())?;
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(gzip).read_to_end(&mut plain).context(name)?;
            let packed = |bytes: &'static [u8]| Some(Form::from(Bytes::from_static(bytes)));
            let file = PageFile { content_type, plain: plain.into(), gzip: packed(gzip), brotli: packed(brotli) };
            page.0.insert(name.to_owned(), file);
        }
        Ok(Some(page))
    }

    /// The page that is part of this program, if it was built with one.
    #[cfg(not(feature = "page"))]
    #[expect(clippy::unnecessary_wraps, reason = "as with the page")]
    fn built_in() -> anyhow::Result<Option<Self>> {
        Ok(None)
    }

    /// The page of this program: the one that is part of it, or the first beside it.
    ///
    /// # Errors
    /// If there is none, with the places where it was looked for.
    pub fn of_program() -> anyhow::Result<Self> {
        match Self::built_in()? {
            Some(page) => Ok(page),
            None => first(&paths()?),
        }
    }
}

/// Places of the page beside the program: in the folder that the program was unpacked in, as it is installed, and as it is built.
fn paths() -> anyhow::Result<Vec<PathBuf>> {
    let program = std::env::current_exe().and_then(fs::canonicalize).context("the place of this program")?;
    let folder = program.parent().context("the folder of this program")?;
    let above = folder.parent().unwrap_or(folder);
    Ok(vec![folder.join("web"), above.join("share/sampler-lab/web"), above.join("web")])
}

/// The page in the first of these places that has one.
fn first(paths: &[PathBuf]) -> anyhow::Result<Page> {
    let mut problems = Vec::new();
    for path in paths {
        match Page::read(path) {
            Ok(page) => return Ok(page),
            Err(problem) => problems.push(problem.to_string()),
        }
    }
    let problems = problems.join("; ");
    Err(anyhow!("there is no page to serve: {problems}; {HOW_TO_MAKE}, and --page names it where it is elsewhere"))
}

/// Where a page comes from.
pub const HOW_TO_MAKE: &str = "`cargo run -p xtask -- web` makes one in target/web";

/// A file as it is sent; `None` if there is none of this name.
fn read_file(path: &Path) -> Result<Option<Form>, PageError> {
    let refused = |source| PageError::Refused { path: path.to_owned(), source };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused(error)),
        Ok(about) if !about.is_file() => Ok(None),
        Ok(about) if is_too_large(&about) => Err(PageError::TooLarge(path.to_owned())),
        Ok(_) => Ok(Some(fs::read(path).map_err(refused)?.into())),
    }
}

fn is_too_large(about: &Metadata) -> bool {
    about.len() > LARGEST
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{FIRST, PROGRAM, Page, PageError, first};

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            fs::write(folder.path().join(file), file).unwrap();
        }
        folder
    }

    #[test]
    fn a_page_is_the_files_that_browsers_ask_for_each_with_its_packed_forms() {
        let folder =
            folder(&[FIRST, "index.html.gz", PROGRAM, "page.js", "page.js.br", "notes.txt", ".secret.js", "key"]);
        fs::create_dir(folder.path().join("folder.js")).unwrap();
        let page = Page::read(folder.path()).unwrap();
        assert_eq!(page.0.keys().collect::<Vec<_>>(), [FIRST, "page.js", PROGRAM]);
        let start = page.file(FIRST).unwrap();
        assert_eq!(start.content_type, "text/html; charset=utf-8");
        assert_eq!(start.plain.bytes, FIRST);
        assert_eq!(start.gzip.as_ref().unwrap().bytes, "index.html.gz");
        assert!(start.brotli.is_none());
        assert_eq!(page.file("page.js").unwrap().brotli.as_ref().unwrap().bytes, "page.js.br");
        assert_eq!(page.file(PROGRAM).unwrap().content_type, "application/wasm");
    }

    #[test]
    fn other_bytes_have_another_tag() {
        let folder = folder(&[FIRST, "index.html.gz", "index.html.br", PROGRAM]);
        let page = Page::read(folder.path()).unwrap();
        let file = page.file(FIRST).unwrap();
        let tags =
            [&file.plain, file.gzip.as_ref().unwrap(), file.brotli.as_ref().unwrap()].map(|form| form.tag.clone());
        assert!(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2]);
        // FNV-1a of "a", from its authors' list of test values.
        assert_eq!(super::Form::from(b"a".to_vec()).tag, "\"af63dc4c8601ec8c-1\"");
    }

    #[test]
    fn what_is_no_page_says_what_is_missing() {
        let empty = folder(&[]);
        let incomplete = folder(&[FIRST]);
        let path = incomplete.path().to_owned();
        let error = Page::read(&path).unwrap_err();
        assert!(matches!(&error, PageError::Incomplete { missing, .. } if *missing == PROGRAM), "{error}");
        let error = Page::read(empty.path()).unwrap_err();
        assert!(error.to_string().starts_with("no index.html in "), "{error}");
        assert!(matches!(Page::read(&path.join("no")), Err(PageError::Missing(_))));
        assert!(matches!(Page::read(&path.join(FIRST)), Err(PageError::Missing(_))));
    }

    #[test]
    fn the_first_page_is_taken_and_without_one_all_places_are_named() {
        let (empty, incomplete, whole) = (folder(&[]), folder(&[FIRST]), folder(&[FIRST, PROGRAM]));
        let paths = [&empty, &incomplete, &whole].map(|folder| folder.path().to_owned());
        assert!(first(&paths).is_ok());
        let told = first(&paths[..2]).unwrap_err().to_string();
        for part in
            [&paths[0].display().to_string(), &paths[1].display().to_string(), PROGRAM, "xtask -- web", "--page"]
        {
            assert!(told.contains(part), "{told}");
        }
    }
}
