//! Layout of a drawing: frames are repeated until two in a row have the same triangles.

use std::time::Duration;

use egui::emath::Rot2;
use egui::epaint::{ClippedPrimitive, ClippedShape, Mesh, Primitive, Vertex};
use egui::{Context, Pos2, RawInput, Rect, Shape, Ui, Vec2, ViewportId};

use super::texture::TextureStore;
use super::{FigureError, FigureSize, MAX_SIDE};

/// Most frames in which the layout of a drawing has to converge. Plots need three.
pub const MAX_FRAMES: usize = 8;

/// Time from one frame to the next in seconds; the value does not matter, as long as it is fixed.
const FRAME_TIME: f64 = 1.0 / 60.0;

/// A drawing that has been laid out: the shapes of its last frame, and what they refer to.
pub struct Layout {
    pub(super) context: Context,
    pub(super) textures: TextureStore,
    /// In points.
    pub(super) shapes: Vec<ClippedShape>,
    pub(super) pixels_per_point: f32,
    pub(super) size: FigureSize,
}

/// A text of a drawing, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct TextBox {
    /// The text.
    pub text: String,
    /// The space of its glyphs.
    pub rect: Rect,
    /// What is outside of this is cut off.
    pub clip: Rect,
}

impl Layout {
    /// All rows of texts that can be seen, in the order of drawing.
    #[must_use]
    pub fn texts(&self) -> Vec<TextBox> {
        fn add(shape: &Shape, clip: Rect, found: &mut Vec<TextBox>) {
            match shape {
                Shape::Vec(shapes) => shapes.iter().for_each(|shape| add(shape, clip, found)),
                Shape::Text(text) if !text.galley.text().trim().is_empty() => {
                    let turn = Rot2::from_angle(text.angle);
                    for row in &text.galley.rows {
                        let bounds = row.visuals.mesh_bounds.translate(row.pos.to_vec2());
                        let rect = bounds.rotate_bb(turn).translate(text.pos.to_vec2());
                        let text: String = row.glyphs.iter().map(|glyph| glyph.chr).collect();
                        found.extend((!text.trim().is_empty()).then_some(TextBox { text, rect, clip }));
                    }
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        self.shapes.iter().for_each(|clipped| add(&clipped.shape, clipped.clip_rect, &mut found));
        found
    }

    /// Width and height in points.
    #[must_use]
    pub fn points(&self) -> Vec2 {
        Vec2::from(self.size.pixels().map(|pixels| pixels as f32 / self.pixels_per_point))
    }
}

/// Lays out a drawing in a context of its own.
///
/// Textures that the last frame frees are kept for painting.
pub(super) fn lay_out(context: Context, size: FigureSize, mut ui: impl FnMut(&mut Ui)) -> Result<Layout, FigureError> {
    switch_off_animations(&context);
    let mut textures = TextureStore::default();
    let mut shapes = Vec::new();
    let mut triangles = Vec::new();
    let mut freed = Vec::new();
    let mut pixels_per_point = size.scale;
    // Nothing is drawn in the first frame: a zoom factor from the set-up applies from the second frame on.
    for frame in 0..=MAX_FRAMES {
        textures.free(&freed);
        let output = context.run_ui(input(size, context.zoom_factor(), frame), |root| {
            if frame > 0 {
                ui(root);
            }
        });
        freed = textures.update(output.textures_delta)?;
        pixels_per_point = output.pixels_per_point;
        shapes = output.shapes;
        let before = std::mem::replace(&mut triangles, context.tessellate(shapes.clone(), pixels_per_point));
        let root = output.viewport_output.get(&ViewportId::ROOT);
        let asked_again = root.is_some_and(|root| root.repaint_delay == Duration::ZERO);
        if frame > 1 && !asked_again && same_pictures(&before, &triangles) {
            break;
        }
    }
    Ok(Layout { context, textures, shapes, pixels_per_point, size })
}

/// Switches off everything that makes a picture depend on the time or on the kind of build.
fn switch_off_animations(context: &Context) {
    context.options_mut(|options| options.warn_on_id_clash = false);
    context.all_styles_mut(|style| {
        style.animation_time = 0.0;
        #[cfg(debug_assertions)]
        {
            style.debug.show_unaligned = false;
        }
    });
}

fn input(size: FigureSize, zoom: f32, frame: usize) -> RawInput {
    let points = size.pixels().map(|pixels| pixels as f32 / (size.scale * zoom));
    let mut input = RawInput {
        screen_rect: Some(Rect::from_min_size(Pos2::ZERO, Vec2::from(points))),
        max_texture_side: Some(MAX_SIDE as usize),
        time: Some(frame as f64 * FRAME_TIME),
        predicted_dt: FRAME_TIME as f32,
        ..RawInput::default()
    };
    let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
    viewport.native_pixels_per_point = Some(size.scale);
    input
}

/// Whether two frames are the same, bit by bit.
///
/// egui's own comparisons panic in debug builds at NaN coordinates, which can come from data.
fn same_pictures(a: &[ClippedPrimitive], b: &[ClippedPrimitive]) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| {
            [a.clip_rect.min, a.clip_rect.max].map(position_bits)
                == [b.clip_rect.min, b.clip_rect.max].map(position_bits)
                && match (&a.primitive, &b.primitive) {
                    (Primitive::Mesh(a), Primitive::Mesh(b)) => same_meshes(a, b),
                    // The rasteriser refuses all callbacks.
                    (Primitive::Callback(_), Primitive::Callback(_)) => true,
                    _ => false,
                }
        })
}

fn same_meshes(a: &Mesh, b: &Mesh) -> bool {
    let vertex_bits = |v: &Vertex| (position_bits(v.pos), position_bits(v.uv), v.color);
    a.texture_id == b.texture_id
        && a.indices == b.indices
        && a.vertices.iter().map(vertex_bits).eq(b.vertices.iter().map(vertex_bits))
}

fn position_bits(position: Pos2) -> [u32; 2] {
    [position.x.to_bits(), position.y.to_bits()]
}
