//! Licences of what is in the program: of the project with its fonts and data, and of the crates that are linked into it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value as Json;

/// The parts of the project with a licence of their own: files, owner, name of the licence, its text.
const PARTS: [[&str; 4]; 6] = [
    ["*", "2026 The Sampler Lab authors", "Expat", "LICENSE-MIT"],
    ["assets/fonts/Inter*", "2016-2022 The Inter Project Authors", "OFL-1.1-Inter", "assets/fonts/LICENSE-Inter.txt"],
    ["assets/fonts/DejaVu*", "2003 Bitstream, Inc.", "Bitstream-Vera", "assets/fonts/LICENSE-DejaVu.txt"],
    [
        "assets/fonts/Noto*",
        "2014-2021 Adobe, 2022 The Noto Project Authors",
        "OFL-1.1-Noto",
        "assets/fonts/LICENSE-Noto.txt",
    ],
    [
        "assets/fonts/TeXGyre*",
        "2006-2009 B. Jackowski and J. M. Nowacki, GUST",
        "GUST-Font-License",
        "assets/fonts/LICENSE-TeX-Gyre.txt",
    ],
    ["assets/data/aesop.csv", "1867 George Fyler Townsend", "public-domain", ""],
];

/// What the copyright file says where there is no text to quote.
const PUBLIC_DOMAIN: &str = "The translator died in 1900.";

/// The other licence of the project, a copy of which every Debian system has.
const APACHE: &str = "On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.";

/// How names of files with licences begin, in small letters.
const NOTICES: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// The file `copyright` of the package, in the form that Debian reads.
///
/// # Errors
/// If a licence cannot be read.
pub fn copyright(root: &Path) -> Result<String> {
    let mut text = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
                    Upstream-Name: Sampler Lab\n\
                    Comment: crates.txt.gz beside this file has the licences of the libraries in the program.\n"
        .to_owned();
    for [files, owner, name, _] in PARTS {
        let name = if name == "Expat" { "Expat or Apache-2.0" } else { name };
        text.push_str(&format!("\nFiles: {files}\nCopyright: {owner}\nLicense: {name}\n"));
    }
    for [_, _, name, file] in PARTS {
        let licence = if file.is_empty() { PUBLIC_DOMAIN.to_owned() } else { read(&root.join(file))? };
        text.push_str(&format!("\nLicense: {name}\n{}", indented(&licence)));
    }
    text.push_str(&format!("\nLicense: Apache-2.0\n{}", indented(APACHE)));
    Ok(text)
}

/// The lines of a text as Debian continues a field: indented by a space, with a dot for an empty one.
fn indented(text: &str) -> String {
    let line = |line: &str| if line.trim().is_empty() { " .\n".to_owned() } else { format!(" {}\n", line.trim_end()) };
    text.trim().lines().map(line).collect()
}

/// A crate that is linked into the program.
struct Linked {
    /// Name, version and the expression of its licence.
    title: String,
    /// The texts that come with it.
    notices: Vec<String>,
}

/// The crates of the program with their licences. Each text stands there once.
///
/// # Errors
/// If cargo does not say what the program is made of, or the sources of a crate are not on this machine.
pub fn crates(root: &Path) -> Result<String> {
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::from("Crates in sampler-lab\n\n");
    let mut without = String::new();
    for Linked { title, notices } in linked(root)? {
        list.push_str(&format!("{title}\n"));
        if notices.is_empty() {
            without.push_str(&format!("{title}\n"));
        }
        for notice in notices {
            by_text.entry(notice).or_default().push(title.clone());
        }
    }
    if !without.is_empty() {
        list.push_str(&format!("\n\nThese come without a text of their licence\n\n{without}"));
    }
    for (text, titles) in by_text {
        list.push_str(&format!("\n\n{}\n{}\n\n{text}\n", "=".repeat(80), titles.join("\n")));
    }
    Ok(list)
}

/// All crates that the program is linked with on this machine, without those of the project, by name.
fn linked(root: &Path) -> Result<Vec<Linked>> {
    let graph = metadata(root)?;
    let named = |list: &Json| -> BTreeMap<String, Json> {
        let entries = list.as_array().into_iter().flatten();
        entries.filter_map(|entry| Some((entry["id"].as_str()?.to_owned(), entry.clone()))).collect()
    };
    let (packages, nodes) = (named(&graph["packages"]), named(&graph["resolve"]["nodes"]));
    let program = packages.iter().find(|(_, package)| package["name"] == "sampler-lab").context("no sampler-lab")?.0;
    let mut found = BTreeSet::new();
    let mut waiting = vec![program.clone()];
    while let Some(id) = waiting.pop() {
        let dependencies = nodes.get(&id).and_then(|node| node["deps"].as_array()).into_iter().flatten();
        // Kinds are null, "build" and "dev": the first are linked.
        let linked =
            |kinds: &Json| kinds.as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()));
        waiting.extend(
            dependencies
                .filter(|dependency| linked(&dependency["dep_kinds"]))
                .filter_map(|dependency| dependency["pkg"].as_str())
                .filter(|id| found.insert((*id).to_owned()))
                .map(str::to_owned),
        );
    }
    // The crates of the project come from no registry.
    let foreign = found.iter().filter_map(|id| packages.get(id)).filter(|package| !package["source"].is_null());
    let mut crates: Vec<Linked> = foreign.map(of_package).collect::<Result<_>>()?;
    crates.sort_by(|one, other| one.title.cmp(&other.title));
    Ok(crates)
}

/// What cargo says of the packages and their dependencies.
fn metadata(root: &Path) -> Result<Json> {
    let compiler = Command::new("rustc").arg("-vV").output().context("rustc")?;
    let compiler = String::from_utf8_lossy(&compiler.stdout).into_owned();
    let host = compiler.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc does not name its host")?;
    let output = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", host])
        .output()?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn of_package(package: &Json) -> Result<Linked> {
    let field = |name: &str| package[name].as_str().unwrap_or_default();
    let folder = Path::new(field("manifest_path")).parent().context("a crate without a folder")?;
    let is_notice = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        path.is_file() && NOTICES.iter().any(|start| name.starts_with(start))
    };
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(is_notice);
    files.sort();
    let notices = files.iter().map(|file| Ok(read(file)?.trim().replace('\r', ""))).collect::<Result<_>>()?;
    Ok(Linked { title: format!("{} {} ({})", field("name"), field("version"), field("license")), notices })
}

fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| file.display().to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
