//! The icon in the sizes that desktops ask for, in the folders of an icon theme.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// Sides of the pictures, in pixels.
const SIZES: [u16; 7] = [16, 32, 48, 64, 128, 256, 512];

/// The name of the icon, which the desktop file has as well.
const NAME: &str = "sampler-lab";

/// Writes `16x16/apps/sampler-lab.png`, the other sizes, and `scalable/apps/sampler-lab.svg` into a folder.
///
/// # Errors
/// If the icon cannot be read or a file cannot be written.
pub fn write(source: &Path, place: &Path) -> Result<()> {
    let drawing = fs::read(source).with_context(|| source.display().to_string())?;
    let tree = Tree::from_data(&drawing, &Options::default())?;
    let folder = |name: &str| -> Result<_> {
        let folder = place.join(name).join("apps");
        fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    for side in SIZES {
        let mut picture = Pixmap::new(side.into(), side.into()).context("an empty picture")?;
        let scale = f32::from(side) / tree.size().width();
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
        picture.save_png(folder(&format!("{side}x{side}"))?.join(format!("{NAME}.png")))?;
    }
    fs::write(folder("scalable")?.join(format!("{NAME}.svg")), drawing)?;
    Ok(())
}
