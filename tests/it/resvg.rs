//! SVG figures in a program that is not ours: resvg draws them as our PNG is. `tests/figures.sh` compares with Chromium and Poppler.

use std::path::Path;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::cli::{call, folder_with};

/// Standard deviation of the blur, in pixels: programs place edges of text and hairlines differently within a pixel.
const BLUR: f32 = 1.5;

/// Largest root mean square of the differences of all pixels, as a share of the whole range. A title that is missing is 0.036.
const MOST: f64 = 0.03;

/// Red, green and blue of all pixels, from 0 to 1.
struct Pixels {
    width: usize,
    values: Vec<[f32; 3]>,
}

impl Pixels {
    fn of(width: usize, bytes: &[u8], channels: usize) -> Self {
        let value = |pixel: &[u8]| [0, 1, 2].map(|channel| f32::from(pixel[channel]) / 255.0);
        Self { width, values: bytes.chunks_exact(channels).map(value).collect() }
    }

    /// The picture that our program has drawn.
    fn of_png(path: &Path) -> Self {
        let mut reader =
            png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let channels = info.color_type.samples();
        Self::of(info.width as usize, &bytes[..info.buffer_size()], channels)
    }

    /// The picture that resvg draws.
    fn of_svg(path: &Path) -> Self {
        // It does not read the fonts inside of a file, and takes the next ones of the list: the same, whole.
        let mut options = Options::default();
        for file in super::cli::entries(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/fonts"))) {
            if file.extension().is_some_and(|kind| kind == "ttf" || kind == "otf") {
                options.fontdb_mut().load_font_data(std::fs::read(file).unwrap());
            }
        }
        let tree = Tree::from_data(&std::fs::read(path).unwrap(), &options).unwrap();
        let size = tree.size().to_int_size();
        let mut pixmap = Pixmap::new(size.width(), size.height()).unwrap();
        resvg::render(&tree, Transform::identity(), &mut pixmap.as_mut());
        Self::of(size.width() as usize, pixmap.data(), 4)
    }

    /// The picture after a Gaussian blur.
    fn blurred(&self) -> Self {
        let reach = -5_isize..=5;
        let weights: Vec<f32> = reach.clone().map(|at| (-(at * at) as f32 / (2.0 * BLUR * BLUR)).exp()).collect();
        let total: f32 = weights.iter().sum();
        let (width, height) = (self.width, self.values.len() / self.width);
        let mut values = self.values.clone();
        for (dx, dy) in [(1, 0), (0, 1)] {
            let before = values.clone();
            for (place, value) in values.iter_mut().enumerate() {
                let mut sum = [0.0; 3];
                for (at, weight) in reach.clone().zip(&weights) {
                    let x = (place % width).saturating_add_signed(dx * at).min(width - 1);
                    let y = (place / width).saturating_add_signed(dy * at).min(height - 1);
                    (0..3).for_each(|channel| sum[channel] += weight / total * before[y * width + x][channel]);
                }
                *value = sum;
            }
        }
        Self { width: self.width, values }
    }

    /// The root mean square of the differences.
    fn from(&self, other: &Self) -> f64 {
        assert_eq!((self.width, self.values.len()), (other.width, other.values.len()));
        let pairs = self.values.as_flattened().iter().zip(other.values.as_flattened());
        let sum: f64 = pairs.map(|(one, other)| f64::from(one - other).powi(2)).sum();
        (sum / (3 * self.values.len()) as f64).sqrt()
    }
}

#[test]
fn resvg_draws_svg_as_our_png_is() {
    let folder = folder_with("unused.toml", "");
    let lessons =
        [("authors-code", "light"), ("beta-posterior", "dark"), ("gap-bands", "light"), ("equal-cost", "dark")];
    for (lesson, theme) in lessons {
        let draw = |out: &str, options: &[&str]| {
            let whole = ["render", lesson, "--size", "1200x800", "--theme", theme, "--out", out];
            let (code, _, err) = call(&folder, &[&whole[..], options].concat());
            assert_eq!(code, 0, "{err}");
            folder.path().join(out)
        };
        let ours = Pixels::of_png(&draw("ours.png", &[])).blurred();
        let theirs = Pixels::of_svg(&draw("ours.svg", &[])).blurred();
        let difference = ours.from(&theirs);
        eprintln!("{lesson}, {theme}: {difference:.4}");
        assert!(difference < MOST, "{lesson}, {theme}: {difference}");
        if (lesson, theme) == ("authors-code", "light") {
            let untitled = Pixels::of_png(&draw("untitled.png", &["--without", "title"])).blurred();
            assert!(untitled.from(&theirs) > MOST, "a title that is missing is seen");
        }
    }
}
