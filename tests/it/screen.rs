//! Screenshots of the window without a display and without a graphics card: the frames of a test, painted by the rasteriser of
//! figures.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;
use std::sync::{Arc, Mutex};

use egui::{TextureId, TexturesDelta, Vec2};
use egui_kittest::{Harness, TestRenderer};
use sampler_lab::app::App;
use sampler_lab::figure::TextureStore;
use sampler_lab::figure::raster::{Canvas, paint};
use sampler_lab::scenario::Scenario;

/// The textures of a window, kept from frame to frame.
#[derive(Clone, Default)]
pub struct Screen(Arc<Mutex<(TextureStore, Vec<TextureId>)>>);

impl TestRenderer for Screen {
    fn handle_delta(&mut self, delta: &mut TexturesDelta) {
        let mut kept = self.0.lock().unwrap();
        let (textures, freed) = &mut *kept;
        textures.free(freed);
        *freed = textures.update(std::mem::take(delta)).unwrap();
    }
}

impl Screen {
    /// A window of this size, in points, that paints here.
    pub fn window(&self, scenario: Scenario, size: Vec2, pixels_per_point: f32) -> Harness<'static, App> {
        let builder = Harness::builder()
            .with_theme(egui::Theme::Light)
            .with_size(size)
            .with_pixels_per_point(pixels_per_point)
            .with_max_steps(64);
        builder.renderer(self.clone()).build_eframe(move |cc| App::new(cc, scenario, None).unwrap())
    }

    /// Writes what a window shows.
    pub fn shoot(&self, window: &Harness<'static, App>, path: &Path) {
        let pixels_per_point = window.ctx.pixels_per_point();
        let [width, height] = <[f32; 2]>::from(window.ctx.content_rect().size()).map(|points| {
            #[expect(clippy::cast_sign_loss, reason = "the sides of a window")]
            let pixels = (points * pixels_per_point).round() as u32;
            pixels
        });
        let mut pixels = vec![[255; 4]; (width * height) as usize];
        let triangles = window.ctx.tessellate(window.output().shapes.clone(), pixels_per_point);
        let mut canvas = Canvas { pixels: &mut pixels, width: width as usize };
        paint(&mut canvas, &triangles, pixels_per_point, &self.0.lock().unwrap().0).unwrap();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path).unwrap()), width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::High);
        let samples: Vec<u8> = pixels.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]).collect();
        encoder.write_header().unwrap().write_image_data(&samples).unwrap();
    }
}
