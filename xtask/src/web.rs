//! The page: the program as WebAssembly, the glue between it and the browser, and what the page says while it loads.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use flate2::write::GzEncoder;
use wasm_bindgen_cli_support::Bindgen;

use crate::run;

const TARGET: &str = "wasm32-unknown-unknown";

/// How a page is made.
#[derive(Clone, Copy, Debug)]
pub struct Making {
    /// The profile of `Cargo.toml`, and the folder of what is built with it.
    profile: &'static str,
    /// Whether functions keep their names.
    names: bool,
    /// Levels of gzip, 0 to 9, and of brotli, 0 to 11.
    levels: (u32, u32),
}

/// A page for people: small and fast.
pub const SMALL: Making = Making { profile: "web", names: false, levels: (9, 11) };

/// A page for tests and profilers: soon built.
pub const QUICK: Making = Making { profile: "web-quick", names: true, levels: (6, 5) };

/// What the compiler may use beyond the first WebAssembly: vectors of 128 bits, which browsers have since 2021, Safari since 2023.
const FLAGS: &str = "-C target-feature=+simd128";

/// The program and the glue, in the folder.
const WASM: &str = "sampler_lab_bg.wasm";

/// What stands in the sources for the number of bytes of the program, and for a name of this build.
const SIZE_MARK: &str = "{{size}}";
const BUILD_MARK: &str = "{{build}}";

/// Files of the page, as they are in `web` and `assets`.
const FILES: [(&str, &str); 5] = [
    ("web/index.html", "index.html"),
    ("web/page.js", "page.js"),
    ("web/offline.js", "offline.js"),
    ("web/manifest.webmanifest", "manifest.webmanifest"),
    ("assets/icon.svg", "icon.svg"),
];

/// A font that the page loads when it is needed.
const LATER: &str = "NotoSansCJK.otf";

/// What should be loaded at most, in bytes, compressed.
const GOAL: usize = 3_500_000;

/// Makes `target/web` anew.
///
/// # Errors
/// If the toolchain cannot build for browsers.
pub fn build(making: &Making) -> Result<()> {
    let root = crate::root()?;
    let target = crate::target(root);
    check_versions(root)?;
    // Without rustup the toolchain has the target, or cargo says that it has not.
    Command::new("rustup").args(["target", "add", TARGET]).status().ok();
    run(Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["build", "--package", "sampler-lab", "--bin", "sampler-lab"])
        .args(["--profile", making.profile, "--target", TARGET])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", FLAGS))?;
    let place = target.join("web");
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    let built = target.join(TARGET).join(making.profile).join("sampler-lab.wasm");
    let mut glue = Bindgen::new();
    glue.input_path(built)
        .web(true)?
        .typescript(false)
        .remove_name_section(!making.names)
        .remove_producers_section(true);
    glue.out_name("sampler_lab").generate(&place)?;
    if !making.names {
        optimise(&place.join(WASM))?;
    }
    let program = fs::read(place.join(WASM))?;
    let size = program.len().to_string();
    let name = format!("{:016x}", digest(&program));
    for (source, file) in FILES {
        let text = fs::read_to_string(root.join(source)).with_context(|| source.to_owned())?;
        fs::write(place.join(file), text.replace(SIZE_MARK, &size).replace(BUILD_MARK, &name))?;
    }
    fs::copy(root.join("assets/fonts").join(LATER), place.join(LATER))?;
    let loaded = compress_all(&place, making.levels)?;
    println!("{}: {loaded} bytes are loaded at first, compressed", place.display());
    if loaded > GOAL {
        println!("more than the goal of {GOAL} bytes");
    }
    Ok(())
}

/// The glue and the program must be made by the same version.
fn check_versions(root: &Path) -> Result<()> {
    let lock = fs::read_to_string(root.join("Cargo.lock"))?;
    let version = |name: &str| {
        let after = lock.split(&format!("name = \"{name}\"\nversion = \"")).nth(1)?;
        after.split('"').next()
    };
    let [program, glue] = ["wasm-bindgen", "wasm-bindgen-cli-support"].map(version);
    ensure!(
        program == glue,
        "Cargo.lock has wasm-bindgen {program:?} and wasm-bindgen-cli-support {glue:?}: set xtask/Cargo.toml to the first"
    );
    Ok(())
}

/// Makes the program smaller with `wasm-opt`, where it is installed.
fn optimise(program: &Path) -> Result<()> {
    let found = Command::new("wasm-opt").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("wasm-opt is not installed: the program stays as it is");
        return Ok(());
    }
    run(Command::new("wasm-opt").args(["-O3", "--enable-simd"]).arg(program).arg("-o").arg(program))
}

/// A name for these bytes: FNV-1a.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Puts a `.br` and a `.gz` beside each file, and prints the sizes; returns what a browser loads at most with the first.
fn compress_all(place: &Path, (gzip_level, brotli_level): (u32, u32)) -> Result<usize> {
    let mut files: Vec<PathBuf> = fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let mut loaded = 0;
    println!("{:>10} {:>10} {:>10}", "bytes", "gzip", "brotli");
    for file in files {
        let bytes = fs::read(&file)?;
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::new(gzip_level));
        gzip.write_all(&bytes)?;
        let gzip = gzip.finish()?;
        let mut brotli = Vec::new();
        brotli::CompressorWriter::new(&mut brotli, 1 << 16, brotli_level, 24).write_all(&bytes)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        println!("{:>10} {:>10} {:>10}  {name}", bytes.len(), gzip.len(), brotli.len());
        if name != LATER {
            loaded += brotli.len();
        }
        fs::write(place.join(format!("{name}.gz")), gzip)?;
        fs::write(place.join(format!("{name}.br")), brotli)?;
    }
    Ok(loaded)
}
