//! The plots of a page as a description for Vega-Lite, with their data inside.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use egui::Color32;
use serde_json::{Map, Value, json};

use super::{Axis, Marker, Panel, Remade, Series, Shape, apart};
use crate::vector::Page;
use crate::{POINTS_PER_INCH, Spoken, png};

/// The version of Vega-Lite.
const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v5.json";

/// The key of texts in the description.
const TEXTS: &str = "usermeta";

/// The description of a page with its words, the title that stands above its panels, and texts such as its scenario.
///
/// # Errors
/// If an image cannot be written.
pub fn encode(
    page: &Page,
    background: Option<Color32>,
    (spoken, title): (&Spoken<'_>, Option<&str>),
    texts: &[(&str, &str)],
) -> Result<Vec<u8>, png::PngError> {
    let remade = Remade::of(page);
    // Pixels of a page per point.
    let scale = POINTS_PER_INCH / page.points_per_inch;
    let rows: Vec<Value> = rows(&remade.panels)
        .into_iter()
        .map(|row| {
            let panels: Result<Vec<Value>, _> =
                row.into_iter().map(|panel| of_panel(panel, (page, &remade), scale)).collect();
            Ok(json!({ "hconcat": panels?, "resolve": apart_legends() }))
        })
        .collect::<Result<_, png::PngError>>()?;
    let texts: Map<String, Value> = texts.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    let mut whole = json!({
        "$schema": SCHEMA,
        "description": format!("{} {}", spoken.alt, remade.left_out_words(false)),
        TEXTS: texts,
        "background": background.map(|colour| apart(colour).0),
        "config": {"view": {"stroke": null}, "font": "sans-serif"},
        "resolve": apart_legends(),
        "vconcat": rows,
    });
    if let Some(title) = title {
        whole["title"] = Value::from(title);
    }
    let mut bytes = serde_json::to_vec_pretty(&whole).unwrap_or_default();
    bytes.push(b'\n');
    Ok(bytes)
}

/// The file is no JSON.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no JSON: {0}")]
pub struct ReadError(String);

/// The text with a name in a description, if there is one.
///
/// # Errors
/// If it is no JSON.
pub fn read_text(bytes: &[u8], name: &str) -> Result<Option<String>, ReadError> {
    let whole: Value = serde_json::from_slice(bytes).map_err(|error| ReadError(error.to_string()))?;
    Ok(whole.get(TEXTS).and_then(|texts| texts.get(name)).and_then(Value::as_str).map(str::to_owned))
}

/// Plots in rows, from the top, each from the left.
fn rows(panels: &[Panel]) -> Vec<Vec<&Panel>> {
    let mut sorted: Vec<&Panel> = panels.iter().collect();
    sorted.sort_by(|one, other| one.rect.top().total_cmp(&other.rect.top()));
    let mut rows: Vec<Vec<&Panel>> = Vec::new();
    for panel in sorted {
        match rows.last_mut() {
            Some(row) if row.iter().all(|known| panel.rect.top() < known.rect.center().y) => row.push(panel),
            _ => rows.push(vec![panel]),
        }
    }
    rows.iter_mut().for_each(|row| row.sort_by(|one, other| one.rect.left().total_cmp(&other.rect.left())));
    rows
}

fn of_panel(panel: &Panel, (page, remade): (&Page, &Remade), scale: f32) -> Result<Value, png::PngError> {
    let size = remade.text * scale;
    let grid = panel.grid.is_some();
    let axes = json!({"x": channel(&panel.x, "x", (size, grid)), "y": channel(&panel.y, "y", (size, grid))});
    let mut layers: Vec<Value> = Vec::new();
    for series in &panel.series {
        layers.push(of_series(series, panel, (scale, &axes))?);
    }
    let [width, height] = [panel.rect.width(), panel.rect.height()].map(|side| (side * scale).round());
    layers.extend(legend(panel, page, (size, width, &axes)));
    if layers.is_empty() {
        // A plot without anything in it still has its axes.
        layers.push(json!({"data": {"values": []}, "mark": "point", "encoding": axes}));
    }
    let mut whole = json!({"width": width, "height": height, "layer": layers});
    if let Some(title) = &panel.title {
        whole["title"] = json!({"text": title, "anchor": "start", "fontSize": 1.15 * size});
    }
    Ok(whole)
}

/// Each plot has names and colours of its own: Vega-Lite makes one scale of those of all plots else, in which colours are those of other names.
fn apart_legends() -> Value {
    json!({"scale": {"color": "independent"}, "legend": {"color": "independent"}})
}

/// How many names stand beside each other above a plot of a width, in pixels.
fn columns(names: &[&str], size: f32, width: f32) -> usize {
    /// Widths of a letter and of a sample with its gaps, in sizes of text.
    const LETTER: f32 = 0.56;
    const SAMPLE: f32 = 2.6;
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let each = size * (LETTER * longest as f32 + SAMPLE);
    (1..=names.len()).rev().find(|columns| each * *columns as f32 <= width).unwrap_or(1)
}

/// A layer that draws nothing, with a legend of the names of runs in their colours, if the panel has several.
fn legend(panel: &Panel, page: &Page, (size, width, axes): (f32, f32, &Value)) -> Option<Value> {
    let colour = |name: &str| {
        let of_name = panel.series.iter().filter(|series| series.name.as_deref() == Some(name));
        of_name.map(|series| &series.shape).find_map(|shape| match shape {
            Shape::Lines { colour, .. } | Shape::Areas { colour, .. } | Shape::Dots { colour, .. } => {
                Some(apart(*colour).0)
            }
            Shape::Text { .. } | Shape::Image { .. } => None,
        })
    };
    let named = panel.legend(page).into_iter().filter_map(|name| Some((name, colour(name)?)));
    let (names, colours): (Vec<&str>, Vec<String>) = named.unzip();
    let at = [&panel.x, &panel.y].map(|axis| rounded(axis.ends[0]));
    let values: Vec<Value> = names.iter().map(|name| json!({"x": at[0], "y": at[1], "name": name})).collect();
    let mut encoding = axes.clone();
    encoding["color"] = json!({
        "field": "name", "type": "nominal", "scale": {"domain": names, "range": colours},
        "legend": {
            "title": null, "orient": "top", "direction": "horizontal", "labelFontSize": size, "symbolSize": size * size,
            "symbolOpacity": 1, "symbolType": "circle", "labelLimit": 0, "columns": columns(&names, size, width),
        },
    });
    let mark = json!({"type": "point", "filled": true, "size": 0, "opacity": 0});
    (names.len() > 1).then(|| json!({"data": {"values": values}, "mark": mark, "encoding": encoding}))
}

/// How the values of an axis are shown.
fn channel(axis: &Axis, field: &str, (size, grid): (f32, bool)) -> Value {
    let kind = if axis.log { "log" } else { "linear" };
    let ticks: Vec<Value> = axis.ticks.iter().map(|(value, _)| rounded(*value)).collect();
    let word = |(value, words): &(f64, String)| (rounded(*value).to_string(), Value::from(words.as_str()));
    let words: Map<String, Value> = axis.ticks.iter().map(word).collect();
    let mut whole = json!({
        "field": field,
        "type": "quantitative",
        "title": if axis.name.is_empty() { Value::Null } else { Value::from(axis.name.as_str()) },
        "scale": {"type": kind, "domain": axis.ends.map(rounded), "nice": false, "zero": false},
        "axis": {
            "values": ticks, "grid": grid, "labelFontSize": size, "titleFontSize": 1.15 * size,
            "labelExpr": format!("{}[toString(datum.value)] || datum.label", Value::from(words)),
        },
    });
    if !axis.ticks.is_empty() && axis.ticks.iter().all(|(_, words)| words.is_empty()) {
        whole["axis"]["labels"] = Value::from(false);
    }
    whole
}

/// The layer of a series.
fn of_series(series: &Series, panel: &Panel, (scale, axes): (f32, &Value)) -> Result<Value, png::PngError> {
    let (values, mut mark, more) = match &series.shape {
        Shape::Lines { lines, colour, width, dashes } => {
            let (colour, opacity) = apart(*colour);
            let mut mark =
                json!({"type": "line", "stroke": colour, "strokeOpacity": opacity, "strokeWidth": width * scale});
            if let Some(lengths) = dashes {
                mark["strokeDash"] = json!(lengths.map(|length| length * scale));
            }
            (parts(lines), mark, Some(in_order()))
        }
        Shape::Areas { areas, colour } => {
            let (colour, opacity) = apart(*colour);
            let mark = json!({"type": "line", "fill": colour, "fillOpacity": opacity, "strokeWidth": 0});
            (parts(areas), mark, Some(in_order()))
        }
        Shape::Dots { points, colour, size, marker } => {
            let (colour, opacity) = apart(*colour);
            let shape = match marker {
                Marker::Circle => "circle",
                Marker::Square => "square",
                Marker::Diamond => "diamond",
                Marker::Up => "triangle-up",
                Marker::Down => "triangle-down",
            };
            let area =
                (size * scale).powi(2) * if *marker == Marker::Circle { std::f32::consts::FRAC_PI_4 } else { 1.0 };
            let mark = json!({"type": "point", "filled": true, "shape": shape, "fill": colour, "fillOpacity": opacity, "strokeWidth": 0, "size": area});
            let points = points.iter().map(|[x, y]| json!({"x": rounded(*x), "y": rounded(*y)}));
            (points.collect(), mark, None)
        }
        Shape::Text { at: [x, y], anchor, text, colour, size, .. } => {
            let (colour, opacity) = apart(*colour);
            let held = if *anchor < 0.25 {
                "left"
            } else if *anchor > 0.75 {
                "right"
            } else {
                "center"
            };
            let mark = json!({"type": "text", "text": text, "align": held, "baseline": "alphabetic", "fontSize": size * scale, "fill": colour, "fillOpacity": opacity});
            (vec![json!({"x": rounded(*x), "y": rounded(*y)})], mark, None)
        }
        Shape::Image { ends: [x, y], picture } => {
            let bytes = BASE64_STANDARD.encode(png::encode(picture, &[])?);
            let middle =
                |[from, to]: [f64; 2], log: bool| if log { (from * to).sqrt() } else { f64::midpoint(from, to) };
            let pixels = |[from, to]: [f64; 2], axis: &Axis, side: f32| {
                let place = |value: f64| if axis.log { value.log10() } else { value };
                let share = (place(to) - place(from)) / (place(axis.ends[1]) - place(axis.ends[0]));
                share * f64::from(side * scale)
            };
            let mark = json!({
                "type": "image", "aspect": false, "url": format!("data:image/png;base64,{bytes}"),
                "width": pixels(*x, &panel.x, panel.rect.width()), "height": pixels(*y, &panel.y, panel.rect.height()),
            });
            (vec![json!({"x": rounded(middle(*x, panel.x.log)), "y": rounded(middle(*y, panel.y.log))})], mark, None)
        }
    };
    mark["clip"] = Value::from(true);
    if let Some(name) = &series.name {
        // Names of layers would have to differ over all plots.
        mark["description"] = Value::from(name.as_str());
    }
    let mut encoding = axes.clone();
    if let (Some(more), Some(all)) = (more, encoding.as_object_mut()) {
        all.extend(more);
    }
    Ok(json!({"data": {"values": values}, "mark": mark, "encoding": encoding}))
}

/// Lines stay apart, and go through their points in their order.
fn in_order() -> Map<String, Value> {
    let channels = [("detail", json!({"field": "part"})), ("order", json!({"field": "index"}))];
    channels.into_iter().map(|(name, channel)| (name.to_owned(), channel)).collect()
}

fn parts(lines: &[Vec<[f64; 2]>]) -> Vec<Value> {
    let of_line = |(part, line): (usize, &Vec<[f64; 2]>)| {
        let point = move |(index, at): (usize, &[f64; 2])| json!({"x": rounded(at[0]), "y": rounded(at[1]), "part": part, "index": index});
        line.iter().enumerate().map(point).collect::<Vec<_>>()
    };
    lines.iter().enumerate().flat_map(of_line).collect()
}

/// A number with at most seven digits; none where it is not finite.
fn rounded(value: f64) -> Value {
    super::short(value).parse::<f64>().ok().and_then(serde_json::Number::from_f64).map_or(Value::Null, |number| {
        // Whole numbers as JavaScript writes them.
        let whole = number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 1e15);
        whole.map_or(Value::Number(number), |whole| Value::from(whole as i64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_as_many_columns_as_have_space() {
        assert_eq!(columns(&["a", "b", "c"], 10.0, 400.0), 3);
        let long = "stable up to 2/λ = 0.06 at the mode";
        assert_eq!(columns(&["a", long], 10.0, 400.0), 1);
        assert_eq!(columns(&["a", long], 10.0, 100.0), 1);
    }
}
