//! What the browser is asked for.

use std::cell::RefCell;
use std::io;
use std::path::{Path, PathBuf};

use egui::{Context, DroppedFileHandle};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, BlobPropertyBag, Event, File, HtmlAnchorElement, HtmlCanvasElement, HtmlInputElement, Url};

use base::platform::{ask_for_frame, files, note_pointer};

/// Has the browser save a file under this name, where it saves downloads.
///
/// # Errors
/// If the browser refuses.
pub fn download(name: &str, bytes: &[u8]) -> io::Result<()> {
    begin_download(name, bytes).map_err(|error| io::Error::other(format!("the browser refuses: {error:?}")))
}

fn begin_download(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let kind = BlobPropertyBag::new();
    kind.set_type("application/octet-stream");
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &kind)?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&address)
}

thread_local! {
    /// Files that were given and not fetched yet.
    static GIVEN: RefCell<Vec<PathBuf>> = const { RefCell::new(Vec::new()) };
}

/// A browser has a dialog for files.
#[must_use]
pub fn lacks_file_dialog() -> bool {
    false
}

/// Asks for files to open. The browser answers later, to [`given`].
#[must_use]
pub fn file_to_open(_folder: Option<&Path>, (_kind, extensions): (&str, &[&str])) -> Option<PathBuf> {
    // Without a document there is nobody to ask.
    ask_for_files(extensions).ok();
    None
}

/// Asks for a folder: a page has none.
#[must_use]
pub fn folder_to_open(_folder: Option<&Path>) -> Option<PathBuf> {
    None
}

fn ask_for_files(extensions: &[&str]) -> Result<(), JsValue> {
    let document = web_sys::window().and_then(|window| window.document()).ok_or("no document")?;
    let input: HtmlInputElement = document.create_element("input")?.unchecked_into();
    input.set_type("file");
    input.set_multiple(true);
    let data = ["csv", "txt", "npy"];
    let accepted: Vec<String> = extensions.iter().chain(&data).map(|extension| format!(".{extension}")).collect();
    input.set_accept(&accepted.join(","));
    let chosen = input.clone();
    let answer = Closure::once_into_js(move || {
        let Some(files) = chosen.files() else { return };
        let files: Vec<File> = (0..files.length()).filter_map(|index| files.item(index)).collect();
        spawn_local(take(files));
    });
    input.set_onchange(Some(answer.unchecked_ref()));
    input.click();
    Ok(())
}

/// Reads files, and keeps them for the next call of [`given`] all at once: a scenario comes with its data.
async fn take(files: Vec<File>) {
    let mut names = Vec::new();
    for file in files {
        // A file that cannot be read is missed where it is opened.
        if let Ok(buffer) = JsFuture::from(file.array_buffer()).await {
            files::keep(file.name().into(), &js_sys::Uint8Array::new(&buffer).to_vec());
        }
        names.push(file.name().into());
    }
    GIVEN.with_borrow_mut(|given| given.append(&mut names));
    ask_for_frame();
}

/// The path of a file that was dropped on the window, if it is there now: here it comes later, to [`given`].
#[must_use]
pub fn received(file: &DroppedFileHandle) -> Option<PathBuf> {
    spawn_local(take(file.web_file().cloned().into_iter().collect()));
    None
}

/// Whether programs can write into the clipboard: not on a page that comes neither by https nor from this computer.
#[must_use]
pub fn has_clipboard() -> bool {
    web_sys::window().is_some_and(|window| window.is_secure_context())
}

/// Copies a text in the way that is left to a page without a clipboard; the page itself has it (`samplerLab.copy`).
pub fn copy_text(text: &str) {
    let member = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok();
    let copy = member(&js_sys::global(), "samplerLab").and_then(|page| member(&page, "copy"));
    if let Some(copy) = copy.and_then(|copy| copy.dyn_into::<js_sys::Function>().ok()) {
        // The page says what fails.
        copy.call1(&JsValue::NULL, &text.into()).ok();
    }
}

/// The address of the page, without what follows `#`.
#[must_use]
pub fn address() -> Option<String> {
    let whole = web_sys::window()?.location().href().ok()?;
    Some(whole.split('#').next().unwrap_or(&whole).to_owned())
}

/// The address of the page with what follows `#`, if anything does.
#[must_use]
pub fn link() -> Option<String> {
    let whole = web_sys::window()?.location().href().ok()?;
    whole.split_once('#').is_some_and(|(_, fragment)| !fragment.is_empty()).then_some(whole)
}

/// What stands in the history of the browser beside every address that the page itself has written.
const OWN: &str = "sampler-lab";

/// Whether the page has written its address itself, and so has been here before: it is loaded again, or a person goes back to it.
#[must_use]
pub fn returns() -> bool {
    let state = web_sys::window().and_then(|window| window.history().ok()?.state().ok());
    state.is_some_and(|state| state.as_string().is_some_and(|state| state == OWN))
}

/// Shows a fragment in the address of the page. It `adds` a step to the way back, unless it is there already.
pub fn show_address(fragment: &str, adds: bool) {
    let Some(page) = address() else { return };
    let whole = if fragment.is_empty() { page.clone() } else { format!("{page}#{fragment}") };
    let there = link().unwrap_or(page);
    let Some(history) = web_sys::window().and_then(|window| window.history().ok()) else { return };
    let state = JsValue::from_str(OWN);
    // A browser refuses where addresses change too often; the next one is shown again.
    if adds && there != whole {
        history.push_state_with_url(&state, "", Some(&whole)).ok();
    } else {
        history.replace_state_with_url(&state, "", Some(&whole)).ok();
    }
}

/// Shows the title of the tab.
pub fn show_title(_context: &Context, title: &str) {
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
}

/// Notes when a pointer is down: what nobody waits for makes way for taps.
pub fn watch_pointer() {
    let Some(window) = web_sys::window() else { return };
    let events: [(bool, &[&str]); 2] = [(true, &["pointerdown"]), (false, &["pointerup", "pointercancel", "blur"])];
    for (down, names) in events {
        let note = Closure::<dyn Fn()>::new(move || note_pointer(down)).into_js_value();
        for name in names {
            // The canvas keeps its events to itself, so they are heard on their way to it.
            window.add_event_listener_with_callback_and_bool(name, note.unchecked_ref(), true).ok();
        }
    }
}

/// Says when the canvas has lost what draws on it, and when that has come back.
pub fn watch_canvas(canvas: &HtmlCanvasElement, heard: impl Fn(bool) + 'static) {
    let heard = Closure::<dyn Fn(Event)>::new(move |event: Event| {
        // Otherwise it never comes back.
        event.prevent_default();
        heard(event.type_() == "webglcontextlost");
    });
    let heard = heard.into_js_value();
    for name in ["webglcontextlost", "webglcontextrestored"] {
        canvas.add_event_listener_with_callback(name, heard.unchecked_ref()).ok();
    }
}

/// Gives the [`link`] of the page to [`given`], whenever it changes and at once if it is not followed yet. Without a fragment it leads to
/// the start page.
pub fn follow_links(followed: bool) {
    if !followed && link().is_some() {
        give_link();
    }
    let changed = Closure::<dyn Fn()>::new(give_link).into_js_value();
    if let Some(window) = web_sys::window() {
        window.set_onhashchange(Some(changed.unchecked_ref()));
    }
}

/// Has `work` done when the person leaves the page, or looks at another one.
pub fn before_leaving(work: impl Fn() + 'static) {
    let work = Closure::<dyn Fn()>::new(work).into_js_value();
    if let Some(window) = web_sys::window() {
        for event in ["pagehide", "blur"] {
            // Without it the newest seconds are missing at the next visit.
            window.add_event_listener_with_callback(event, work.unchecked_ref()).ok();
        }
    }
}

fn give_link() {
    let start_page = || address().map(|page| format!("{page}#"));
    if let Some(link) = link().or_else(start_page) {
        GIVEN.with_borrow_mut(|given| given.push(link.into()));
        ask_for_frame();
    }
}

/// Files that were given since the last call.
#[must_use]
pub fn given() -> Vec<PathBuf> {
    GIVEN.take()
}

/// The name under which the browser saves a file; it asks for another place itself, if its settings say so.
#[must_use]
pub fn file_to_write(_folder: Option<&Path>, name: &str, (_kind, _extension): (&str, &str)) -> Option<PathBuf> {
    Some(PathBuf::from(name))
}
