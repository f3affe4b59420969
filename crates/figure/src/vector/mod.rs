//! A drawing as paths, lines of text and images, from egui's shapes before they become triangles: what the vector formats write.
//!
//! **Paths.** Lines, polygons, circles, ellipses, rectangles and Bézier curves keep their exact outlines, in points. Where egui
//! colours a line by a function of the position, each piece of it has the colour at its middle.
//!
//! **Text.** Each row of a text becomes pieces with one font, size and colour, with the position of every character as egui laid it
//! out: any program that shows the file puts the letters where the window does. See [`text`].
//!
//! **Images.** Meshes (densities, maps, clouds of very many dots) and textured rectangles are painted by [`raster`]
//! at the resolution of the figure. Neighbours in the same clip rectangle share one image.

mod fonts;
mod labels;
mod mathtext;
mod outline;
mod rooms;
mod sfnt;
mod tags;
mod text;

use egui::epaint::{ClippedPrimitive, ClippedShape, ColorMode, Mesh, PathStroke, Primitive, RectShape};
use egui::{Color32, Context, Id, Pos2, Rect, Shape, Stroke, StrokeKind};

use super::raster::{self, Canvas, RasterError};
use super::{Layout, Picture};
pub use fonts::{Faces, File, FontError, Subset};
pub(crate) use labels::TICKS;
pub use labels::{Drawn, Label, Part, Script, Side};
pub use mathtext::as_mathtext;
pub(crate) use mathtext::mathtext_of;
pub use outline::{Outline, Step};
pub(crate) use rooms::rooms;
use tags::Tags;
pub(crate) use tags::same;
pub use tags::{Dashed, GRID, LEGEND, Of, Plot, STRIP, Scale, Tag, Ticks};
pub use text::Piece;

/// Everything on a page, in painting order.
#[derive(Debug)]
pub struct Page {
    /// Width and height in points.
    pub size: [f32; 2],
    /// Points per inch of paper.
    pub points_per_inch: f32,
    /// The marks, in painting order.
    pub marks: Vec<Clipped>,
    /// The fonts of the texts.
    pub faces: Faces,
    /// The names of the panels, in the order in which they were begun.
    pub panels: Vec<String>,
    /// The plots with their scales.
    pub plots: Vec<Plot>,
    /// The ticks of axes, as far as they are told.
    pub ticks: Vec<Ticks>,
    /// The scales at the right of plots.
    pub scales: Vec<Scale>,
    /// The names of series.
    pub series: Vec<String>,
    /// The names of series that are told by their colours.
    pub keyed: Vec<String>,
    /// The lines that are drawn in dashes.
    pub dashed: Vec<Dashed>,
    /// Names that have formulas, as they are read, and as matplotlib sets them.
    pub formulas: Vec<(String, String)>,
}

impl Page {
    /// The marks in painting order, in groups that follow each other of marks that are cut off by the same rectangle; without one where
    /// that shows the whole page.
    pub fn groups(&self) -> impl Iterator<Item = (Option<Rect>, &[Clipped])> {
        let whole = Rect::from_min_size(egui::Pos2::ZERO, self.size.into());
        let clip = move |marked: &Clipped| (!marked.clip.contains_rect(whole)).then_some(marked.clip);
        let groups = self.marks.chunk_by(move |one, next| clip(one) == clip(next));
        groups.map(move |group| (group.first().and_then(clip), group))
    }
}

/// A mark of which only the part in a rectangle is seen.
#[derive(Clone, Debug)]
pub struct Clipped {
    /// The rectangle, in points.
    pub clip: Rect,
    /// What is drawn.
    pub mark: Mark,
    /// What it belongs to.
    pub of: Of,
}

/// Something drawn.
#[derive(Clone, Debug)]
pub enum Mark {
    /// An area, a line, or both.
    Path {
        /// Its outline.
        outline: Outline,
        /// The colour of its inside.
        fill: Color32,
        /// The line along it, centred on the outline.
        stroke: Stroke,
    },
    /// A piece of a row of text.
    Text(Piece),
    /// A picture.
    Image {
        /// Where it is, in points.
        rect: Rect,
        /// Its pixels.
        picture: Picture,
    },
}

/// The most dots of a cloud that are circles on a page. A cloud of more is an image: it would need megabytes.
pub const MOST_CIRCLES: usize = 20_000;

/// Asks drawings in this context for shapes where they would draw triangles of their own.
pub fn ask_for_shapes(context: &Context) {
    ask_for_circles(context, MOST_CIRCLES);
}

/// The same with a largest number of dots in a cloud of circles.
pub fn ask_for_circles(context: &Context, most: usize) {
    context.data_mut(|data| data.insert_temp(flag(), most));
}

/// Whether a drawing should consist of shapes rather than of triangles.
#[must_use]
pub fn wants_shapes(context: &Context) -> bool {
    most_circles(context).is_some()
}

/// The most dots of a cloud that should be circles, where a drawing should consist of shapes.
#[must_use]
pub fn most_circles(context: &Context) -> Option<usize> {
    context.data(|data| data.get_temp(flag()))
}

fn flag() -> Id {
    Id::unique("shapes instead of triangles")
}

impl Page {
    /// The marks of a drawing.
    ///
    /// # Errors
    /// If the drawing contains something that cannot be painted.
    pub(super) fn of(layout: &Layout) -> Result<Self, RasterError> {
        let faces = Faces::of(&layout.context);
        let mut walk = Walk { layout, faces, marks: Vec::new(), meshes: Vec::new(), tags: Tags::default() };
        for ClippedShape { clip_rect, shape, transform_after_tessellation: transform } in &layout.shapes {
            let mut shape = shape.clone();
            shape.transform(*transform);
            walk.shape(*clip_rect, &shape)?;
        }
        walk.paint_meshes()?;
        let [width, height] = layout.size.pixels();
        let points = |pixels: u32| pixels as f32 / layout.pixels_per_point;
        let Walk { marks, faces, tags: Tags { panels, plots, ticks, scales, series, dashed, .. }, .. } = walk;
        let points_per_inch = layout.size.dpi() / layout.pixels_per_point;
        let size = [points(width), points(height)];
        let (keyed, formulas) = (Vec::new(), Vec::new());
        let mut page =
            Self { size, points_per_inch, marks, faces, panels, plots, ticks, scales, series, keyed, dashed, formulas };
        page.find_plots();
        Ok(page)
    }
}

/// The walk over the shapes.
struct Walk<'a> {
    layout: &'a Layout,
    faces: Faces,
    marks: Vec<Clipped>,
    /// Meshes in a row with one clip rectangle, which become one image.
    meshes: Vec<ClippedPrimitive>,
    tags: Tags,
}

impl Walk<'_> {
    fn push(&mut self, clip: Rect, mark: Mark) {
        self.marks.push(Clipped { clip, mark, of: self.tags.now() });
    }

    fn shape(&mut self, clip: Rect, shape: &Shape) -> Result<(), RasterError> {
        match shape {
            Shape::Noop => {}
            Shape::Vec(shapes) => shapes.iter().try_for_each(|shape| self.shape(clip, shape))?,
            Shape::Circle(circle) => {
                let outline = Outline::Circle { centre: circle.center, radius: circle.radius };
                self.path(clip, outline, circle.fill, circle.stroke)?;
            }
            Shape::Ellipse(ellipse) => {
                let outline = Outline::ellipse(ellipse.center, ellipse.radius, ellipse.angle);
                self.path(clip, outline, ellipse.fill, ellipse.stroke)?;
            }
            Shape::LineSegment { points, stroke } => {
                let outline = Outline::line(&on_pixels(*points, *stroke, self.layout.pixels_per_point), false);
                self.path(clip, outline, Color32::TRANSPARENT, *stroke)?;
            }
            Shape::Path(path) => {
                self.line(clip, Outline::line(&path.points, path.closed), path.fill, &path.stroke, || {
                    (&path.points, path.closed)
                })?;
            }
            Shape::Band(band) => {
                let lower = band.points.iter().map(|point| Pos2::new(point.x, point.y.min));
                let upper = band.points.iter().rev().map(|point| Pos2::new(point.x, point.y.max));
                let turn = egui::emath::Rot2::from_angle(band.angle);
                let around: Vec<Pos2> = lower.chain(upper).map(|at| (turn * at.to_vec2()).to_pos2()).collect();
                self.path(clip, Outline::line(&around, true), band.fill, band.stroke)?;
            }
            Shape::Rect(rect) => self.rect(clip, rect)?,
            Shape::Text(text) => {
                self.paint_meshes()?;
                let pieces = text::pieces(text, self.layout.pixels_per_point, &mut self.faces);
                pieces.into_iter().for_each(|piece| self.push(clip, Mark::Text(piece)));
            }
            Shape::Mesh(mesh) => self.mesh(clip, mesh.as_ref().clone())?,
            Shape::QuadraticBezier(curve) => {
                let outline = Outline::quadratic(curve.points, curve.closed);
                self.line(clip, outline, curve.fill, &curve.stroke, || (&curve.points, curve.closed))?;
            }
            Shape::CubicBezier(curve) => {
                let outline = Outline::cubic(curve.points, curve.closed);
                self.line(clip, outline, curve.fill, &curve.stroke, || (&curve.points, curve.closed))?;
            }
            Shape::Callback(callback) => {
                let tag = Tag::of(callback).ok_or(RasterError::Callback)?;
                self.paint_meshes()?;
                self.tags.note(tag);
            }
        }
        Ok(())
    }

    /// A path whose line may have a colour for each position; then it is drawn through `points`.
    fn line<'p>(
        &mut self,
        clip: Rect,
        outline: Outline,
        fill: Color32,
        stroke: &PathStroke,
        points: impl FnOnce() -> (&'p [Pos2], bool),
    ) -> Result<(), RasterError> {
        match &stroke.color {
            ColorMode::Solid(colour) => self.path(clip, outline, fill, Stroke::new(stroke.width, *colour)),
            ColorMode::UV(colour) => {
                self.path(clip, outline, fill, Stroke::NONE)?;
                let (points, closed) = points();
                let bounds = Rect::from_points(points);
                let back = closed.then(|| points.first().copied()).flatten();
                let all: Vec<Pos2> = points.iter().copied().chain(back).collect();
                for pair in all.windows(2) {
                    let stroke = Stroke::new(stroke.width, colour(bounds, pair[0].lerp(pair[1], 0.5)));
                    self.path(clip, Outline::line(pair, false), Color32::TRANSPARENT, stroke)?;
                }
                Ok(())
            }
        }
    }

    fn path(&mut self, clip: Rect, outline: Outline, fill: Color32, stroke: Stroke) -> Result<(), RasterError> {
        self.paint_meshes()?;
        let stroke = if stroke.is_empty() { Stroke::NONE } else { stroke };
        if !outline.is_finite() || (fill == Color32::TRANSPARENT && stroke.is_empty()) {
            return Ok(());
        }
        // Lines of one look become one path. What is seen through, or has an inside, is painted anew where it overlaps.
        let of = self.tags.now();
        let looks_as = |mark: &Clipped, clip| match &mark.mark {
            Mark::Path { outline: Outline::Steps(_), fill: Color32::TRANSPARENT, stroke: before } => {
                mark.clip == clip && mark.of == of && *before == stroke && stroke.color.is_opaque()
            }
            _ => false,
        };
        let joins = fill == Color32::TRANSPARENT && self.marks.last().is_some_and(|mark| looks_as(mark, clip));
        let before = self.marks.last_mut().filter(|_| joins).map(|mark| &mut mark.mark);
        match (before, outline) {
            (Some(Mark::Path { outline: Outline::Steps(before), .. }), Outline::Steps(steps)) => before.extend(steps),
            (_, outline) => self.push(clip, Mark::Path { outline, fill, stroke }),
        }
        Ok(())
    }

    fn rect(&mut self, clip: Rect, shape: &RectShape) -> Result<(), RasterError> {
        if shape.brush.is_some() || shape.blur_width > 0.0 {
            return self.tessellated(clip, Shape::Rect(shape.clone()));
        }
        // The ends of a rectangle that reaches to infinity are as far away as in a window.
        let far = Rect::from_min_max(Pos2::new(-1e7, -1e7), Pos2::new(1e7, 1e7));
        let rect = shape.rect.intersect(far);
        let outside = match shape.stroke_kind {
            StrokeKind::Inside => -0.5,
            StrokeKind::Middle => 0.0,
            StrokeKind::Outside => 0.5,
        } * shape.stroke.width;
        let stroked = rect.expand(outside);
        let outline = |rect: Rect, more: f32| Outline::rectangle(rect, shape.corner_radius, more, shape.angle);
        if shape.stroke.is_empty() || outside.abs() < f32::EPSILON {
            return self.path(clip, outline(rect, 0.0), shape.fill, shape.stroke);
        }
        self.path(clip, outline(rect, 0.0), shape.fill, Stroke::NONE)?;
        self.path(clip, outline(stroked, outside), Color32::TRANSPARENT, shape.stroke)
    }

    /// A shape that has no outline of one colour.
    fn tessellated(&mut self, clip: Rect, shape: Shape) -> Result<(), RasterError> {
        let shapes = vec![ClippedShape::new(clip, shape)];
        for primitive in self.layout.context.tessellate(shapes, self.layout.pixels_per_point) {
            match primitive.primitive {
                Primitive::Mesh(mesh) => self.mesh(clip, mesh)?,
                Primitive::Callback(_) => return Err(RasterError::Callback),
            }
        }
        Ok(())
    }

    fn mesh(&mut self, clip: Rect, mesh: Mesh) -> Result<(), RasterError> {
        if self.meshes.last().is_some_and(|before| before.clip_rect != clip) {
            self.paint_meshes()?;
        }
        self.meshes.push(ClippedPrimitive { clip_rect: clip, primitive: Primitive::Mesh(mesh) });
        Ok(())
    }

    /// Makes one image of the meshes since the last other mark.
    fn paint_meshes(&mut self) -> Result<(), RasterError> {
        let mut meshes = std::mem::take(&mut self.meshes);
        let Some(clip) = meshes.first().map(|mesh| mesh.clip_rect) else { return Ok(()) };
        let scale = self.layout.pixels_per_point;
        let all = meshes
            .iter()
            .filter_map(|mesh| if let Primitive::Mesh(mesh) = &mesh.primitive { Some(mesh) } else { None });
        let points = all.flat_map(|mesh| &mesh.vertices).map(|vertex| vertex.pos).filter(|at| at.is_finite());
        let [width, height] = self.layout.size.pixels().map(|pixels| pixels as f32 / scale);
        let page = Rect::from_min_max(Pos2::ZERO, Pos2::new(width, height));
        let covered = points.fold(Rect::NOTHING, |rect, at| rect.union(Rect::from_min_max(at, at)));
        let seen = covered.intersect(clip).intersect(page);
        // The image ends where pixels of the figure do.
        let (first, end) = ((seen.min * scale).floor(), (seen.max * scale).ceil());
        let pixels = [end.x - first.x, end.y - first.y].map(whole);
        if pixels.contains(&0) || !seen.is_positive() {
            return Ok(());
        }
        let rect = Rect::from_min_max(first / scale, end / scale);
        for mesh in &mut meshes {
            mesh.clip_rect = mesh.clip_rect.translate(-rect.min.to_vec2());
            if let Primitive::Mesh(mesh) = &mut mesh.primitive {
                mesh.translate(-rect.min.to_vec2());
            }
        }
        let picture = painted(&meshes, pixels, self.layout)?;
        self.push(clip, Mark::Image { rect, picture });
        Ok(())
    }
}

/// A line along an axis at the pixels of the figure that egui moves it to, so that grids are as sharp as in a window.
fn on_pixels([mut from, mut to]: [Pos2; 2], stroke: Stroke, pixels_per_point: f32) -> [Pos2; 2] {
    let moved = |mut at: f32| {
        stroke.round_center_to_pixel(pixels_per_point, &mut at);
        at
    };
    if from.x.to_bits() == to.x.to_bits() {
        (from.x, to.x) = (moved(from.x), moved(to.x));
    } else if from.y.to_bits() == to.y.to_bits() {
        (from.y, to.y) = (moved(from.y), moved(to.y));
    }
    [from, to]
}

/// A number of pixels. The cast saturates, and figures are not that large.
fn whole(pixels: f32) -> u32 {
    u32::try_from(pixels as i64).unwrap_or(0)
}

/// Meshes on a transparent picture.
fn painted(meshes: &[ClippedPrimitive], [width, height]: [u32; 2], layout: &Layout) -> Result<Picture, RasterError> {
    let mut pixels = vec![[0; 4]; width as usize * height as usize];
    let mut canvas = Canvas { pixels: &mut pixels, width: width as usize };
    raster::paint(&mut canvas, meshes, layout.pixels_per_point, &layout.textures)?;
    Ok(Picture { width, height, dpi: layout.size.dpi(), pixels })
}
