//! Launch in a page of a browser: the canvas, and what the page says when there is no window.

use std::path::Path;

use egui::{Context, FullOutput, OutputCommand, Shape};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlCanvasElement;

use super::window::{App, Named};
use crate::app::files::link::{self, LinkError};
use crate::app::recovery;
use crate::platform::{self, follow_links, kept, set_frames, watch_canvas, watch_pointer};
use base::params::ParamErrors;
use draw::theme;

/// The `id` of the canvas in the page.
const CANVAS: &str = "sampler-lab";

/// Opens the window in the canvas of the page. The page hears of it by an event at its window: `sampler-lab-started`, or
/// `sampler-lab-failed`, also when the program breaks down later. The `detail` of the second has the `reason` and, if there is one, the
/// `experiment` as the text of its file. `sampler-lab-lost`, with the `experiment`, says that the browser has taken away what draws on the
/// canvas, as after sleep, a crash of the graphics driver, or with too many pages that draw; `sampler-lab-restored` that it could draw again.
pub fn run() {
    std::panic::set_hook(Box::new(|panic| fail(&panic.to_string())));
    wasm_bindgen_futures::spawn_local(async {
        match start().await {
            Ok(()) => tell("sampler-lab-started", &JsValue::NULL),
            Err(reason) => fail(&reason.as_string().unwrap_or_else(|| format!("{reason:?}"))),
        }
    });
}

async fn start() -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("there is no document")?;
    let canvas = document.get_element_by_id(CANVAS).ok_or("the page has no canvas for the window")?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().map_err(|_| "the canvas of the page is none")?;
    watch_canvas(&canvas, told_of_canvas);
    watch_pointer();
    // What is wrong with a link is said in the window.
    let named = platform::link().and_then(|link| named(link::fragment_of(&link)?));
    let followed = named.is_some();
    let create =
        |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>> {
            let context = cc.egui_ctx.clone();
            set_frames(move || context.request_repaint());
            cc.egui_ctx.add_plugin(EastAsianLetters::default());
            cc.egui_ctx.add_plugin(Copies);
            match App::start(cc, named, Some(Path::new(kept::KEPT)), platform::returns()) {
                Ok(app) => Ok(Box::new(app)),
                Err(errors) => Err(ParamErrors(errors).to_string().into()),
            }
        };
    let options = eframe::WebOptions { dithering: false, ..eframe::WebOptions::default() };
    eframe::WebRunner::new().start(canvas, options, Box::new(create)).await?;
    follow_links(followed);
    Ok(())
}

/// What the fragment of a link leads to.
fn named(fragment: &str) -> Option<Named> {
    match link::scenario(fragment) {
        Ok(scenario) => Some(Named::from(Ok((scenario, None)))),
        Err(LinkError::Playlist(playlist)) => Some(Named::Playlist(*playlist, None)),
        Err(_) => None,
    }
}

/// Has the font of East Asian scripts loaded when a text has one of their letters.
#[derive(Debug, Default)]
struct EastAsianLetters {
    asked: bool,
}

impl egui::Plugin for EastAsianLetters {
    fn debug_name(&self) -> &'static str {
        "East Asian letters"
    }

    fn output_hook(&mut self, context: &Context, output: &mut FullOutput) {
        if !self.asked && output.shapes.iter().any(|clipped| has_east_asian(&clipped.shape)) {
            self.asked = true;
            let context = context.clone();
            theme::load_east_asian_font(move || theme::install_fonts(&context));
        }
    }
}

/// Copies texts where eframe cannot.
#[derive(Debug)]
struct Copies;

impl egui::Plugin for Copies {
    fn debug_name(&self) -> &'static str {
        "copies"
    }

    fn output_hook(&mut self, _context: &Context, output: &mut FullOutput) {
        if platform::has_clipboard() {
            return;
        }
        output.platform_output.commands.retain(|command| {
            let OutputCommand::CopyText(text) = command else { return true };
            platform::copy_text(text);
            false
        });
    }
}

fn has_east_asian(shape: &Shape) -> bool {
    match shape {
        Shape::Text(text) => text.galley.text().chars().any(is_east_asian),
        Shape::Vec(shapes) => shapes.iter().any(has_east_asian),
        _ => false,
    }
}

/// Whether a letter is of Chinese, Japanese or Korean: blocks of Unicode.
fn is_east_asian(letter: char) -> bool {
    matches!(letter, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..)
}

/// Tells the page why there is no window any more.
fn fail(reason: &str) {
    tell("sampler-lab-failed", &detail(Some(reason)));
}

/// Tells the page that nothing can be drawn, or that it could be drawn again.
fn told_of_canvas(lost: bool) {
    if lost {
        tell("sampler-lab-lost", &detail(None));
    } else {
        tell("sampler-lab-restored", &JsValue::NULL);
    }
}

/// The experiment, if there is one, and a reason.
fn detail(reason: Option<&str>) -> js_sys::Object {
    let detail = js_sys::Object::new();
    for (name, text) in [("reason", reason.map(str::to_owned)), ("experiment", experiment())] {
        if let Some(text) = text {
            // A plain object takes everything.
            js_sys::Reflect::set(&detail, &name.into(), &text.into()).ok();
        }
    }
    detail
}

/// The experiment in the window, as it was kept last.
fn experiment() -> Option<String> {
    let session = kept::read(&recovery::path_in(Path::new(kept::KEPT))).ok()?;
    let session: serde_json::Value = serde_json::from_slice(&session).ok()?;
    Some(session["window"]["scenario"].as_str()?.to_owned())
}

/// Tells the page.
fn tell(event: &str, detail: &JsValue) {
    let about = web_sys::CustomEventInit::new();
    about.set_detail(detail);
    let event = web_sys::CustomEvent::new_with_event_init_dict(event, &about);
    if let (Some(window), Ok(event)) = (web_sys::window(), event) {
        // The page may have no listener.
        window.dispatch_event(&event).ok();
    }
}
