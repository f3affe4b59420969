//! Cost of one frame of the window with few and with many draws: `cargo bench --bench frames`.
//!
//! The window is laid out off-screen and turned into triangles; it is not painted. It has two runs of five chains, near
//! their end.
//!
//! - `repaint`: nothing has changed, as when the pointer moves over a paused window.
//! - `new_draws`: every chain has taken one more step, as when the window plays slowly.
//! - `session`: the session's thread builds a frame without new measures.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use divan::Bencher;
use egui::{Key, Modifiers};
use egui_kittest::Harness;
use sampler_lab::app::App;
use sampler_lab::scenario::{Scenario, read};
use sampler_lab::session::{Frame, Session};

/// Numbers of draws of all chains together.
const DRAWS: [u64; 3] = [1_000, 100_000, 10_000_000];

/// Number of chains of all runs together.
const CHAINS: u64 = 10;

/// Number of steps left when the measurement starts.
const LEFT: u64 = 100;

/// Longest time that the session's thread may take for an order.
const PATIENCE: Duration = Duration::from_secs(120);

/// Time without changes after which a window counts as idle.
const IDLE: Duration = Duration::from_secs(1);

/// Time for a single step, with a wide margin.
const MOMENT: Duration = Duration::from_millis(50);

fn main() {
    divan::main();
}

/// Two runs on the grid of Gaussians with `draws` draws together.
fn scenario(draws: u64) -> Option<Scenario> {
    let steps = draws / CHAINS + LEFT;
    let run = |method: &str| {
        format!(
            "[[run]]\nname = \"{method}\"\nmethod = \"{method}\"\nchains = {}\nsteps = {steps}\n\
             start = {{ kind = \"uniform\", low = -10.0, high = 10.0 }}\n",
            CHAINS / 2
        )
    };
    let text = format!(
        "format = 1\ntitle = \"Frames\"\nseed = 42\n[target]\nkind = \"gaussian-grid\"\n{}{}",
        run("sgld"),
        run("csgld")
    );
    read(&text, "benchmark", std::path::Path::new(".")).ok()
}

/// The window, controlled by keys.
struct Window {
    harness: Harness<'static, App>,
}

impl Window {
    /// A paused window, [`LEFT`] steps before the end of its runs.
    fn with_draws(draws: u64) -> Option<Self> {
        let scenario = scenario(draws)?;
        let builder = Harness::builder().with_size([1440.0, 900.0]);
        let open = move |cc: &mut eframe::CreationContext<'static>| match App::new(cc, scenario, None) {
            Ok(app) => app,
            Err(errors) => unreachable!("the scenario has been read: {errors:?}"),
        };
        let mut window = Self { harness: builder.build_eframe(open) };
        let total = window.harness.state().frame().total;
        window.harness.step();
        if window.harness.state().playing() {
            window.harness.key_press(Key::Space);
        }
        window.harness.key_press(Key::End);
        window.wait_for(total)?;
        window.harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowLeft);
        window.wait_for(total - LEFT)?;
        window.wait_until_idle();
        Some(window)
    }

    /// Lets time pass until the measures no longer change: noise floors are computed in small parts after the last step.
    fn wait_until_idle(&mut self) {
        let newest =
            |window: &Self| window.harness.state().frame().runs.iter().map(|run| run.measures.clone()).collect();
        let (mut measures, mut since): (Vec<_>, _) = (newest(self), Instant::now());
        while since.elapsed() < IDLE {
            self.pass();
            let now = newest(self);
            if measures != now {
                (measures, since) = (now, Instant::now());
            }
        }
    }

    /// Lets time pass until the window shows the step; `None` after [`PATIENCE`].
    fn wait_for(&mut self, step: u64) -> Option<()> {
        let start = Instant::now();
        while self.harness.state().frame().step != step {
            if start.elapsed() > PATIENCE {
                return None;
            }
            self.pass();
        }
        Some(())
    }

    fn pass(&mut self) {
        self.harness.step();
        std::thread::sleep(Duration::from_millis(10));
    }

    /// Lets every chain take one step; the next frame shows it.
    fn take_a_step(&mut self) {
        self.harness.key_press(Key::ArrowRight);
        self.harness.step();
        std::thread::sleep(MOMENT);
    }

    /// Draws one frame and returns its number of meshes.
    fn paint(&mut self) -> usize {
        self.harness.step();
        let shapes = self.harness.output().shapes.clone();
        self.harness.ctx.tessellate(shapes, 1.0).len()
    }
}

#[divan::bench(args = DRAWS, sample_count = 50, sample_size = 1)]
fn repaint(bencher: Bencher<'_, '_>, draws: u64) {
    let Some(mut window) = Window::with_draws(draws) else { return };
    bencher.bench_local(|| window.paint());
}

#[divan::bench(args = DRAWS, sample_count = 20, sample_size = 1)]
fn new_draws(bencher: Bencher<'_, '_>, draws: u64) {
    let Some(window) = Window::with_draws(draws) else { return };
    let window = RefCell::new(window);
    bencher.with_inputs(|| window.borrow_mut().take_a_step()).bench_local_values(|()| window.borrow_mut().paint());
}

#[divan::bench(args = DRAWS, sample_count = 50)]
fn session(bencher: Bencher<'_, '_>, draws: u64) {
    let Some(mut session) = scenario(draws).and_then(|scenario| Session::new(scenario).ok()) else { return };
    session.advance(u64::MAX);
    session.refresh_measures();
    bencher.bench_local(|| -> Frame { session.frame() });
}
