//! Tests of the layout of figures, at random: scenarios, pictures, sizes from 40 mm to A0, text from 6 to 40 points, venues, looks and titles in several
//! scripts. No text is cut or over another one, axes have their ticks and names or say why not, and every draw is counted.
//! `ROUNDS=2000 cargo test -p sampler-draw --lib sheet::properties` makes as many, `FIRST` begins at another one.

use std::path::Path;
use std::sync::Arc;

use egui::{Rect, pos2};

use super::*;
use crate::views::TABS;
use base::math::{Purpose, Stream};
use base::params::{ParamType, Settings, Value};
use engine::scenario::figures::{FIGURE, VENUES, row_count};
use engine::scenario::{ViewSpec, read};
use engine::session::Session;
use figure::TextBox;

/// Scenarios without titles: targets of one and of several dimensions, with weights, samplers and fits.
const SCENARIOS: [&str; 6] = [
    "[target]\nkind = \"three-modes\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\nsteps = 60\nchains = 2\n\
     [[run]]\nname = \"cyclical SGLD\"\nmethod = \"csgld\"\nsteps = 60\nstep_size = { kind = \"cyclical\", cycles = 3 }\n",
    "[target]\nkind = \"gaussian\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\nsteps = 80\nchains = 3\n\
     gradient = { kind = \"noisy\", variance = 60.0 }\n",
    "[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"hmc\"\nsteps = 40\n[[run]]\nname = \"B\"\nmethod = \"svi\"\nsteps = 40\n\
     [[run]]\nname = \"C\"\nmethod = \"mala\"\nsteps = 40\n",
    "[target]\nkind = \"beta-posterior\"\n[[run]]\nname = \"MALA\"\nmethod = \"mala\"\nsteps = 60\n",
    "[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"a long name of a run, with its settings\"\nmethod = \"sgld\"\nsteps = 50\n\
     [[run]]\nname = \"SGHMC\"\nmethod = \"sghmc\"\nsteps = 50\n[[run]]\nname = \"third\"\nmethod = \"psgld\"\nsteps = 50\n\
     [[run]]\nname = \"fourth\"\nmethod = \"sgld\"\nsteps = 50\n",
    "[target]\nkind = \"formula\"\ndensity = \"-(x^2 - 1)^2 * 200 - 1000 * y^2\"\n[[run]]\nname = \"tiny\"\nmethod = \"sgld\"\nsteps = 50\n",
];

const TITLES: [&str; 6] = [
    "",
    "Two runs",
    "사후분포의 봉우리를 모두 방문한다",
    "Стохастическая градиентная динамика Ланжевена",
    "Zyklische Schrittweitensteuerung bei stochastischen Gradientenverfahren mit mehrgipfligen Zielverteilungen",
    "随机梯度朗之万动力学：后验分布的每个峰都被访问",
];

/// A case, of which all follows from its number.
struct Case {
    words: String,
    frame: Arc<Frame>,
    options: ExportOptions,
    extras: Extras,
}

struct Die(Stream);

impl Die {
    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.0.below(u32::try_from(most).unwrap())).unwrap()
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A number between two others, in equal ratios.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        let share = self.below(10_001) as f64 / 10_000.0;
        low * (high / low).powf(share)
    }
}

fn case(number: u64, frames: &[Arc<Frame>]) -> Option<Case> {
    let mut die = Die(Stream::derive(41, Purpose::Start, number, 0));
    let which = die.below(SCENARIOS.len());
    let title = die.of(&TITLES);
    let mut frame = frames[which].as_ref().clone();
    let mut scenario = frame.scenario.as_ref().clone();
    title.clone_into(&mut scenario.title);
    let figure = (die.below(3) > 0).then(|| look(&mut die, &frame));
    let view = ViewSpec { figure: figure.clone(), ..ViewSpec::default() };
    scenario.view = view.clone();
    frame.scenario = Arc::new(scenario);
    let tabs: Vec<_> = TABS.into_iter().filter(|tab| (tab.applies)(&frame)).collect();
    let picture = match die.below(6) {
        0 => Picture::Sheet,
        1 => Picture::Canvas(die.below(frame.runs.len())),
        2 => Picture::Plot(tabs[die.below(tabs.len())]),
        3 => Picture::Readout,
        _ => Picture::Panels,
    };
    let size = if die.below(2) == 0 {
        let rows = if picture == Picture::Panels { row_count(figure.as_ref()) } else { 1 };
        Dimensions::of_venue(&VENUES[die.below(VENUES.len())], rows)
    } else {
        let width = die.between(40.0, 841.0);
        // Pages are up to two and a half times as high as wide, or as wide as high.
        let sides = [width, (width * die.between(0.4, 2.5)).clamp(40.0, 1189.0)];
        Dimensions { sides, unit: Unit::Millimetres, dpi: 72.0, text: die.between(6.0, 40.0) }
    };
    let size = Dimensions { dpi: 72.0, ..size };
    size.figure().ok()?;
    let parts = Parts { footer: die.below(2) == 0, title: die.below(2) == 0, ..Parts::of(picture) };
    let options = ExportOptions { picture, size, parts, ..ExportOptions::default() };
    let words = format!(
        "FIRST={number}: scenario {which}, {picture:?}, {size}, text {}, title {title:?}, {}",
        size.text,
        figure.map_or_else(String::new, |figure| format!(
            "{:?}",
            figure.iter().map(|(k, v)| (k.key, v)).collect::<Vec<_>>()
        ))
    );
    Some(Case { words, frame: Arc::new(frame), options, extras: Extras::of(view) })
}

/// A look at random.
fn look(die: &mut Die, frame: &Frame) -> Settings {
    let mut figure = Settings::defaults(&FIGURE);
    for key in ["typeface", "letters", "palette", "spines", "legend"] {
        let ParamType::Choice(choices) = FIGURE.param(key).unwrap().ty else { panic!("{key} is no choice") };
        figure.set(key, Value::Choice(choices[die.below(choices.len())].name)).unwrap();
    }
    for key in ["share", "grid", "cursor", "outside", "details", "stability", "warnings"] {
        figure.set(key, Value::Flag(die.below(2) == 0)).unwrap();
    }
    let names = ["x", r"\log p(\theta_1 | x)", r"\beta_{age}", "eine sehr lange Bezeichnung der waagerechten Achse"];
    for key in ["x", "y"] {
        if die.below(2) == 0 {
            figure.set(key, Value::Text(die.of(&names).to_owned())).unwrap();
        }
    }
    let run = format!("canvas {}", frame.runs[die.below(frame.runs.len())].plan.name);
    let panels = [
        format!("{run} | {run} ; schedule"),
        "overlay | readout ; trace".to_owned(),
        format!("schedule ; trace ; {run}"),
        format!("{run} | trace"),
        "2* overlay ; schedule".to_owned(),
        "noise | truth".to_owned(),
    ];
    figure.set("panels", Value::Text(panels[die.below(panels.len())].clone())).unwrap();
    if die.below(2) == 0 {
        let ParamType::List(kind) = FIGURE.param("axis").unwrap().ty else { panic!("a list of axes") };
        let mut axis = Settings::defaults(kind);
        axis.set("axis", Value::Choice(["x", "y"][die.below(2)])).unwrap();
        axis.set("name", Value::Text(die.of(&names[1..]).to_owned())).unwrap();
        figure.set("axis", Value::List(vec![axis])).unwrap();
    }
    figure
}

/// The text of notes that have places of their own.
const PLACED: &str = "set here";

/// Adds notes with places and without, limits, shared axes and one legend to the figure of a case, by numbers of their own. `spots` are its plots.
fn amended(case: &Case, number: u64, spots: &[Spot]) -> Settings {
    let mut die = Die(Stream::derive(42, Purpose::Start, number, 0));
    let mut figure = case.extras.view.figure.clone().unwrap_or_else(|| Settings::defaults(&FIGURE));
    for key in ["share_x", "strip", "variance", "floors", "contours", "modes"] {
        figure.set(key, Value::Flag(die.below(2) == 0)).unwrap();
    }
    if die.below(3) == 0 {
        figure.set("legend", Value::Choice("once")).unwrap();
    }
    if spots.is_empty() {
        return figure;
    }
    let entry = |key: &str, values: &[(&str, Value)]| {
        let ParamType::List(kind) = FIGURE.param(key).unwrap().ty else { panic!("{key} is no list") };
        let mut entry = Settings::defaults(kind);
        values.iter().for_each(|(key, value)| entry.set(key, value.clone()).unwrap());
        entry
    };
    let panel = |spot: &Spot| ("panel", Value::Number(spot.panel as f64 + 1.0));
    // Before the limits, which are of other plots.
    let limited = spots[die.below(spots.len())];
    if die.below(2) == 0 {
        let axis = die.below(2);
        let place = |share: f64| limited.min[axis] + share * (limited.max[axis] - limited.min[axis]);
        let ends = [die.of(&[-0.5, 0.0, 0.2]), die.of(&[0.55, 1.0, 1.6])].map(place);
        let ends = if limited.log[axis] { ends.map(|end| 10f64.powf(end)) } else { ends };
        let values = [panel(&limited), ("axis", Value::Choice(["x", "y"][axis])), ("limits", Value::Pair(ends))];
        figure.set("axis", Value::List([figure.list("axis"), &[entry("axis", &values)]].concat())).unwrap();
    }
    let mut notes = Vec::new();
    for _ in 0..1 + die.below(3) {
        let spot = spots[die.below(spots.len())];
        let mut inside = || {
            let [x, y] = [0, 1].map(|_| die.below(100) as f32 / 100.0);
            Value::Pair(spot.numbers(spot.area.lerp_inside(egui::vec2(x, y))))
        };
        let (at, to) = (inside(), inside());
        let mut values = vec![panel(&spot)];
        if die.below(3) == 0 {
            values.extend([("text", Value::Text(PLACED.to_owned())), ("at", at)]);
        } else {
            let words = ["the mode", "a remark on what can be seen here", "x"];
            values.push(("text", Value::Text(die.of(&words).to_owned())));
        }
        values.extend((die.below(3) > 0).then_some(("arrow", to)));
        notes.push(entry("note", &values));
    }
    figure.set("note", Value::List(notes)).unwrap();
    figure
}

fn tells(told: &Told, words: &str) -> bool {
    told.warnings.iter().any(|sentence| sentence.contains(words))
}

/// What is wrong with the texts of a page.
fn faults(texts: &[TextBox], page: Rect, told: &Told) -> Vec<String> {
    let mut faults = Vec::new();
    let seen = |text: &&TextBox| text.clip.intersects(text.rect) && text.rect.width() > 0.0;
    let texts: Vec<&TextBox> = texts.iter().filter(seen).collect();
    for text in &texts {
        let is_told = text.text == PLACED && tells(told, "larger than");
        let whole = is_told || text.clip.expand(0.5).contains_rect(text.rect);
        // Half a point is rounding.
        if !page.expand(0.5).contains_rect(text.rect) {
            faults.push(format!("{:?} is cut by the page: {:?}", text.text, text.rect));
        } else if !whole {
            faults.push(format!("{:?} at {:?} is cut at {:?}", text.text, text.rect, text.clip));
        }
    }
    for (number, one) in texts.iter().enumerate() {
        for other in &texts[..number] {
            let both = one.rect.intersect(other.rect);
            let same = one.text == other.text && one.rect.center().distance(other.rect.center()) < 1.5;
            // Who places a note says what it may cover.
            let placed = [one, other].iter().any(|text| text.text == PLACED);
            // Boxes have a rim around their glyphs; a quarter of the smallest text is no more than that.
            if both.is_positive() && both.width().min(both.height()) > 3.5 && !same && !placed {
                faults.push(format!("{:?} is over {:?} by {:?}", one.text, other.text, both.size()));
            }
        }
    }
    for spot in &told.spots {
        faults.extend(axis_faults(&texts, spot, told));
    }
    faults
}

/// A plot with fewer than two labelled ticks along an axis.
fn axis_faults(texts: &[&TextBox], spot: &Spot, told: &Told) -> Vec<String> {
    let area = spot.area;
    let number = |text: &&&TextBox| {
        let plain = text.text.trim().replace(['−', '\u{202f}', '\u{2009}', ' '], "");
        plain.starts_with(|first: char| first.is_ascii_digit() || first == '.')
    };
    let below =
        Rect::from_min_max(area.left_bottom() - egui::vec2(30.0, 1.0), area.right_bottom() + egui::vec2(30.0, 20.0));
    let beside =
        Rect::from_min_max(pos2(area.left() - 80.0, area.top() - 10.0), area.left_bottom() + egui::vec2(2.0, 10.0));
    let count = |part: Rect| texts.iter().filter(number).filter(|text| part.contains_rect(text.rect)).count();
    let mut faults = Vec::new();
    let sides = [("horizontal", below, area.width()), ("vertical", beside, area.height())];
    for ((name, part, side), _) in sides.into_iter().zip(spot.labelled).filter(|(_, labelled)| *labelled) {
        let told = told.warnings.iter().any(|sentence| sentence.contains(&format!("{name} axis")));
        if count(part) < 2 && !told && side > 0.0 {
            faults.push(format!(
                "panel {} has {} ticks along its {name} axis of {side} points",
                spot.panel + 1,
                count(part)
            ));
        }
    }
    faults
}

fn frames() -> Vec<Arc<Frame>> {
    let frame = |text: &&str| {
        let text = format!("format = 1\ntitle = \"t\"\nseed = 3\n{text}");
        let mut session = Session::new(read(&text, "t", Path::new("")).unwrap_or_else(|e| panic!("{e}"))).unwrap();
        session.advance(u64::MAX);
        measuring::measure(&mut session, [Picture::Sheet]);
        session.frame()
    };
    SCENARIOS.iter().map(frame).map(Arc::new).collect()
}

#[test]
fn texts_of_figures_are_whole_and_apart() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, rounds) = (number("FIRST").unwrap_or(0), number("ROUNDS").unwrap_or(130));
    let frames = frames();
    let mut wrong = Vec::new();
    for Case { words, frame, options, extras } in (first..first + rounds).filter_map(|number| case(number, &frames)) {
        let (layout, told) = lay_out(&frame, &options, &extras, Format::Png).unwrap();
        let page = Rect::from_min_size(pos2(0.0, 0.0), layout.points());
        let faults = faults(&layout.texts(), page, &told);
        if !faults.is_empty() {
            wrong.push(format!("{words}\n    {}", faults.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {rounds} figures:\n{}", wrong.len(), wrong.join("\n"));
}

/// The same with notes, limits, shared axes and one legend; in some figures all formats are written, of the same layout.
#[test]
fn texts_of_figures_with_notes_and_limits_are_whole_and_apart() {
    const FORMATS: [Format; 7] =
        [Format::Svg, Format::Pdf, Format::Pgf, Format::Typst, Format::Python, Format::VegaLite, Format::Apng];
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, rounds) = (number("FIRST").unwrap_or(0), number("ROUNDS").unwrap_or(60));
    let frames = frames();
    let (mut wrong, mut placed) = (Vec::new(), 0);
    for number in first..first + rounds {
        let Some(mut case) = case(number, &frames).filter(|case| case.options.picture == Picture::Panels) else {
            continue;
        };
        let (_, told) = lay_out(&case.frame, &case.options, &case.extras, Format::Png).unwrap();
        let figure = amended(&case, number, &told.spots);
        let words = format!("{}, {:?}", case.words, figure.iter().map(|(k, v)| (k.key, v)).collect::<Vec<_>>());
        case.extras = Extras::of(ViewSpec { figure: Some(figure), ..case.extras.view.clone() });
        let (layout, told) = lay_out(&case.frame, &case.options, &case.extras, Format::Png).unwrap();
        placed += told.placed.len();
        let page = Rect::from_min_size(pos2(0.0, 0.0), layout.points());
        let mut faults = faults(&layout.texts(), page, &told);
        for format in FORMATS.into_iter().filter(|_| number.is_multiple_of(12)) {
            let (_, of_format) = lay_out(&case.frame, &case.options, &case.extras, format).unwrap();
            if of_format.placed != told.placed {
                faults.push(format!("{format:?} has notes at {:?}, not {:?}", of_format.placed, told.placed));
            }
            let written = files(&case.frame, &case.options, &case.extras, (format, "figure"));
            let refused = |error: &DrawError| matches!(error, DrawError::Nothing(_)) && tells(&told, "too small");
            let error = written.err().filter(|error| !refused(error));
            faults.extend(error.map(|error| format!("{format:?}: {error}")));
        }
        if !faults.is_empty() {
            wrong.push(format!("{words}\n    {}", faults.join("\n    ")));
        }
    }
    assert!(wrong.is_empty(), "{} of {rounds} figures:\n{}", wrong.len(), wrong.join("\n"));
    assert!(placed > 0 || rounds < 60, "no figure has placed a note");
}
