//! Tests of figures for documents and other programs: each format reopens, says what it shows, and names no hidden target.

use std::path::Path;

use sampler_lab::draw::sheet::{
    Description, Dimensions, ExportOptions, Extras, Format, Picture, described, file, files,
};
use sampler_lab::scenario::{Scenario, read};
use sampler_lab::session::Session;

use super::cli::{assert_drawn, call, folder_with};

const TWO_RUNS: &str = "format = 1\ntitle = \"A & B: 50 %\"\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A_1\"\nmethod = \"sgld\"\n\
    steps = 300\nchains = 2\nstep_size = { kind = \"constant\", value = 0.1 }\n[[run]]\nname = \"B\"\nmethod = \"mala\"\nsteps = 300\nstep_size = { kind = \"constant\", value = 0.2 }\n[view]\n\
    draws = \"points\"\n";

/// Those that are source for other programs.
const SOURCES: [Format; 4] = [Format::Pgf, Format::Typst, Format::Python, Format::VegaLite];

fn scenario(text: &str) -> Scenario {
    read(text, "test", Path::new(".")).unwrap()
}

/// The session of a scenario at its end.
fn ended(scenario: Scenario) -> Session {
    let mut session = Session::new(scenario).unwrap();
    session.advance(u64::MAX);
    while session.refresh_measures() {}
    session
}

fn options(picture: Picture) -> ExportOptions {
    let mut options = ExportOptions { size: Dimensions::of_points([700.0, 500.0], 1.0), ..ExportOptions::default() };
    options.choose(picture, None);
    options
}

#[test]
fn every_format_carries_the_scenario_and_has_the_same_bytes_again() {
    let folder = folder_with("a.toml", TWO_RUNS);
    for format in Format::STILL {
        let name = format!("a.{}", format.extension());
        assert_drawn(&call(&folder, &["render", "a.toml", "--size", "500x400", "--out", &name]));
        let again = format!("b/a.{}", format.extension());
        std::fs::create_dir_all(folder.path().join("b")).unwrap();
        assert_drawn(&call(&folder, &["render", &name, "--size", "500x400", "--out", &again]));
        let [one, other] = [&name, &again].map(|name| std::fs::read(folder.path().join(name)).unwrap());
        assert!(one == other, "{name}");
    }
    let beside = std::fs::read(folder.path().join("a.npz")).unwrap();
    assert!(beside.starts_with(b"PK") && beside == std::fs::read(folder.path().join("b/a.npz")).unwrap());
}

#[test]
fn a_caption_says_what_is_shown_with_keys_of_sources() {
    let folder = folder_with("a.toml", TWO_RUNS);
    assert_drawn(&call(&folder, &["render", "a.toml", "--size", "500x400", "--caption", "--out", "a.pdf"]));
    let caption = std::fs::read_to_string(folder.path().join("a.pdf.caption.txt")).unwrap();
    let (_, cited, _) = call(&folder, &["cite", "a.toml"]);
    let latex = caption.lines().find(|line| line.starts_with("\\caption{")).unwrap();
    for part in [
        r"A\_1: SGLD of~\cite{welling2011} with 2 chains of 300 steps, constant step size $\alpha$ = 0.1.",
        "Seed 42.",
        r"\cite{samplerlab2026}",
    ] {
        assert!(latex.contains(part), "{part}: {latex}");
    }
    for key in latex.split(r"\cite{").skip(1).flat_map(|rest| rest.split('}').next().unwrap().split(',')) {
        assert!(cited.contains(&format!("{{{key},")), "{key} is not in cite: {cited}");
    }
    // The short form says what is shown, methods and seed.
    let short = caption.split("\nShort\n").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    assert!(short.starts_with("Draws of A_1 (SGLD [welling2011]) and B ("), "{short}");
    assert!(short.contains(" on the target Gaussian") && short.ends_with(". Seed 42."), "{short}");
    assert_eq!(short.matches("A_1").count(), 1, "{short}");
    assert!(short.len() < caption.lines().nth(3).unwrap().len() / 2, "{short}");
    let depth = latex.chars().fold(0_i32, |depth, letter| depth + i32::from(letter == '{') - i32::from(letter == '}'));
    assert_eq!(depth, 0, "{latex}");
    // It is written anew, and no file of others is replaced.
    assert_eq!(call(&folder, &["render", "a.toml", "--size", "500x400", "--caption", "--out", "a.pdf"]).0, 0);
    std::fs::write(folder.path().join("a.pdf.caption.txt"), "my own words").unwrap();
    let (code, _, err) = call(&folder, &["render", "a.toml", "--size", "500x400", "--caption", "--out", "a.pdf"]);
    assert!(code == 2 && err.contains("a.pdf.caption.txt is no caption made by this program"), "{code}: {err}");
}

#[test]
fn what_is_wrong_and_how_good_the_draws_are_is_told() {
    let far = TWO_RUNS.replace("value = 0.1", "value = 40.0");
    let [good, bad] = [TWO_RUNS, &far].map(|text| {
        let session = ended(scenario(text));
        let frame = session.frame();
        described(&frame, &options(Picture::Sheet), &Extras::of(frame.scenario.view.clone())).unwrap()
    });
    let Description { alt, caption: good, .. } = good;
    let parts = [
        "Draws of A_1 and B on the target Gaussian",
        "Mean error",
        "In brackets: what as many exact draws have on average.",
        "Seed 42.",
        concat!("Made with Sampler Lab ", env!("CARGO_PKG_VERSION")),
    ];
    for part in parts {
        assert!(good.contains(part), "{part}: {good}");
    }
    assert!(!good.contains("left the target"), "{good}");
    for text in [&bad.caption, &bad.alt] {
        assert!(text.contains("A_1: Both chains left the target"), "{text}");
    }
    // Those who do not see the figure hear first what is seen in it, and no more than they can listen to.
    assert!(alt.starts_with("Canvases with the draws of A_1 and B"), "{alt}");
    for part in ["of the draws of A_1 are at ", "The step size of B stays at 0.2."] {
        assert!(alt.contains(part), "{part}: {alt}");
    }
    assert!([&alt, &bad.alt].iter().all(|text| text.chars().count() < 700), "{alt}\n{}", bad.alt);
}

#[test]
fn a_hidden_target_is_named_in_no_format_and_in_no_words() {
    let mut hidden = scenario(TWO_RUNS);
    hidden.view.truth = Some(false);
    let kind = hidden.target.kind;
    let session = ended(hidden.clone());
    let (frame, extras, options) = (session.frame(), Extras::of(hidden.view), options(Picture::Sheet));
    for format in Format::STILL.into_iter().filter(|format| *format != Format::Png && *format != Format::Pdf) {
        let made = String::from_utf8(file(&frame, &options, &extras, format).unwrap()).unwrap();
        let named = [kind.label.to_owned(), format!("\"{}\"", kind.name), "Mean error".to_owned()];
        assert!(named.iter().all(|name| !made.contains(name)), "{}", format.label());
        assert!(made.contains("Target hidden"), "{}", format.label());
    }
    let words = described(&frame, &options, &extras).unwrap();
    for text in [&words.alt, &words.caption, &words.latex, &words.short, &words.short_latex, &words.title] {
        assert!(!text.contains(kind.label), "{text}");
    }
}

/// Challenges ask for measures: what nobody sees in the picture is not told beside it.
#[test]
fn what_is_asked_is_not_answered_by_the_words() {
    let lesson = sampler_lab::scenario::LESSONS.iter().find(|lesson| lesson.text.contains("[[challenge]]")).unwrap();
    let session = ended(lesson.scenario().unwrap());
    let frame = session.frame();
    let extras = Extras::of(frame.scenario.view.clone());
    let words = described(&frame, &options(Picture::Canvas(0)), &extras).unwrap();
    for measure in ["R\u{302}", "R-hat", "ESS", "Mean error", "TV"] {
        assert!(!words.alt.contains(measure) && !words.caption.contains(measure), "{measure}: {}", words.alt);
    }
}

/// The values of the plots: those of the run, not of the screen.
#[test]
fn plots_for_other_programs_have_the_values_of_the_run() {
    let session = ended(scenario(TWO_RUNS));
    let (frame, extras) = (session.frame(), Extras::of(scenario(TWO_RUNS).view));
    let text = file(&frame, &options(Picture::Canvas(0)), &extras, Format::VegaLite).unwrap();
    let whole: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let plot = &whole["vconcat"][0]["hconcat"][0];
    let layers = plot["layer"].as_array().unwrap();
    let named = |name: &str| layers.iter().filter(|layer| layer["mark"]["description"] == name).collect::<Vec<_>>();
    let draws = named("draws of A_1");
    let found: Vec<[f64; 2]> = draws
        .iter()
        .flat_map(|layer| layer["data"]["values"].as_array().unwrap())
        .map(|at| ["x", "y"].map(|axis| at[axis].as_f64().unwrap()))
        .collect();
    let run = &frame.runs[0];
    assert_eq!(found.len() as u64, run.collected);
    let history = &run.history;
    let mut far = 0.0_f64;
    for row in 0..history.rows() {
        for chain in 0..history.chains() {
            if !run.collects(history.step(row)) {
                continue;
            }
            let at = history.position(row, chain).unwrap();
            let nearest = found.iter().map(|[x, y]| (x - at.x).hypot(y - at.y)).fold(f64::INFINITY, f64::min);
            far = far.max(nearest);
        }
    }
    assert!(far < 1e-5, "a draw is {far} from the nearest one that is told");
    assert!(!named("density of the target").is_empty(), "contours are series");
    let axis = &layers[0]["encoding"]["x"];
    assert_eq!(
        (axis["scale"]["type"].as_str(), axis["title"].as_str()),
        (Some("linear"), Some(frame.target.axis_labels()[0]))
    );
    let ticks: Vec<f64> =
        axis["axis"]["values"].as_array().unwrap().iter().map(|tick| tick.as_f64().unwrap()).collect();
    assert!(ticks.len() > 1 && ticks.iter().all(|tick| (2.0 * tick).fract() == 0.0), "round numbers: {ticks:?}");
}

/// Of a logarithmic axis, values are those of the quantity.
#[test]
fn logarithmic_axes_are_told() {
    let session = ended(scenario(
        &TWO_RUNS
            .replace("kind = \"constant\", value = 0.1", "kind = \"polynomial\", a = 0.5, b = 1.0")
            .replace("draws = \"points\"", "tab = \"schedule\"\noptions = { log = true }"),
    ));
    let frame = session.frame();
    let tab = sampler_lab::draw::views::tab("schedule").unwrap();
    let extras = Extras::of(frame.scenario.view.clone());
    let text = file(&frame, &options(Picture::Plot(tab)), &extras, Format::VegaLite).unwrap();
    let whole: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let layers = whole["vconcat"][0]["hconcat"][0]["layer"].as_array().unwrap();
    let scale = &layers[0]["encoding"]["y"]["scale"];
    assert_eq!(scale["type"], "log", "{scale}");
    let values = layers
        .iter()
        .filter(|layer| layer["mark"]["description"] == "A_1")
        .flat_map(|layer| layer["data"]["values"].as_array().unwrap());
    let steps: Vec<[f64; 2]> = values.map(|at| ["x", "y"].map(|axis| at[axis].as_f64().unwrap())).collect();
    let plan = &frame.runs[0].plan;
    for [step, alpha] in steps.iter().filter(|[step, _]| *step > 5.0 && *step < 290.0) {
        let exact = plan.step_size(u64::try_from(step.round() as i64).unwrap());
        assert!((alpha / exact - 1.0).abs() < 0.02, "step {step}: {alpha} in the place of {exact}");
    }
    assert!(steps.len() > 10);
}

#[test]
fn nothing_in_a_source_is_read_as_markup() {
    let session = ended(scenario(TWO_RUNS));
    let frame = session.frame();
    let extras = Extras::of(frame.scenario.view.clone());
    for format in SOURCES {
        let made = files(&frame, &options(Picture::Sheet), &extras, (format, "a")).unwrap();
        let text = String::from_utf8(made.0.file).unwrap();
        match format {
            Format::Pgf => assert!(text.contains(r"A \& B: 50 \%") && text.contains(r"A\_1: SGLD"), "{text}"),
            Format::Typst => assert!(text.contains("A & B: 50 %")),
            Format::Python => assert!(text.contains("A_1\"") && made.0.beside.len() == 1),
            _ => assert!(text.contains("A & B: 50 %")),
        }
    }
}

/// Ticks are exactly where the figure has them, also those that are called by words, and on a logarithmic axis.
#[test]
fn own_ticks_are_the_same_in_other_programs() {
    let figure = "[figure]\npanels = \"schedule | trace\"\n";
    let axis = |ticks: &str| format!("axis = [{{ panel = 1, axis = \"y\", ticks = {ticks:?} }}]\n");
    let log = "tab = \"schedule\"\noptions = { log = true }\n";
    for (view, ticks, expected) in [
        ("", r"0, 0.0813 = \alpha_{min}, 0.2 = \alpha_0", "ax.set_yticks([0, 0.0813, 0.2], [\"0\", \"αₘᵢₙ\", \"α₀\"]"),
        (
            log,
            r"0.0001 = low, 0.0123 = \alpha_1, 0.1",
            "ax.set_yticks([0.0001, 0.0123, 0.1], [\"low\", \"α₁\", \"10⁻¹\"]",
        ),
    ] {
        let scenario = scenario(&format!("{TWO_RUNS}{view}{figure}{}", axis(ticks)));
        let extras = Extras::of(scenario.view.clone());
        let mut options = options(Picture::Panels);
        options.size = Dimensions::of_points([900.0, 420.0], 1.0);
        let session = ended(scenario);
        let script = String::from_utf8(file(&session.frame(), &options, &extras, Format::Python).unwrap()).unwrap();
        let found: Vec<&str> =
            script.lines().filter(|line| line.contains("set_ytick") && !line.contains("minor=True")).collect();
        assert!(found[0].starts_with(expected), "{found:?}");
        assert_eq!(script.contains("ax.set_yscale(\"log\")"), !view.is_empty());
        assert!(script.contains("Not redrawn: "), "{script}");
    }
}

/// For Vega-Lite plots of several runs have a legend, panels their short names, and figures only the title that they show.
#[test]
fn vega_lite_has_legends_and_no_title_of_its_own() {
    let scenario = scenario(&format!("{TWO_RUNS}[figure]\npanels = \"canvas A_1 | trace\"\n"));
    let extras = Extras::of(scenario.view.clone());
    let mut options = options(Picture::Panels);
    options.size = Dimensions::of_points([900.0, 420.0], 1.0);
    let session = ended(scenario);
    let made = |options: &ExportOptions| {
        let text = file(&session.frame(), options, &extras, Format::VegaLite).unwrap();
        serde_json::from_slice::<serde_json::Value>(&text).unwrap()
    };
    let whole = made(&options);
    assert!(whole.get("title").is_none(), "{}", whole["title"]);
    let plots = whole["vconcat"][0]["hconcat"].as_array().unwrap();
    assert_eq!(plots[0]["title"]["text"], "(a) A_1");
    let legends = plots[1]["layer"].as_array().unwrap().iter().filter_map(|layer| layer["encoding"].get("color"));
    let names: Vec<&serde_json::Value> = legends.map(|colour| &colour["scale"]["domain"]).collect();
    assert_eq!(names, [&serde_json::json!(["A_1", "B"])]);
    options.parts.title = true;
    assert_eq!(made(&options)["title"], "A & B: 50 %");
}
