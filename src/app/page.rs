//! Launch in a page of a browser: the canvas, and what the page says when there is no window.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::HtmlCanvasElement;

use super::window::App;
use crate::params::ParamErrors;
use crate::platform::{follow_links, set_frames};

/// The `id` of the canvas in the page.
const CANVAS: &str = "sampler-lab";

/// Opens the window in the canvas of the page. The page hears of it by an event at its window: `sampler-lab-started`, or
/// `sampler-lab-failed` with the reason as its `detail`, also when the program breaks down later.
pub fn run() {
    std::panic::set_hook(Box::new(|panic| tell("sampler-lab-failed", &panic.to_string())));
    wasm_bindgen_futures::spawn_local(async {
        match start().await {
            Ok(()) => {
                follow_links();
                tell("sampler-lab-started", "");
            }
            Err(reason) => tell("sampler-lab-failed", &reason.as_string().unwrap_or_else(|| format!("{reason:?}"))),
        }
    });
}

async fn start() -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("there is no document")?;
    let canvas = document.get_element_by_id(CANVAS).ok_or("the page has no canvas for the window")?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().map_err(|_| "the canvas of the page is none")?;
    let create =
        |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>> {
            let context = cc.egui_ctx.clone();
            set_frames(move || context.request_repaint());
            match App::start(cc, None, None) {
                Ok(app) => Ok(Box::new(app)),
                Err(errors) => Err(ParamErrors(errors).to_string().into()),
            }
        };
    let options = eframe::WebOptions { dithering: false, ..eframe::WebOptions::default() };
    eframe::WebRunner::new().start(canvas, options, Box::new(create)).await
}

/// Tells the page.
fn tell(event: &str, detail: &str) {
    let about = web_sys::CustomEventInit::new();
    about.set_detail(&JsValue::from_str(detail));
    let event = web_sys::CustomEvent::new_with_event_init_dict(event, &about);
    if let (Some(window), Ok(event)) = (web_sys::window(), event) {
        // The page may have no listener.
        window.dispatch_event(&event).ok();
    }
}
