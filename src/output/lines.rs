//! Lines: a file that grows line by line, and of which a kill leaves all whole lines.
//!
//! A line is written with one call and is whole once its line break is there; what follows the last line break was cut by the end of a
//! process and is dropped when the file is opened again. The file is locked as long as its process lives, so that no two write
//! to it. On file systems without locks nobody is kept from it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use super::closing::Staged;

/// A file of lines, open at its end.
#[derive(Debug)]
pub struct Lines(File);

impl Lines {
    /// Opens the file at `place`, or makes it, and its folder if only that is missing; `None` if another process writes to it. `keep`
    /// gets the whole lines so far, and says how many of them stay; the others are cut off.
    ///
    /// # Errors
    /// If the system refuses, or `keep` does.
    pub fn open<E: From<io::Error>>(
        place: &Path,
        keep: impl FnOnce(&[&str]) -> Result<usize, E>,
    ) -> Result<Option<Self>, E> {
        let mut file = {
            // Once the program is ending this waits for the end: no file may appear any more.
            let _staged = Staged::hold();
            if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()) {
                fs::create_dir(folder)?;
            }
            OpenOptions::new().create(true).truncate(false).read(true).write(true).open(place)?
        };
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let lines = whole_lines(&bytes);
        let kept = keep(&lines)?.min(lines.len());
        let length: usize = lines[..kept].iter().map(|line| line.len() + 1).sum();
        file.set_len(length as u64)?;
        file.seek(SeekFrom::Start(length as u64))?;
        Ok(Some(Self(file)))
    }

    /// The whole lines of a file, whoever writes to it; none if there is no file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(place: &Path) -> io::Result<Vec<String>> {
        match fs::read(place) {
            Ok(bytes) => Ok(whole_lines(&bytes).into_iter().map(str::to_owned).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Adds a line, which has no line break in it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, line: &str) -> io::Result<()> {
        self.0.write_all(format!("{line}\n").as_bytes())
    }

    /// Waits until all lines are on the disk.
    ///
    /// # Errors
    /// If they cannot be written there.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }
}

/// The lines that end with a line break, up to the first that is no text: a disk that lost its power may have left anything.
fn whole_lines(bytes: &[u8]) -> Vec<&str> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').map_while(|line| line.strip_suffix(b"\n"));
    lines.map_while(|line| std::str::from_utf8(line).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(_: &[&str]) -> io::Result<usize> {
        Ok(usize::MAX)
    }

    #[test]
    fn what_a_kill_has_cut_is_dropped_and_lines_go_on() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new/lines");
        let mut lines = Lines::open(&place, all).unwrap().unwrap();
        ["one", "two", "three"].iter().for_each(|line| lines.push(line).unwrap());
        drop(lines);
        let whole = fs::read(&place).unwrap();
        for cut in 0..=whole.len() {
            fs::write(&place, &whole[..cut]).unwrap();
            let kept = whole[..cut].iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(Lines::read(&place).unwrap().len(), kept);
            let mut lines = Lines::open(&place, all).unwrap().unwrap();
            ["one", "two", "three"][kept..].iter().for_each(|line| lines.push(line).unwrap());
            drop(lines);
            assert_eq!(fs::read(&place).unwrap(), whole);
        }
    }

    #[test]
    fn lines_that_are_not_wanted_are_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("lines");
        fs::write(&place, "one\ntwo\n\u{fffd}\nfour").unwrap();
        let keep = |lines: &[&str]| -> io::Result<usize> {
            assert_eq!(lines, ["one", "two", "\u{fffd}"]);
            Ok(1)
        };
        Lines::open(&place, keep).unwrap().unwrap().push("2").unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), "one\n2\n");
        fs::write(&place, b"one\n\xff\xfe\nthree\n").unwrap();
        assert_eq!(Lines::read(&place).unwrap(), ["one"]);
    }

    /// The lock belongs to an open file, so a second one in this process is like one of another process.
    #[test]
    fn a_file_is_written_by_one_process() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("lines");
        let first = Lines::open(&place, all).unwrap();
        assert!(first.is_some() && Lines::open(&place, all).unwrap().is_none());
        drop(first);
        assert!(Lines::open(&place, all).unwrap().is_some());
        assert!(Lines::read(&folder.path().join("none")).unwrap().is_empty());
    }
}
