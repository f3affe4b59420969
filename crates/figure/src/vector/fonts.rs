//! The fonts of a page: which of them has a character, and a small font with the characters in use.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use egui::{Context, FontData, FontDefinitions, FontFamily};
use skrifa::instance::{LocationRef, Size};
use skrifa::string::StringId;
use skrifa::{FontRef, GlyphId, MetadataProvider};
use subsetter::GlyphRemapper;

use super::sfnt;

/// Why a font cannot be embedded.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FontError {
    /// The file of the font cannot be read.
    #[error("the font \"{name}\" cannot be embedded: {reason}")]
    Unreadable {
        /// Its name.
        name: String,
        /// What is wrong.
        reason: String,
    },
}

/// Fonts with the characters that are used of them.
#[derive(Debug)]
pub struct Faces {
    definitions: FontDefinitions,
    used: Vec<Face>,
    known: BTreeMap<(FontFamily, char), usize>,
}

/// A font, and what is used of it.
#[derive(Debug)]
struct Face {
    name: String,
    data: Arc<FontData>,
    characters: BTreeSet<char>,
}

/// A font with some of its characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Subset {
    /// Its name among the fonts of the context.
    pub name: String,
    /// The name of its family, as its file says.
    pub family: String,
    /// Its weight: 400 is regular.
    pub weight: f32,
    /// An OpenType file.
    pub bytes: Vec<u8>,
    /// Whether its outlines are of the compact format (CFF) rather than of TrueType.
    pub compact: bool,
}

impl Faces {
    /// The fonts of a context; none is used yet.
    pub(super) fn of(context: &Context) -> Self {
        let definitions = context.fonts(|fonts| fonts.definitions().clone());
        Self { definitions, used: Vec::new(), known: BTreeMap::new() }
    }

    /// The number of the font that has a character: the first of the family that has it, or the first of all.
    pub(super) fn face_of(&mut self, family: &FontFamily, character: char) -> usize {
        if let Some(face) = self.known.get(&(family.clone(), character)) {
            return *face;
        }
        let names = self.definitions.families.get(family).cloned().unwrap_or_default();
        let has = |name: &&String| {
            let data = self.definitions.font_data.get(*name);
            data.and_then(|data| font(data)).is_some_and(|font| font.charmap().map(character).is_some())
        };
        let name = names.iter().find(has).or(names.first()).cloned().unwrap_or_default();
        let face = self.used.iter().position(|face| face.name == name).unwrap_or_else(|| {
            let data = self.definitions.font_data.get(&name).cloned();
            let data = data.unwrap_or_else(|| Arc::new(FontData::from_static(&[])));
            self.used.push(Face { name, data, characters: BTreeSet::new() });
            self.used.len() - 1
        });
        self.used[face].characters.insert(character);
        self.known.insert((family.clone(), character), face);
        face
    }

    /// The file of each used font, by number.
    #[must_use]
    pub fn files(&self) -> Vec<File> {
        self.used.iter().map(|face| File { name: face.name.clone(), data: face.data.clone() }).collect()
    }

    /// Each used font with the characters that are used of it, by number.
    ///
    /// # Errors
    /// If a font has outlines that cannot be cut out.
    pub fn subsets(&self) -> Result<Vec<Subset>, FontError> {
        self.used.iter().map(Face::subset).collect()
    }
}

/// The whole file of a font.
#[derive(Clone, Debug)]
pub struct File {
    /// Its name among the fonts of the context.
    pub name: String,
    data: Arc<FontData>,
}

impl File {
    /// Its bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.data.font.as_ref().as_ref()
    }

    /// The number of the font in its file.
    #[must_use]
    pub fn index(&self) -> u32 {
        self.data.index
    }

    /// Whether its letters are bold.
    #[must_use]
    pub fn is_bold(&self) -> bool {
        const BOLD: f32 = 600.0;
        font(&self.data).is_some_and(|font| font.attributes().weight.value() >= BOLD)
    }

    /// The number of the glyph of each character; 0, which is a box, for those that the font does not have.
    #[must_use]
    pub fn glyphs(&self, text: &str) -> Vec<u32> {
        let characters = font(&self.data).map(|font| font.charmap());
        let glyph = |character| characters.as_ref().and_then(|characters| characters.map(character));
        text.chars().map(|character| glyph(character).map_or(0, |glyph| glyph.to_u32())).collect()
    }

    /// The width of each character in sizes of the font, without kerning; none if it is no font.
    #[must_use]
    pub fn advances(&self, text: &str) -> Vec<f32> {
        let Some(font) = font(&self.data) else { return Vec::new() };
        let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::default());
        let width = |glyph: u32| metrics.advance_width(GlyphId::new(glyph)).unwrap_or_default();
        self.glyphs(text).into_iter().map(width).collect()
    }
}

impl Face {
    fn subset(&self) -> Result<Subset, FontError> {
        let unreadable = |reason: String| FontError::Unreadable { name: self.name.clone(), reason };
        let bytes: &[u8] = self.data.font.as_ref().as_ref();
        let font = font(&self.data).ok_or_else(|| unreadable("it is no OpenType font".to_owned()))?;
        let mut glyphs = GlyphRemapper::new();
        let mut map = Vec::new();
        for &character in &self.characters {
            let glyph = font.charmap().map(character).and_then(|glyph| u16::try_from(glyph.to_u32()).ok());
            map.extend(glyph.map(|glyph| (character, glyphs.remap(glyph))));
        }
        let cut = subsetter::subset(bytes, self.data.index, &glyphs).map_err(|error| unreadable(error.to_string()))?;
        let file = sfnt::with_characters(&cut, bytes, &map).ok_or_else(|| unreadable("it has no tables".to_owned()))?;
        let named = |id| font.localized_strings(id).english_or_first().map(|name| name.to_string());
        let family =
            named(StringId::TYPOGRAPHIC_FAMILY_NAME).or_else(|| named(StringId::FAMILY_NAME)).unwrap_or_default();
        let weight = font.attributes().weight.value();
        Ok(Subset { name: self.name.clone(), family, weight, compact: file.starts_with(b"OTTO"), bytes: file })
    }
}

fn font(data: &FontData) -> Option<FontRef<'_>> {
    FontRef::from_index(data.font.as_ref().as_ref(), data.index).ok()
}
