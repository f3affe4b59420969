//! The Debian package. What is made for it stands in `target/package`; `Cargo.toml` says where each file is installed.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use flate2::{Compression, GzBuilder};

use crate::{icons, notices, run};

/// The scripts for shells: the shell, and the name that it looks for.
const COMPLETIONS: [(&str, &str); 3] = [("bash", "sampler-lab"), ("zsh", "_sampler-lab"), ("fish", "sampler-lab.fish")];

/// What `deb` is asked for.
struct Wish<'a> {
    /// The profile of the program.
    profile: &'a str,
    /// Whether the program is built; otherwise it is there.
    build: bool,
    /// Arguments for `cargo deb`.
    rest: &'a [&'a str],
}

impl<'a> Wish<'a> {
    fn of(mut arguments: &'a [&'a str]) -> Result<Self> {
        let mut wish = Self { profile: "release", build: true, rest: &[] };
        loop {
            match arguments {
                [] => return Ok(wish),
                ["--", rest @ ..] => return Ok(Self { rest, ..wish }),
                ["--profile", profile, others @ ..] => (wish.profile, arguments) = (profile, others),
                ["--no-build", others @ ..] => (wish.build, arguments) = (false, others),
                _ => bail!("deb takes --profile NAME, --no-build, and after -- options of cargo deb: {arguments:?}"),
            }
        }
    }
}

/// Makes the package, `target/debian/sampler-lab_….deb`.
///
/// # Errors
/// If cargo-deb is not installed, or something cannot be built.
pub fn build(arguments: &[&str]) -> Result<()> {
    let wish = Wish::of(arguments)?;
    let found =
        Command::new(env!("CARGO")).args(["deb", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    ensure!(found.is_ok_and(|status| status.success()), "cargo-deb is not installed: cargo install --locked cargo-deb");
    let root = crate::root()?;
    let target = crate::target(root);
    if wish.build {
        build_program(root, &target, wish.profile)?;
    }
    let program = target.join(if wish.profile == "dev" { "debug" } else { wish.profile }).join("sampler-lab");
    ensure!(program.exists(), "there is no {}", program.display());
    // The paths of `Cargo.toml` lead here, wherever cargo builds.
    let place = root.join("target/package");
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    icons::write(&root.join("assets/icon.svg"), &place.join("icons"))?;
    fs::write(place.join("sampler-lab.1"), printed(&program, &["manual"])?)?;
    for (shell, name) in COMPLETIONS {
        fs::create_dir_all(place.join(shell))?;
        fs::write(place.join(shell).join(name), printed(&program, &["completions", shell])?)?;
    }
    fs::write(place.join("copyright"), notices::copyright(root)?)?;
    compress(&place.join("crates.txt.gz"), notices::crates(root)?.as_bytes())?;
    compress(&place.join("changelog.gz"), &fs::read(root.join("CHANGELOG.md"))?)?;
    let has_page = copy_page(&target.join("web"), &place.join("web"))?;
    if !has_page {
        println!("without the page for browsers: cargo run -p xtask -- web makes it");
    }
    run(Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["deb", "--package", "sampler-lab", "--no-build", "--strip", "--locked", "--profile", wish.profile])
        .args(if has_page { &["--variant", "page"][..] } else { &[] })
        .args(wish.rest))
}

/// Builds the program in such a way that it does not name folders of this machine.
fn build_program(root: &Path, target: &Path, profile: &str) -> Result<()> {
    let home = |variable: &str, folder: &str| {
        let own = std::env::home_dir().map(|home| home.join(folder));
        std::env::var_os(variable).map(PathBuf::from).or(own)
    };
    let mut flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let folders = [
        (Some(target.to_owned()), "/target"),
        (Some(root.to_owned()), "/sampler-lab"),
        (home("CARGO_HOME", ".cargo"), "/cargo"),
    ];
    for (folder, name) in folders {
        let Some(folder) = folder else { continue };
        let separator = if flags.is_empty() { "" } else { "\x1f" };
        flags.push_str(&format!("{separator}--remap-path-prefix={}={name}", folder.display()));
    }
    run(Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["build", "--locked", "--package", "sampler-lab", "--bin", "sampler-lab", "--profile", profile])
        .env("CARGO_ENCODED_RUSTFLAGS", flags))
}

/// What the program prints.
fn printed(program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let output = Command::new(program).args(arguments).output().with_context(|| program.display().to_string())?;
    ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

/// Writes a compressed file, the same for the same bytes.
fn compress(place: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = GzBuilder::new().write(fs::File::create(place)?, Compression::best());
    file.write_all(bytes)?;
    file.finish()?;
    Ok(())
}

/// Copies the page for browsers, if there is one.
fn copy_page(page: &Path, place: &Path) -> Result<bool> {
    if !page.join("index.html").exists() {
        return Ok(false);
    }
    fs::create_dir_all(place)?;
    for entry in fs::read_dir(page)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), place.join(entry.file_name()))?;
        }
    }
    Ok(true)
}
