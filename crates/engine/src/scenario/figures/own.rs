//! Single axes of panels and texts on them, as a `[figure]` gives them.

use super::{colour_of, given};
use base::params::{ParamError, Settings, Value, excerpt};

/// What a figure says of one axis of a panel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnAxis {
    /// Its name, in the markup of names.
    pub name: Option<String>,
    /// Its unit.
    pub unit: Option<String>,
    /// Its lower and upper end, in the numbers of its ticks.
    pub limits: Option<[f64; 2]>,
    /// Its ticks, each with what it is called where that is no number.
    pub ticks: Vec<(f64, Option<String>)>,
    /// About how many ticks it has.
    pub count: Option<u32>,
}

/// A text on a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Its number in the figure, from 0.
    pub number: usize,
    /// What it says, in the markup of names.
    pub text: String,
    /// Where its middle is, in the numbers of the ticks; the figure places it if left out.
    pub at: Option<[f64; 2]>,
    /// Where its arrow ends.
    pub arrow: Option<[f64; 2]>,
    /// The size of its text, as a multiple of that of ticks.
    pub size: f64,
    /// Its colour.
    pub colour: Option<[u8; 3]>,
}

/// What a figure says of the axes of a panel, counted from 0: first for all panels, then for this one.
#[must_use]
pub fn axes_of(figure: &Settings, panel: usize) -> [OwnAxis; 2] {
    let mut axes = [OwnAxis::default(), OwnAxis::default()];
    let entries = figure.list("axis");
    let of = |entry: &&Settings| number_of(entry);
    let general = entries.iter().filter(|entry| of(entry).is_none());
    for entry in general.chain(entries.iter().filter(|entry| of(entry) == Some(panel))) {
        let axis = &mut axes[usize::from(entry.word("axis") == "y")];
        let text = |key: &str| given(entry, key).map(str::to_owned);
        let pair = if let Some(Value::Pair(pair)) = entry.get("limits") { Some(*pair) } else { None };
        axis.name = text("name").or(axis.name.take());
        axis.unit = text("unit").or(axis.unit.take());
        axis.limits = pair.or(axis.limits);
        axis.count = entry.optional_number("count").map(|count| count as i64).map_or(axis.count, |c| c.try_into().ok());
        if let Some(Ok(ticks)) = given(entry, "ticks").map(ticks) {
            axis.ticks = ticks;
        }
    }
    axes
}

/// The texts on a panel, counted from 0.
#[must_use]
pub fn notes_of(figure: &Settings, panel: usize) -> Vec<Note> {
    let entries = figure.list("note").iter().enumerate();
    let note = |(number, entry): (usize, &Settings)| {
        let pair = |key: &str| if let Some(Value::Pair(pair)) = entry.get(key) { Some(*pair) } else { None };
        Note {
            number,
            text: entry.word("text").to_owned(),
            at: pair("at"),
            arrow: pair("arrow"),
            size: entry.number("size"),
            colour: given(entry, "colour").and_then(colour_of),
        }
    };
    entries.filter(|(_, entry)| number_of(entry) == Some(panel)).map(note).collect()
}

/// The number of the panel of an axis or a note, from 0.
fn number_of(entry: &Settings) -> Option<usize> {
    let number = entry.optional_number("panel")?;
    (0..super::MOST_PANELS).find(|panel| (*panel as f64 + 1.0 - number).abs() < 0.5)
}

/// The ticks in a text: numbers between commas, each with `= words` where it is called otherwise.
///
/// # Errors
/// With the tick that is no number.
pub fn ticks(text: &str) -> Result<Vec<(f64, Option<String>)>, ParamError> {
    let tick = |tick: &str| {
        let (number, words) = tick.split_once('=').map_or((tick, None), |(number, words)| (number, Some(words)));
        match number.trim().replace('−', "-").parse::<f64>() {
            Ok(number) if number.is_finite() => Ok((number, words.map(|words| words.trim().to_owned()))),
            _ => {
                let problem = format!("\"{}\" is no tick", excerpt(tick.trim()));
                Err(ParamError::new("ticks", problem, "numbers between commas, as in 0, 0.5 = half, 1"))
            }
        }
    };
    text.split(',').map(tick).collect()
}

/// The list, the number and the key of a path such as `axis[2].limits`.
pub(super) fn entry(path: &str) -> Option<(&str, usize, &str)> {
    let (list, rest) = path.split_once('[')?;
    let (number, key) = rest.split_once("].")?;
    Some((list, number.parse().ok()?, key))
}

/// Changes the entries of a list, which goes with its last entry.
pub(super) fn change(figure: &mut Settings, list: &str, change: impl FnOnce(&mut Vec<Settings>)) {
    let mut entries = figure.list(list).to_vec();
    change(&mut entries);
    if entries.is_empty() {
        figure.clear(list);
    } else {
        // What was in the list may be in it.
        figure.set(list, Value::List(entries)).ok();
    }
}

/// What is wrong with the axes and notes of a figure of so many panels.
pub(super) fn errors(figure: &Settings, panels: Option<usize>) -> Vec<ParamError> {
    let mut errors = Vec::new();
    for list in ["axis", "note"] {
        for (number, entry) in figure.list(list).iter().enumerate() {
            let path = format!("{list}[{number}]");
            let panel = entry.optional_number("panel");
            if let (Some(panel), Some(panels)) = (panel, panels)
                && panel > panels as f64
            {
                let (problem, allowed) = (format!("there is no panel {panel}"), format!("1 to {panels}"));
                errors.push(ParamError::new(format!("{path}.panel"), problem, allowed));
            }
            if list == "axis" {
                errors.extend(axis_errors(entry).into_iter().map(|error| error.under(&path)));
            } else {
                errors.extend(colour_error(entry).map(|error| error.under(&path)));
            }
        }
    }
    errors
}

fn axis_errors(entry: &Settings) -> Vec<ParamError> {
    let mut errors = Vec::new();
    if let Some(Value::Pair([low, high])) = entry.get("limits")
        && low >= high
    {
        let problem = format!("the lower end {low} is not below the upper end {high}");
        errors.push(ParamError::new("limits", problem, "two numbers, the smaller one first"));
    }
    errors.extend(given(entry, "ticks").and_then(|text| ticks(text).err()));
    errors
}

/// What is wrong with the colour of a run or a note.
pub(super) fn colour_error(entry: &Settings) -> Option<ParamError> {
    let colour = given(entry, "colour").filter(|colour| colour_of(colour).is_none())?;
    let problem = format!("\"{}\" is no colour", excerpt(colour));
    Some(ParamError::new("colour", problem, "# and six digits from 0 to f, as #0072b2"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::params::ParamType;

    fn entry(key: &str, values: &[(&str, Value)]) -> Settings {
        let ParamType::List(kind) = super::super::FIGURE.param(key).unwrap().ty else { panic!("{key} is no list") };
        let mut entry = Settings::defaults(kind);
        values.iter().for_each(|(key, value)| entry.set(key, value.clone()).unwrap());
        entry
    }

    fn figure(key: &str, entries: Vec<Settings>) -> Settings {
        let mut figure = Settings::defaults(&super::super::FIGURE);
        figure.set(key, Value::List(entries)).unwrap();
        figure
    }

    #[test]
    fn an_axis_of_a_panel_takes_the_place_of_that_of_all() {
        let all = entry(
            "axis",
            &[("axis", Value::Choice("x")), ("unit", Value::Text("s".into())), ("limits", Value::Pair([0.0, 2.0]))],
        );
        let second = [
            ("panel", Value::Number(2.0)),
            ("axis", Value::Choice("x")),
            ("limits", Value::Pair([1.0, 3.0])),
            ("ticks", Value::Text("1, 2 = two, −3".into())),
        ];
        // The one of a single panel counts more, wherever it stands.
        let figure = figure("axis", vec![entry("axis", &second), all]);
        let [first, _] = axes_of(&figure, 0);
        assert_eq!((first.limits, first.unit.as_deref(), first.ticks.len()), (Some([0.0, 2.0]), Some("s"), 0));
        let [second, y] = axes_of(&figure, 1);
        assert_eq!((second.limits, second.unit.as_deref()), (Some([1.0, 3.0]), Some("s")));
        assert_eq!(second.ticks, [(1.0, None), (2.0, Some("two".to_owned())), (-3.0, None)]);
        assert_eq!(y, OwnAxis::default());
        assert!(errors(&figure, Some(2)).is_empty());
        let told: Vec<String> = errors(&figure, Some(1)).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["axis[0].panel: there is no panel 2; allowed: 1 to 1"]);
    }

    #[test]
    fn what_is_wrong_with_an_axis_or_a_note_is_told() {
        let wrong = [
            ("axis", Value::Choice("y")),
            ("limits", Value::Pair([3.0, 3.0])),
            ("ticks", Value::Text("0, half, 1".into())),
        ];
        let told: Vec<String> =
            errors(&figure("axis", vec![entry("axis", &wrong)]), None).iter().map(ToString::to_string).collect();
        let expected = [
            "axis[0].limits: the lower end 3 is not below the upper end 3; allowed: two numbers, the smaller one first",
            "axis[0].ticks: \"half\" is no tick; allowed: numbers between commas, as in 0, 0.5 = half, 1",
        ];
        assert_eq!(told, expected);
        let note = [
            ("text", Value::Text("here".into())),
            ("at", Value::Pair([1.0, 2.0])),
            ("colour", Value::Text("red".into())),
        ];
        let figure = figure("note", vec![entry("note", &note)]);
        assert!(errors(&figure, None)[0].to_string().starts_with("note[0].colour: \"red\" is no colour"));
        let notes = notes_of(&figure, 0);
        assert_eq!((notes[0].at, notes[0].arrow, notes[0].number), (Some([1.0, 2.0]), None, 0));
        assert!(notes_of(&figure, 1).is_empty());
    }
}
