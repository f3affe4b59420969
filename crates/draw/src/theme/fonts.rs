//! Fonts: one sans-serif in two weights with tabular digits, a serif and another sans-serif for figures, two fonts of symbols, and two of other scripts, for titles, captions
//! and names. All are bytes of the program, of which the system loads those that are read: the other scripts cost nothing
//! until a text has one of their letters. A page loads the largest, of East Asian scripts, when it is needed.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily};

use super::east_asian::east_asian_font;
use engine::scenario::figures::Typeface;

/// The name of the family with the strong weight.
const STRONG: &str = "strong";

/// Every font that is always there: its name and its file.
const FILES: [(&str, &[u8]); 10] = [
    ("regular", include_bytes!("../../../../assets/fonts/Inter-Regular.otf")),
    ("strong", include_bytes!("../../../../assets/fonts/Inter-SemiBold.otf")),
    ("serif", include_bytes!("../../../../assets/fonts/TeXGyreTermes-Regular.otf")),
    ("serif-strong", include_bytes!("../../../../assets/fonts/TeXGyreTermes-Bold.otf")),
    ("sans", include_bytes!("../../../../assets/fonts/TeXGyreHeros-Regular.otf")),
    ("sans-strong", include_bytes!("../../../../assets/fonts/TeXGyreHeros-Bold.otf")),
    ("mono", include_bytes!("../../../../assets/fonts/DejaVuSansMono.ttf")),
    ("transport", include_bytes!("../../../../assets/fonts/NotoSansSymbols2.ttf")),
    ("signs", include_bytes!("../../../../assets/fonts/DejaVuSans.ttf")),
    ("letters", include_bytes!("../../../../assets/fonts/NotoSans.ttf")),
];

/// The font of East Asian scripts.
const EAST_ASIAN: &str = "east-asian";

/// The fonts of other scripts, the last that are asked for a letter.
const OTHER_SCRIPTS: [&str; 2] = ["letters", EAST_ASIAN];

/// The family of headings and names.
#[must_use]
pub fn strong_family() -> FontFamily {
    FontFamily::Name(STRONG.into())
}

/// All families, with a typeface for text: the text font first, then the fonts of symbols, then those of other scripts.
#[must_use]
pub fn definitions(typeface: Typeface) -> FontDefinitions {
    let mut fonts = FontDefinitions::empty();
    let east_asian = east_asian_font().map(|bytes| (EAST_ASIAN, bytes));
    for (name, bytes) in FILES.into_iter().chain(east_asian) {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    let known: Vec<&str> = OTHER_SCRIPTS.into_iter().filter(|name| fonts.font_data.contains_key(*name)).collect();
    let own: [&[&str]; 2] = match typeface {
        Typeface::Inter => [&[], &[]],
        Typeface::Serif => [&["serif"], &["serif-strong"]],
        Typeface::Sans => [&["sans"], &["sans-strong"]],
    };
    let chain = |own: &[&str], names: [&str; 4]| {
        own.iter().chain(&names).chain(&known).map(|name| (*name).to_owned()).collect()
    };
    fonts.families.insert(FontFamily::Proportional, chain(own[0], ["regular", "transport", "signs", "mono"]));
    fonts.families.insert(strong_family(), chain(own[1], ["strong", "regular", "transport", "signs"]));
    fonts.families.insert(FontFamily::Monospace, chain(&[], ["mono", "regular", "transport", "signs"]));
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::FontId;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    /// Symbols that texts may use even if none does at present.
    const SIGNS: &str = "αβγδεθκλμνξπρστφχψωΓΔΘΛΣΦΨΩ∇√∂∫∑∏∞≈≠≤≥±−×·÷→←↑↓↔⇒°²³¹⁰⁴⁵⁶⁷⁸⁹⁻⁺₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₜᵀ⟳⟲\
        ▶◀⏸⏮⏭⏹⏵⏴⏺■●▲▼◆○□△▽◇✓✗✕⚠½¼¾…–—“”‘’‖∈∼∝ℓℝ⚙⋯⋮θ̂R̂☰☀☾";

    fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut found = Vec::new();
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                found.extend(files(&path, endings));
            } else if endings.iter().any(|ending| path.extension().is_some_and(|found| found == *ending)) {
                found.push(path);
            }
        }
        found
    }

    /// Every character outside ASCII in the sources' code (comments, tests and what the terminal draws left out) and in the lessons.
    fn characters_in_use() -> BTreeSet<char> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let sources = ["src", "crates"].into_iter().flat_map(|folder| files(&root.join(folder), &["rs"]));
        let sources = sources.chain(files(&root.join("assets"), &["toml"]));
        let left_out = |path: &Path| {
            path.components()
                .any(|part| ["tests", "tests.rs", "serve", "serve.rs"].iter().any(|name| part.as_os_str() == *name))
        };
        let shown = sources.filter(|path| !left_out(path));
        let texts = shown.map(|path| std::fs::read_to_string(path).unwrap());
        let texts = texts.map(|text| text.split("#[cfg(test)]\nmod ").next().unwrap().to_owned());
        let code: String = texts
            .flat_map(|text| text.lines().map(|line| line.split("//").next().unwrap().to_owned()).collect::<Vec<_>>())
            .collect();
        code.chars().chain(SIGNS.chars()).filter(|c| !c.is_ascii()).collect()
    }

    #[test]
    fn every_character_in_use_has_a_glyph_in_every_family() {
        for typeface in [Typeface::Inter, Typeface::Serif, Typeface::Sans] {
            let mut fonts =
                egui::epaint::text::Fonts::new(egui::epaint::text::TextOptions::default(), definitions(typeface));
            for family in [FontFamily::Proportional, strong_family(), FontFamily::Monospace] {
                let id = FontId::new(14.0, family.clone());
                let missing: String = characters_in_use().into_iter().filter(|&c| !fonts.has_glyph(&id, c)).collect();
                assert!(missing.is_empty(), "{typeface:?}, {family:?} has no glyph for {missing}");
            }
        }
    }

    /// Sentences as people may type them: Korean, Japanese, Chinese, Russian, Ukrainian, Vietnamese, Polish, Turkish.
    #[test]
    fn titles_in_other_scripts_have_no_boxes() {
        let titles = "사후분포의 봉우리를 모두 방문한다 확률적 경사 랑주뱅 동역학 \
                      事後分布のすべてのモードを訪れる、確率的勾配「ランジュバン」動力学。変分推論 \
                      随机梯度朗之万动力学：后验分布的每个峰都被访问（变分推断） \
                      Стохастическая градиентная динамика Ланжевена. Їжак, ґанок, объём № 5 \
                      Động lực học Langevin ngẫu nhiên: mọi đỉnh đều được thăm – Łódź, źródło, değişken, İstanbul";
        let mut fonts =
            egui::epaint::text::Fonts::new(egui::epaint::text::TextOptions::default(), definitions(Typeface::Inter));
        for family in [FontFamily::Proportional, strong_family(), FontFamily::Monospace] {
            let id = FontId::new(14.0, family.clone());
            let missing: String = titles.chars().filter(|&c| !fonts.has_glyph(&id, c)).collect();
            assert!(missing.is_empty(), "{family:?} has no glyph for {missing}");
        }
    }

    #[test]
    fn digits_have_one_width() {
        let mut fonts =
            egui::epaint::text::Fonts::new(egui::epaint::text::TextOptions::default(), definitions(Typeface::Inter));
        let id = FontId::proportional(14.0);
        let mut view = fonts.with_pixels_per_point(1.0);
        let widths: Vec<f32> = ('0'..='9').map(|digit| view.glyph_width(&id, digit)).collect();
        assert!(widths.iter().all(|width| (width - widths[0]).abs() < 1e-3), "{widths:?}");
    }
}
