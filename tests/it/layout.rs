//! Tests of the window's layout, without a graphics card: how much of the window the canvases get, and that no text touches
//! another, is cut, or is outside the window. A sample of the lessons by default; all of them with `LAYOUT=all`.

use egui::accesskit::Role;
use egui::epaint::{ClippedShape, TextShape};
use egui::{Key, Rect, Shape, Vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{By, Queryable};
use sampler_lab::app::App;
use sampler_lab::scenario::{Caption, LESSONS, Lesson, LessonPath, PATHS, Scenario, read};

use super::app::{click, wait_until};

type Window = Harness<'static, App>;

/// Sizes of windows in points, with pixels per point and the least share of the canvases.
const SIZES: [(f32, f32, f32, f32); 7] = [
    (1024.0, 768.0, 1.0, 0.45),
    (1366.0, 768.0, 1.0, 0.40),
    (1440.0, 900.0, 1.0, 0.44),
    (1920.0, 1080.0, 1.0, 0.49),
    (2560.0, 1440.0, 1.0, 0.5),
    (1920.0, 1080.0, 2.0, 0.49),
    // A screen of 1024 × 768 pixels with text at 130 %.
    (787.0, 590.0, 1.3, 0.45),
];

/// Windows in which every lesson shows its words and its plot when it opens.
const SCREENS: [(f32, f32, f32, f32); 3] = [SIZES[0], SIZES[1], SIZES[3]];

/// Least height of a plot, in points.
const LEAST_PLOT: f32 = 140.0;

/// Height in which the tabs and the options of the open one have one line above the plot, in points.
const ONE_LINE: f32 = 40.0;

/// Least share of the canvases with panels folded, and while presenting, when what is asked stands above them.
const FOLDED: f32 = 0.7;
const PRESENTING: f32 = 0.67;

/// The same where the plot stands below them, since the question is about it.
const PRESENTING_PLOT: f32 = 0.25;

/// The button of a lesson that goes on below what is in sight.
const READ_ON: &str = "Read on";

/// Frames until panels and plots have their places.
const FRAMES: usize = 4;

/// Every so many-th lesson is in the sample.
const SAMPLE: usize = 4;

fn window(scenario: Scenario) -> Window {
    let builder = Harness::builder().with_size(Vec2::new(1366.0, 768.0)).with_max_steps(64);
    builder.build_eframe(move |cc| App::new(cc, scenario, None).unwrap())
}

fn resize(window: &mut Window, (width, height, pixels, _): (f32, f32, f32, f32)) {
    // Another number of pixels per point takes effect in the next frame, with another size of its own.
    window.set_pixels_per_point(pixels);
    window.run_steps(1);
    window.set_size(Vec2::new(width, height));
    window.run_steps(FRAMES);
    assert_eq!(window.ctx.content_rect().size(), Vec2::new(width, height));
}

/// A text as it was painted.
#[derive(Clone, Debug)]
struct Text {
    words: String,
    /// Where its ink is.
    rect: Rect,
    /// The part of the window that it may cover.
    clip: Rect,
}

impl Text {
    /// What can be seen of it.
    fn visible(&self) -> Rect {
        self.rect.intersect(self.clip)
    }
}

/// The words of all texts of the last frame.
pub fn words(window: &Window) -> Vec<String> {
    texts(window).into_iter().map(|text| text.words).collect()
}

/// All texts of the last frame.
fn texts(window: &Window) -> Vec<Text> {
    let mut found = Vec::new();
    for ClippedShape { shape, clip_rect, .. } in &window.output().shapes {
        collect(shape, *clip_rect, &mut found);
    }
    found.retain(|text| text.visible().is_positive() && !text.words.trim().is_empty());
    found
}

fn collect(shape: &Shape, clip: Rect, found: &mut Vec<Text>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, clip, found)),
        Shape::Text(text) => found.push(Text { words: text.galley.text().to_owned(), rect: ink(text), clip }),
        _ => {}
    }
}

fn ink(text: &TextShape) -> Rect {
    text.visual_bounding_rect()
}

/// The canvases, and plots as large as they are beside them.
fn canvases(window: &Window) -> Vec<Rect> {
    let named = |words| window.query_all(By::new().role(Role::Image).label_contains(words));
    ["Canvas of", "Functions of", "Map of", "Topics"].into_iter().flat_map(named).map(|node| node.rect()).collect()
}

/// Checks the texts of a window, and the share of its canvases.
#[track_caller]
fn check(window: &Window, case: &str, least: f32) -> Vec<String> {
    let screen = window.ctx.content_rect();
    let canvases = canvases(window);
    let share = canvases.iter().map(Rect::area).sum::<f32>() / screen.area();
    let mut faults = Vec::new();
    if share < least {
        faults.push(format!(
            "{case}: the canvases have {:.1} % of the window: {canvases:?} of {screen:?}",
            100.0 * share
        ));
    }
    faults.extend(
        canvases
            .iter()
            .filter(|canvas| !screen.expand(0.5).contains_rect(**canvas))
            .map(|canvas| format!("{case}: a canvas at {canvas:?} is outside the window")),
    );
    let middle = canvases.iter().copied().reduce(Rect::union).unwrap_or(Rect::NOTHING);
    let texts = texts(window);
    for (number, text) in texts.iter().enumerate() {
        faults.extend(cut(text, screen, middle).map(|how| format!("{case}: {:?} is {how}: {text:?}", text.words)));
        for other in &texts[..number] {
            let common = text.visible().intersect(other.visible());
            if common.width() > 1.5 && common.height() > 2.5 {
                faults.push(format!("{case}: {:?} and {:?} overlap by {:?}", text.words, other.words, common));
            }
        }
    }
    faults
}

/// Whether a text is cut. Panels at the sides scroll: there a text may be cut at its top or bottom.
fn cut(text: &Text, screen: Rect, middle: Rect) -> Option<&'static str> {
    const ROUNDING: f32 = 1.0;
    let room = text.clip.intersect(screen).expand(ROUNDING);
    if text.rect.left() < room.left() || text.rect.right() > room.right() {
        return Some("cut at its side");
    }
    let scrolls = !middle.x_range().contains(text.rect.center().x);
    let upright = text.rect.top() < room.top() || text.rect.bottom() > room.bottom();
    (upright && !scrolls).then_some("cut at its top or bottom")
}

fn report(faults: &[String]) {
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn press(window: &mut Window, keys: &[Key]) {
    for key in keys {
        window.key_press(*key);
    }
    window.run_steps(FRAMES);
}

const PANELS: [Key; 3] = [Key::F2, Key::F3, Key::F4];

/// The names of the panels that are folded to strips.
fn folded(window: &Window) -> usize {
    window.query_all(By::new().role(Role::Button).label_contains("Unfold: ")).count()
}

#[test]
fn every_lesson_is_laid_out_well_in_every_window() {
    let all = std::env::var("LAYOUT").is_ok_and(|which| which == "all");
    let mut faults = Vec::new();
    for lesson in LESSONS.iter().step_by(if all { 1 } else { SAMPLE }) {
        let mut window = window(lesson.scenario().unwrap());
        window.run_steps(FRAMES);
        for size in SIZES {
            resize(&mut window, size);
            let (width, height, _, share) = size;
            let case = format!("{} at {width} × {height}", lesson.name);
            faults.extend(check(&window, &case, share));
            if width > 1300.0 {
                assert_eq!(folded(&window), 0, "{case}");
                press(&mut window, &PANELS);
                faults.extend(check(&window, &format!("{case}, folded"), FOLDED));
                press(&mut window, &PANELS);
                press(&mut window, &[Key::P]);
                let with_plot = !lesson.scenario().unwrap().view.present.is_empty();
                let least = if with_plot { PRESENTING_PLOT } else { PRESENTING };
                faults.extend(check(&window, &format!("{case}, presenting"), least));
                press(&mut window, &[Key::P]);
            }
        }
    }
    report(&faults);
}

/// What is wrong with words and plot of a lesson. What to watch is whole and begins in sight; what of it, of what to notice and of what to try
/// has no space is a click away; the way to the answer is in sight.
fn parts(window: &Window, case: &str, caption: &Caption) -> Vec<String> {
    let mut faults = Vec::new();
    let screen = window.ctx.content_rect();
    let texts = texts(window);
    let found = |words: &str| texts.iter().find(|text| text.words == words);
    let inside = |text: &Text| text.clip.intersect(screen).expand(1.0).contains_rect(text.rect);
    let watch = format!("Watch  {}", caption.watch);
    let rest = std::iter::once(format!("Notice  {}", caption.notice));
    let rest = rest.chain(caption.tries.iter().map(|text| format!("Try  {text}")));
    let all_in_sight = std::iter::once(watch.clone()).chain(rest).all(|words| found(&words).is_some_and(inside));
    let begins = found(&watch).is_some_and(|text| text.rect.top() >= text.clip.top());
    if !begins {
        faults.push(format!("{case}: what to watch is not whole, or does not begin in sight"));
    }
    if !all_in_sight && !found(READ_ON).is_some_and(inside) {
        faults.push(format!("{case}: some of the lesson is out of sight, and nothing says so"));
    }
    let asks = found("Reveal").is_some();
    if !asks && !found("Show the answer").is_some_and(inside) {
        faults.push(format!("{case}: the way to the answer is out of sight"));
    }
    if let (Some(lesson), Some(readout)) = (found("Lesson"), found("Readout"))
        && lesson.rect.bottom() > readout.rect.top()
    {
        faults.push(format!("{case}: the readout is above the lesson"));
    }
    let plots = window.query_all(By::new().role(Role::Image).label_contains("Plot: "));
    for plot in plots.map(|node| node.rect()) {
        if plot.height() < LEAST_PLOT || !screen.expand(0.5).contains_rect(plot) {
            faults.push(format!("{case}: the plot is at {plot:?}"));
        }
        let tab = window.query_by_role_and_label(Role::Button, "Fold: Plots").map(|node| node.rect());
        if let Some(tab) = tab.filter(|tab| plot.top() > tab.top() + ONE_LINE) {
            faults.push(format!("{case}: tabs and options have several lines: {tab:?}, {plot:?}"));
        }
    }
    faults
}

#[test]
fn every_lesson_shows_its_words_and_its_plot_when_it_opens() {
    let mut faults = Vec::new();
    for lesson in LESSONS {
        let scenario = lesson.scenario().unwrap();
        let caption = scenario.caption.clone();
        let mut window = window(scenario);
        window.run_steps(FRAMES);
        for size in SCREENS {
            resize(&mut window, size);
            faults.extend(parts(&window, &format!("{} at {} × {}", lesson.name, size.0, size.1), &caption));
        }
    }
    report(&faults);
}

/// A lesson without space for its whole text is read to its end with the button, and then there is none.
#[test]
fn a_long_lesson_is_read_to_its_end() {
    let scenario = LESSONS.iter().map(|lesson| lesson.scenario().unwrap());
    let long = scenario.max_by_key(|scenario| scenario.caption.watch.len() + scenario.caption.notice.len()).unwrap();
    let last = format!("Try  {}", long.caption.tries.last().unwrap());
    let mut window = window(long);
    resize(&mut window, (1024.0, 600.0, 1.0, 0.0));
    let in_sight = |window: &Window| {
        texts(window).iter().any(|text| text.words == last && text.clip.expand(1.0).contains_rect(text.rect))
    };
    assert!(!in_sight(&window), "it is too long for this window");
    for _ in 0..6 {
        if window.query_by_role_and_label(Role::Button, READ_ON).is_none() {
            break;
        }
        click(&mut window, READ_ON);
        window.run_steps(4 * FRAMES);
    }
    assert!(in_sight(&window) && window.query_by_role_and_label(Role::Button, READ_ON).is_none());
}

#[test]
fn runs_are_hidden_and_shown_by_keys_and_by_the_eyes_of_their_cards() {
    let mut window = window(long_names(4));
    window.run_steps(FRAMES);
    for key in [Key::Num2, Key::Num4] {
        window.key_press_modifiers(egui::Modifiers::SHIFT, key);
        window.run_steps(FRAMES);
    }
    assert_eq!(canvases(&window).len(), 2);
    let eye = "Show Stochastic-gradient Langevin dynamics, many chains, 1";
    window.get_by_role_and_label(Role::CheckBox, eye).click_accesskit();
    window.run_steps(FRAMES);
    assert_eq!(canvases(&window).len(), 1);
    window.key_press_modifiers(egui::Modifiers::SHIFT, Key::Num3);
    window.run_steps(FRAMES);
    assert_eq!(canvases(&window).len(), 1, "the last one stays");
    window.get_by_role_and_label(Role::CheckBox, eye).click_accesskit();
    window.run_steps(FRAMES);
    assert_eq!(canvases(&window).len(), 2);
}

/// Sizes of windows, in which titles on the start page have at most so many lines, with pixels per point and a share that is not used.
const OF_START_PAGE: [(f32, f32, f32, f32); 3] =
    [(1024.0, 768.0, 1.0, 0.0), (1366.0, 768.0, 1.0, 0.0), (1920.0, 1080.0, 1.0, 0.0)];
const LINES: usize = 3;

/// Every tile has its whole title in at most three lines, its level and its minutes, and no text of the page touches another. The first
/// path is in sight at once.
#[test]
fn the_start_page_cuts_no_title() {
    let mut window = window(LESSONS[0].scenario().unwrap());
    window.run_steps(FRAMES);
    click(&mut window, "Home");
    for path in &PATHS[1..PATHS.len() - 1] {
        click(&mut window, path.name);
        for size in OF_START_PAGE {
            let case = format!("{} at {} × {}", path.name, size.0, size.1);
            resize(&mut window, size);
            let titles = titles(&window);
            let expected = LESSONS.len() + path.lessons.len();
            assert_eq!(titles.len(), expected, "{case}: all tiles");
            for title in &titles {
                assert!(title.lines <= LINES && !title.cut, "{case}: {title:?}");
            }
            let screen = window.ctx.content_rect();
            let start = LessonPath::start().lessons.len();
            assert!(titles[..start].iter().all(|title| screen.contains_rect(title.rect)), "{case}: the first path");
            for (index, title) in titles.iter().enumerate() {
                let apart =
                    titles[..index].iter().all(|other| !other.rect.shrink(0.5).intersects(title.rect.shrink(0.5)));
                assert!(apart, "{case}: {title:?}");
            }
        }
    }
}

/// The title of a tile as it was painted.
#[derive(Debug)]
struct Title {
    #[expect(dead_code, reason = "named when a test fails")]
    words: String,
    rect: Rect,
    lines: usize,
    cut: bool,
}

/// The titles of the tiles, those out of sight too: they begin with the number of the tile.
fn titles(window: &Window) -> Vec<Title> {
    let mut found = Vec::new();
    for ClippedShape { shape, .. } in &window.output().shapes {
        let Shape::Text(text) = shape else { continue };
        let words = text.galley.text();
        let numbered = words.split_once("  ").is_some_and(|(number, _)| number.parse::<usize>().is_ok());
        if numbered {
            let (lines, cut) = (text.galley.rows.len(), text.galley.elided);
            found.push(Title { words: words.to_owned(), rect: text.visual_bounding_rect(), lines, cut });
        }
    }
    found
}

/// A scenario with some runs, all with long names.
fn long_names(runs: usize) -> Scenario {
    let mut text = "format = 1\ntitle = \"Long names\"\ncaption = \"Which of these methods finds all modes? Look.\"\n\
                    [target]\nkind = \"gaussian-grid\"\n"
        .to_owned();
    for run in 1..=runs {
        text += &format!(
            "[[run]]\nname = \"Stochastic-gradient Langevin dynamics, many chains, {run}\"\nmethod = \
             \"sgld\"\nchains = 3\nsteps = 4000\n"
        );
    }
    read(&text, "test", std::path::Path::new(".")).unwrap()
}

#[test]
fn one_to_four_runs_with_long_names_fit() {
    let mut faults = Vec::new();
    for runs in 1..=4 {
        let mut window = window(long_names(runs));
        window.run_steps(FRAMES);
        for size in SIZES {
            resize(&mut window, size);
            // The field with the name of a run scrolls.
            let case = format!("{runs} runs at {} × {}", size.0, size.1);
            let found = check(&window, &case, size.3);
            faults.extend(found.into_iter().filter(|fault| !fault.contains("cut at its side")));
            assert_eq!(canvases(&window).len(), runs);
            if size.0 > 1300.0 {
                press(&mut window, &[Key::P]);
                faults.extend(check(&window, &format!("{case}, presenting"), PRESENTING));
                press(&mut window, &[Key::P]);
            }
        }
    }
    report(&faults);
}

/// Browsers have narrow windows: a tablet upright, half a screen, a phone.
#[test]
fn the_menu_bar_fits_into_every_window() {
    let mut faults = Vec::new();
    for runs in [1, 4] {
        let mut window = window(Scenario { seed: 123_456_789, ..long_names(runs) });
        window.run_steps(FRAMES);
        for width in (320_u16..=1000).step_by(20).map(f32::from) {
            resize(&mut window, (width, 700.0, 1.0, 0.0));
            let bar = window.get_by_role_and_label(Role::Button, "Help").rect();
            let mut texts = texts(&window);
            texts.retain(|text| bar.y_range().contains(text.rect.center().y));
            let case = format!("{runs} runs at {width}");
            let room = window.ctx.content_rect();
            for (number, text) in texts.iter().enumerate() {
                let inside = room.contains_rect(text.rect) && text.clip.expand(1.0).contains_rect(text.rect);
                let apart =
                    texts[..number].iter().all(|other| !other.rect.shrink(0.5).intersects(text.rect.shrink(0.5)));
                if !inside || !apart {
                    faults.push(format!("{case}: {:?}, inside {inside}, apart {apart}", text.words));
                }
            }
            let has = |words: &str| texts.iter().any(|text| text.words == words);
            if !has("File") || has("Export…") == has("More ▾") {
                faults.push(format!("{case}: {:?}", texts.iter().map(|text| &text.words).collect::<Vec<_>>()));
            }
        }
    }
    report(&faults);
}

/// What the bar of a phone has no room for is under More: the menu of the runs, the tools, and the seed, which can be typed there.
#[test]
fn the_narrowest_window_has_every_control() {
    let mut window = window(long_names(2));
    resize(&mut window, (320.0, 700.0, 1.0, 0.0));
    let bar = window.get_by_role_and_label(Role::Button, "Help").rect().y_range();
    let below = |window: &Window, words: &str| {
        texts(window).iter().any(|text| text.words == words && !bar.contains(text.rect.center().y))
    };
    window.get_by_role_and_label(Role::Button, "More ▾").click();
    window.run_steps(FRAMES);
    for words in ["Run", "Layers", "Fit", "Canvases", "Seed"] {
        assert!(below(&window, words), "{words} is not under More");
    }
    window.get_by_role_and_label(Role::SpinButton, "Seed").click();
    window.run_steps(FRAMES);
    assert!(below(&window, "Seed"), "the menu stays open for typing");
}

/// A slider of the speed without its value says nothing; in a narrow window the value is short.
#[test]
fn the_speed_has_its_value_in_a_narrow_window() {
    let mut window = window(Lesson::find("random-walk").unwrap().scenario().unwrap());
    for (width, value) in [(1366.0, "1 step/s"), (640.0, "1/s")] {
        resize(&mut window, (width, 768.0, 1.0, 0.0));
        let words: Vec<String> = texts(&window).into_iter().map(|text| text.words).collect();
        assert!(words.iter().any(|words| words == value), "{width}: {words:?}");
    }
}

/// The File menu is a long one: it ends within a low window, with what it has in menus of its own.
#[test]
fn the_file_menu_fits_into_a_low_window() {
    let mut window = window(long_names(2));
    resize(&mut window, (1024.0, 600.0, 1.0, 0.0));
    click(&mut window, "File");
    window.run_steps(FRAMES);
    let last = window.query_all_by_label_contains("Quit").next().unwrap().rect();
    assert!(last.bottom() <= 600.0, "{last:?}");
    let is_there = |window: &Window| window.query_all_by_label_contains("Save worksheet…").next().is_some();
    assert!(!is_there(&window), "before its menu is open");
    window.query_all_by_label_contains("Documents").next().unwrap().click();
    window.run_steps(FRAMES);
    assert!(is_there(&window));
}

#[test]
fn panels_fold_in_a_small_window_until_a_person_unfolds_them() {
    let mut window = window(long_names(2));
    resize(&mut window, (1024.0, 768.0, 1.0, 0.0));
    assert_eq!(folded(&window), 1);
    let before = canvases(&window)[0];
    press(&mut window, &[Key::F2]);
    assert_eq!(folded(&window), 0);
    assert!(canvases(&window)[0].left() > before.left() + 100.0, "the panel is back");
    resize(&mut window, (787.0, 590.0, 1.0, 0.0));
    assert_eq!(folded(&window), 3, "a narrow window opens none by itself");
    resize(&mut window, (1366.0, 768.0, 1.0, 0.0));
    assert_eq!(folded(&window), 0);
    window.get_by_role_and_label(Role::Button, "Fold: Plots").click();
    window.run_steps(FRAMES);
    assert_eq!(folded(&window), 1);
    window.get_by_role_and_label(Role::Button, "Unfold: Plots").click();
    window.run_steps(FRAMES);
    assert_eq!(folded(&window), 0);
}

/// Half a screen, and the least side of a canvas in it with a panel open.
const NARROW: (f32, f32, f32, f32) = (640.0, 720.0, 1.0, 0.0);
const LEAST_CANVAS: f32 = 150.0;

/// In a narrow window one panel at the sides is open at a time, whole, beside canvases that can be used; the next lesson opens with none.
#[test]
fn a_narrow_window_has_one_panel_at_a_time() {
    let mut window = window(lesson("random-walk"));
    resize(&mut window, NARROW);
    let mut faults = Vec::new();
    for (name, key, other) in
        [("left", Key::F2, "Unfold: Readout and lesson"), ("right", Key::F3, "Unfold: Target and runs")]
    {
        press(&mut window, &[key]);
        assert!(window.query_by_label(other).is_some(), "{name}: the other one is folded");
        // A step scrolls below its head.
        faults.extend(check(&window, name, 0.0).into_iter().filter(|fault| fault.contains("cut at its side")));
        let [canvas] = canvases(&window)[..] else { panic!("{name}: one canvas") };
        assert!(canvas.width().min(canvas.height()) >= LEAST_CANVAS, "{name}: {canvas:?}");
    }
    report(&faults);
    window.key_press(Key::PageDown);
    window.run_steps(4 * FRAMES);
    let both = ["Unfold: Readout and lesson", "Unfold: Target and runs"];
    assert!(both.iter().all(|name| window.query_by_label(name).is_some()));
}

/// Questions that wait are in sight in a window of any size, or are told with a way to them.
#[test]
fn questions_are_in_sight_in_a_narrow_window() {
    let mut window = window(lesson("challenge-converged"));
    resize(&mut window, NARROW);
    let says = |window: &Window, text: &str| words(window).iter().any(|words| words.contains(text));
    assert!(says(&window, "Reveal"), "{:?}", words(&window));
    report(&check(&window, "questions", 0.0));
    press(&mut window, &[Key::F3]);
    assert!(!says(&window, "Reveal") && says(&window, "for your answer"));
    click(&mut window, "Answer");
    assert!(says(&window, "Reveal"));
}

fn lesson(name: &str) -> Scenario {
    LESSONS.iter().find(|lesson| lesson.name == name).unwrap().scenario().unwrap()
}

#[test]
fn presenting_leaves_canvases_one_sentence_measures_and_transport() {
    let mut window = window(long_names(2));
    press(&mut window, &[Key::P]);
    // Measures follow the first draws.
    wait_until(&mut window, "a measure", |window| {
        texts(window).iter().any(|text| text.words.contains("Modes covered"))
    });
    let words: Vec<String> = texts(&window).into_iter().map(|text| text.words).collect();
    let told = |part: &str| words.iter().any(|words| words.contains(part));
    assert!(told("Which of these methods finds all modes?") && !told("Look."));
    assert!(told("Modes covered") && told("Step "));
    assert!(!told("File") && !told("Schedule") && !told("variance"));
    window.key_press(Key::Escape);
    window.run_steps(FRAMES);
    assert!(texts(&window).iter().any(|text| text.words == "File"));
}
