//! Texts of a figure, of which an empty one is none.

use base::params::{Settings, Value};

/// Sets a text, or takes it out where it is empty.
pub fn set_text(settings: &mut Settings, key: &str, text: &str) {
    if text.is_empty() {
        settings.clear(key);
    } else {
        // Any text is allowed.
        settings.set(key, Value::Text(text.to_owned())).ok();
    }
}
