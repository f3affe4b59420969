//! The font of East Asian scripts, the largest: bytes of the program, or on a page a file beside it, which is loaded when it is needed.

#[cfg(target_arch = "wasm32")]
pub use page::{east_asian_font, load_east_asian_font};

/// The font of East Asian scripts.
#[cfg(not(target_arch = "wasm32"))]
#[must_use]
pub fn east_asian_font() -> Option<&'static [u8]> {
    Some(include_bytes!("../../../../assets/fonts/NotoSansCJK.otf"))
}

#[cfg(target_arch = "wasm32")]
mod page {
    use std::sync::OnceLock;

    use wasm_bindgen::{JsCast, JsValue};
    use wasm_bindgen_futures::{JsFuture, spawn_local};
    use web_sys::Response;

    /// The font of East Asian scripts, once it was needed and has come.
    static EAST_ASIAN: OnceLock<&[u8]> = OnceLock::new();

    /// The file beside the page that has it.
    const EAST_ASIAN_FILE: &str = "NotoSansCJK.otf";

    /// The font of East Asian scripts, if it is there.
    #[must_use]
    pub fn east_asian_font() -> Option<&'static [u8]> {
        EAST_ASIAN.get().copied()
    }

    /// Loads the font of East Asian scripts, and says when it is there.
    pub fn load_east_asian_font(then: impl FnOnce() + 'static) {
        spawn_local(async {
            // Without a network, boxes stay in the place of letters.
            let Ok(bytes) = fetch(EAST_ASIAN_FILE).await else { return };
            if EAST_ASIAN.set(bytes.leak()).is_ok() {
                then();
            }
        });
    }

    /// The bytes of a file beside the page.
    async fn fetch(name: &str) -> Result<Vec<u8>, JsValue> {
        let window = web_sys::window().ok_or("no window")?;
        let answer: Response = JsFuture::from(window.fetch_with_str(name)).await?.dyn_into()?;
        if !answer.ok() {
            return Err(answer.status().into());
        }
        let buffer = JsFuture::from(answer.array_buffer()?).await?;
        Ok(js_sys::Uint8Array::new(&buffer).to_vec())
    }
}
