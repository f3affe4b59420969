//! The page as part of the program: `target/web` as it was when the program was built.

/// Name, gzip and Brotli form of a file. The file itself is made from the former at the start.
macro_rules! packed {
    ($name:literal) => {
        (
            $name,
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/target/web/", $name, ".gz")),
            include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/target/web/", $name, ".br")),
        )
    };
}

/// All files of the page.
pub static FILES: [(&str, &[u8], &[u8]); 8] = [
    packed!("NotoSansCJK.otf"),
    packed!("icon.svg"),
    packed!("index.html"),
    packed!("manifest.webmanifest"),
    packed!("offline.js"),
    packed!("page.js"),
    packed!("sampler_lab.js"),
    packed!("sampler_lab_bg.wasm"),
];
