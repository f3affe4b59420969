//! Writer of `[view]`: nothing for the default view, and in the order of the reader's keys.

use super::read::{ARRANGEMENTS, AXES, CLOCKS, FULL, PACES, SHADES, TRUTHS};
use super::{Speed, ViewSpec};
use crate::scenario::figures;
use crate::scenario::write::{key_text, line, number_text, quote, rows_text, texts, value_text};
use base::params::Settings;

/// Adds the `[view]` of a file.
pub(in crate::scenario) fn write(view: &ViewSpec, text: &mut String) {
    let figure = view.figure.as_ref();
    if *view == (ViewSpec { packed: view.packed, figure: figure.cloned(), ..ViewSpec::default() }) {
        figures::write(figure, text);
        return;
    }
    text.push_str("\n[view]\n");
    let mut entry = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            line(text, key, &value);
        }
    };
    entry("tab", view.tab.as_ref().map(|tab| quote(tab.kind.name)));
    entry("options", options(view));
    entry("layers", view.layers.as_deref().map(texts));
    entry("draws", view.draws.as_deref().map(quote));
    entry("exact", view.exact.as_deref().map(quote));
    entry("runs", view.runs.as_deref().map(texts));
    entry("measures", view.measures.as_deref().map(texts));
    entry("layout", word(&ARRANGEMENTS, view.layout));
    entry("axis", word(&AXES, view.axis));
    entry("clock", word(&CLOCKS, view.clock));
    entry("area", view.area.map(|area| rows_text(&area)));
    entry("pace", word(&PACES, view.pace));
    entry(
        "speed",
        view.speed.map(|speed| match speed {
            Speed::Full => quote(FULL),
            Speed::Steps(rate) => number_text(rate),
        }),
    );
    entry(
        "pause",
        some(&view.pause, |steps| {
            let steps: Vec<String> = steps.iter().map(u64::to_string).collect();
            format!("[{}]", steps.join(", "))
        }),
    );
    entry("step", view.step.map(|step| step.to_string()));
    entry("theme", word(&SHADES, view.theme));
    entry("truth", word(&TRUTHS, view.truth));
    entry("hidden", some(&view.hidden, texts));
    entry("folded", view.folded.as_deref().map(texts));
    entry("present", some(&view.present, texts));
    entry("locked", some(&view.locked, texts));
    entry("unlocked", some(&view.unlocked, texts));
    for unknown in &view.unknown {
        entry(&key_text(&unknown.key), Some(unknown.value.clone()));
    }
    figures::write(figure, text);
}

/// The options that differ from their defaults, and those that are not known.
fn options(view: &ViewSpec) -> Option<String> {
    let tab = view.tab.as_ref()?;
    let defaults = Settings::defaults(tab.kind);
    let chosen = tab.iter().filter(|(spec, value)| defaults.get(spec.key) != Some(*value));
    let chosen = chosen.map(|(spec, value)| format!("{} = {}", spec.key, value_text(Some(spec.ty), value)));
    let unknown = view.unknown_options.iter().map(|entry| format!("{} = {}", key_text(&entry.key), entry.value));
    let all: Vec<String> = chosen.chain(unknown).collect();
    (!all.is_empty()).then(|| format!("{{ {} }}", all.join(", ")))
}

/// The word for a value.
fn word<T: PartialEq>(words: &[(&'static str, T)], value: Option<T>) -> Option<String> {
    let value = value?;
    words.iter().find(|(_, meaning)| *meaning == value).map(|(word, _)| quote(word))
}

/// A list in words, if there is anything in it.
fn some<T>(list: &[T], in_words: impl Fn(&[T]) -> String) -> Option<String> {
    (!list.is_empty()).then(|| in_words(list))
}
