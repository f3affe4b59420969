//! Cache of tessellated lines, bands and points of a plot.
//!
//! egui tessellates every shape again in each frame. Items that change rarely (contours, draws, curves over a whole run) go
//! through a [`MeshCache`] instead: while the content and the rectangle of the plot stay the same, a frame copies the triangles of
//! the frame before. Many triangles that stay where they are become a picture, which a processor that draws without a graphics card
//! paints several times as fast.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

use egui::{Context, Mesh, Pos2, Rect, Shape, TextureHandle, TextureOptions, Ui, pos2};
use egui_plot::{PlotBounds, PlotTransform, PlotUi};
use rayon::{ThreadPool, ThreadPoolBuilder};

use figure::TextureStore;
use figure::raster::still;
use figure::vector::wants_shapes;

#[cfg(test)]
use super::background::Same;
use super::marks::{Mark, outlines, quad, side, triangles};
use super::notes::note_curve;
use super::on_plots::{note_end, wants_ends};
use super::passive_items::PassiveItem;

/// Marks and their tessellation.
#[derive(Debug, Default)]
pub struct MeshCache(RefCell<Memory>);

#[derive(Default)]
struct Memory {
    content: Option<u64>,
    marks: Vec<Mark>,
    drawn: Option<Drawn>,
}

/// The marks as they are drawn in an area of the screen.
struct Drawn {
    area: PlotArea,
    shapes: Vec<Shape>,
    /// Whether triangles become a picture when they are drawn a second time at the same rectangle.
    awaits_picture: bool,
    /// The picture that they have become.
    picture: Option<TextureHandle>,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Memory").field("content", &self.content).finish_non_exhaustive()
    }
}

/// Triangles that are worth a picture.
const WORTH_A_PICTURE: usize = 2000;

/// The threads that paint such pictures. They are not those of runs and studies: a frame would wait until one of these has time. A page has none.
static PAINTERS: LazyLock<Option<ThreadPool>> = LazyLock::new(|| ThreadPoolBuilder::new().build().ok());

/// Rectangle of a plot on the screen, and the bounds that it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PlotArea {
    frame: Rect,
    bounds: PlotBounds,
    pixels_per_point: f32,
}

impl MeshCache {
    /// The triangles there are. Who holds them keeps others from being made in their place.
    #[cfg(test)]
    pub fn meshes(&self) -> Vec<Same<Mesh>> {
        let memory = self.0.borrow();
        let shapes = memory.drawn.iter().flat_map(|drawn| &drawn.shapes);
        let mesh = |shape: &Shape| if let Shape::Mesh(mesh) = shape { Some(Same(mesh.clone())) } else { None };
        shapes.filter_map(mesh).collect()
    }

    /// Adds the marks to a plot; `make` is called only if `content` is not what it was.
    pub fn show<'a>(&'a self, plot_ui: &mut PlotUi<'a>, content: impl Hash, make: impl FnOnce() -> Vec<Mark>) {
        self.put(plot_ui, false, content, make);
    }

    /// The same with lines and areas that become a picture while they stay where they are. Not for figures, which are drawn once.
    pub fn show_still<'a>(&'a self, plot_ui: &mut PlotUi<'a>, content: impl Hash, make: impl FnOnce() -> Vec<Mark>) {
        self.put(plot_ui, true, content, make);
    }

    fn put<'a>(&'a self, plot_ui: &mut PlotUi<'a>, still: bool, content: impl Hash, make: impl FnOnce() -> Vec<Mark>) {
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        let content = hasher.finish();
        let mut memory = self.0.borrow_mut();
        if memory.content != Some(content) {
            *memory = Memory { content: Some(content), marks: make(), ..Memory::default() };
        }
        for mark in &memory.marks {
            if let Mark::Line { points, .. } | Mark::Dashes { points, .. } | Mark::Broken { points, .. } = mark {
                note_curve(plot_ui.ctx(), plot_ui.response().rect, points);
            }
            // Names of runs may stand at the ends of their curves.
            if let Mark::Line { points, colour, graph: true, .. } | Mark::Broken { points, colour, .. } = mark
                && let Some(end) = points.last()
                && wants_ends(plot_ui.ctx())
            {
                note_end(plot_ui.ctx(), *colour, *end);
            }
        }
        drop(memory);
        let draw =
            move |ui: &Ui, transform: &PlotTransform, shapes: &mut Vec<Shape>| self.draw(ui, transform, still, shapes);
        plot_ui.add(PassiveItem::new(PlotBounds::NOTHING, draw));
    }

    /// Adds the triangles to the shapes of a plot; makes them if they have not been made for this rectangle.
    fn draw(&self, ui: &Ui, transform: &PlotTransform, still: bool, shapes: &mut Vec<Shape>) {
        let pixels_per_point = ui.ctx().pixels_per_point();
        let area = PlotArea { frame: *transform.frame(), bounds: *transform.bounds(), pixels_per_point };
        let mut memory = self.0.borrow_mut();
        let Memory { marks, drawn, .. } = &mut *memory;
        match drawn {
            Some(drawn) if drawn.area == area => drawn.settle(ui.ctx(), marks),
            _ => *drawn = Some(Drawn::new(ui, marks, (area, transform), still)),
        }
        shapes.extend(drawn.iter().flat_map(|drawn| &drawn.shapes).cloned());
    }
}

impl Drawn {
    fn new(ui: &Ui, marks: &[Mark], (area, transform): (PlotArea, &PlotTransform), still: bool) -> Self {
        if wants_shapes(ui.ctx()) {
            let shapes = outlines(ui, marks, transform, area.pixels_per_point);
            return Self { area, shapes, awaits_picture: false, picture: None };
        }
        let shapes = triangles(ui, marks, transform, area.pixels_per_point);
        let count = |shape: &Shape| if let Shape::Mesh(mesh) = shape { mesh.indices.len() / 3 } else { 0 };
        let most = side(ui.input(|input| input.max_texture_side));
        let worth = shapes.iter().map(count).sum::<usize>() >= WORTH_A_PICTURE
            && area.pixels().size().max_elem() * area.pixels_per_point <= most;
        Self { area, shapes, awaits_picture: still && worth, picture: None }
    }

    /// Replaces triangles that are worth it by a picture of them.
    fn settle(&mut self, ctx: &Context, marks: &[Mark]) {
        if !std::mem::take(&mut self.awaits_picture) {
            return;
        }
        let image = |mark: &Mark| match mark {
            Mark::Image { image, texture, .. } => Some((*texture, image.clone(), TextureOptions::LINEAR)),
            _ => None,
        };
        let mesh = |shape: &Shape| if let Shape::Mesh(mesh) = shape { Some(Mesh::clone(mesh)) } else { None };
        let (rect, meshes) = (self.area.pixels(), self.shapes.iter().filter_map(mesh).collect());
        let textures = TextureStore::with(marks.iter().filter_map(image));
        let paint = || still(meshes, rect, self.area.pixels_per_point, &textures);
        let painted = if let Some(painters) = &*PAINTERS { painters.install(paint) } else { paint() };
        if let Ok(image) = painted {
            let texture = self.picture.insert(ctx.load_texture("marks", image, TextureOptions::NEAREST));
            self.shapes = vec![Shape::mesh(quad(texture.id(), rect))];
        }
    }
}

impl PlotArea {
    /// The whole pixels of the plot, in points.
    fn pixels(&self) -> Rect {
        let whole = |at: Pos2, round: fn(f32) -> f32| {
            let pixel = |points: f32| round(points * self.pixels_per_point) / self.pixels_per_point;
            pos2(pixel(at.x), pixel(at.y))
        };
        Rect::from_min_max(whole(self.frame.min, f32::floor), whole(self.frame.max, f32::ceil))
    }
}
