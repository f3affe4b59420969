//! A press and its release are some pictures apart. In between, while runs go on, every control keeps the identity by which the
//! window knows that both belong together; otherwise the click does nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use egui::accesskit::Action;
use egui::{Key, Vec2};
use egui_kittest::kittest::NodeT;
use sampler_lab::scenario::LESSONS;
use sampler_lab::worker::Pacing;

use super::app::{SCENARIO, Window, wait_until, window_with};
use super::hands::take;

/// Controls of messages.
const OF_MESSAGES: [&str; 4] = ["Close this message", "Back", "Trials", "Start page"];

/// The identities of all controls, by role and name.
fn identities(window: &Window) -> BTreeMap<(String, String), Vec<String>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for node in window.root().children_recursive() {
        let node = node.accesskit_node();
        if node.data().supports_action(Action::Click) {
            let name = (format!("{:?}", node.role()), node.label().unwrap_or_default());
            found.entry(name).or_default().push(format!("{:?}", node.id()));
        }
    }
    found
}

/// Shows pictures until a condition holds, and collects controls that have changed their identity.
fn watch(window: &mut Window, changed: &mut Vec<String>, state: &str, mut enough: impl FnMut(&Window, usize) -> bool) {
    let mut before = identities(window);
    let mut pictures = 0;
    wait_until(window, state, |window| {
        let now = identities(window);
        for (name, ids) in &now {
            // Where several have one name, or one is new, nothing is said. Another message may come in the place of one.
            if !OF_MESSAGES.contains(&name.1.as_str())
                && ids.len() == 1
                && before.get(name).is_some_and(|old| old.len() == 1 && old != ids)
            {
                changed.push(format!("{state}: {name:?}"));
            }
        }
        before = now;
        pictures += 1;
        enough(window, pictures)
    });
}

#[test]
fn controls_keep_their_identity_while_runs_go_on() {
    let mut window = window_with(SCENARIO, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    let mut changed = Vec::new();
    for lesson in LESSONS.iter().step_by(7) {
        let title = lesson.words().0;
        take(&mut window, &title);
        wait_until(&mut window, &title, |window| window.state().frame().scenario.title == title);
        // Until the lesson has its layout.
        window.run_steps(10);
        if !window.state().playing() {
            window.key_press(Key::Space);
        }
        watch(&mut window, &mut changed, &format!("{title} plays"), |_, pictures| pictures > 25);
        if window.state().status().mode != Pacing::Instant {
            window.key_press(Key::I);
        }
        watch(&mut window, &mut changed, &format!("{title} in Instant"), |_, pictures| {
            std::thread::sleep(Duration::from_millis(5));
            pictures > 20
        });
    }
    changed.sort();
    changed.dedup();
    assert!(changed.is_empty(), "controls are not those of the picture before:\n{}", changed.join("\n"));
}
