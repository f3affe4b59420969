//! A scenario written into the file that it came from: what has changed is changed there, and comments, order and layout of everything else
//! stay as a person wrote them.
//!
//! The scenario in the file and the present one are both written anew; where these two texts differ, the file follows the second.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike};

use super::{Scenario, read_unbuilt, write, write_open};

/// The text of a file that has the scenario `old`, changed so that it has `new`; `None` where that is not possible: a packed file, or one in
/// which parts would be taken for others.
#[must_use]
pub fn write_into(text: &str, old: &Scenario, new: &Scenario) -> Option<String> {
    if old.view.packed || new.view.packed {
        return None;
    }
    let document: DocumentMut = text.parse().ok()?;
    let [from, to] = [old, new].map(|scenario| write_open(scenario).parse::<DocumentMut>().ok());
    let (from, to) = (from?, to?);
    // What a file leaves out may follow from something that has changed: then it says everything.
    [false, true].into_iter().find_map(|all| {
        let written = changed(document.clone(), (&from, &to), all);
        // Nobody's file may come to mean something else.
        let again = read_unbuilt(&written, "the changed file", new.folder.clone()).ok()?;
        (write(&again) == write(new)).then_some(written)
    })
}

/// A document changed from one scenario to another.
fn changed(mut document: DocumentMut, (from, to): (&DocumentMut, &DocumentMut), all: bool) -> String {
    let tables = tables_in(document.as_table());
    follow((document.as_table_mut(), false), from.as_table(), to.as_table(), all);
    if tables_in(document.as_table()) != tables {
        number(document.as_table_mut(), &mut 0);
    }
    document.to_string()
}

/// A table, and whether it is in braces.
type InPlace<'a> = (&'a mut dyn TableLike, bool);

/// Changes a table where `to` differs from `from`, or so that it says all of `to`.
fn follow((table, inline): InPlace<'_>, from: &dyn TableLike, to: &dyn TableLike, all: bool) {
    let gone: Vec<String> = from.iter().map(|(key, _)| key.to_owned()).filter(|key| !is_there(to.get(key))).collect();
    for key in gone {
        table.remove(&key);
    }
    // What a file leaves out has the default of its kind, which another kind may not have.
    let differs = |key: &str| from.get(key).zip(to.get(key)).is_some_and(|(had, wanted)| !same(had, wanted));
    let all = all || differs("kind") || differs("method");
    for (key, wanted) in to.iter().filter(|(_, item)| !item.is_none()) {
        let had = from.get(key);
        let is_same = had.is_some_and(|had| same(had, wanted));
        let is_told = !all || is_there(table.get(key)) && wanted.is_value() && !wanted.is_inline_table();
        if !(is_same && is_told) {
            set((table, inline), key, had, wanted, all);
        }
    }
}

fn is_there(item: Option<&Item>) -> bool {
    item.is_some_and(|item| !item.is_none())
}

/// Sets a key, inside of what is there already where that has the same shape.
fn set((table, inline): InPlace<'_>, key: &str, had: Option<&Item>, wanted: &Item, all: bool) {
    let Some(item) = table.get_mut(key).filter(|item| !item.is_none()) else {
        add((table, inline), key, wanted);
        return;
    };
    let in_braces = item.is_inline_table();
    if let (Some(tables), Some(wanted)) = (item.as_array_of_tables_mut(), wanted.as_array_of_tables()) {
        let none = ArrayOfTables::new();
        follow_all(tables, had.and_then(Item::as_array_of_tables).unwrap_or(&none), wanted, all);
    } else if let (Some(inside), Some(wanted)) = (item.as_table_like_mut(), wanted.as_table_like()) {
        let none = Table::new();
        follow((inside, in_braces), had.and_then(Item::as_table_like).unwrap_or(&none), wanted, all);
    } else if let (Some(value), Some(wanted)) = (item.as_value_mut(), wanted.as_value()) {
        let decor = value.decor().clone();
        *value = wanted.clone();
        *value.decor_mut() = decor;
    } else {
        table.remove(key);
        add((table, inline), key, wanted);
    }
}

/// Adds a key that is not there: a table in its own lines, or in braces within such.
fn add((table, inline): InPlace<'_>, key: &str, wanted: &Item) {
    let mut item = wanted.clone();
    forget_places(&mut item);
    if inline {
        let Ok(value) = item.into_value() else { return };
        item = Item::Value(value);
    }
    table.insert(key, item);
}

/// Whether two items of texts by the same writer say the same.
fn same(one: &Item, other: &Item) -> bool {
    if let (Some(one), Some(other)) = (one.as_array_of_tables(), other.as_array_of_tables()) {
        return one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same_table(one, other));
    }
    match (one.as_table_like(), other.as_table_like()) {
        (Some(one), Some(other)) => same_table(one, other),
        (None, None) => one.to_string().trim() == other.to_string().trim(),
        _ => false,
    }
}

fn same_table(one: &dyn TableLike, other: &dyn TableLike) -> bool {
    one.len() == other.len() && one.iter().all(|(key, item)| other.get(key).is_some_and(|other| same(item, other)))
}

/// Whether a table that was there, and its place, belong to a wanted one and its place.
type Rule<'a> = &'a dyn Fn(usize, &Table, usize, &Table) -> bool;

/// Changes a list of tables: those with the same name belong together, else equal ones, else those at the same place.
fn follow_all(tables: &mut ArrayOfTables, from: &ArrayOfTables, to: &ArrayOfTables, all: bool) {
    let is_whole = tables.len() == from.len();
    let name = |table: &Table| table.get("name").and_then(Item::as_str).map(str::to_owned);
    let mut free: Vec<bool> = vec![is_whole; from.len()];
    let mut partner: Vec<Option<usize>> = vec![None; to.len()];
    let rules: [Rule<'_>; 3] = [
        &|_, had, _, wanted| name(had).is_some() && name(had) == name(wanted),
        &|_, had, _, wanted| same_table(had, wanted),
        &|at, had, place, wanted| at == place && name(had).is_none() && name(wanted).is_none(),
    ];
    for rule in rules {
        for (place, wanted) in to.iter().enumerate().filter(|(place, _)| partner[*place].is_none()).collect::<Vec<_>>()
        {
            let found = from.iter().enumerate().find(|(at, had)| free[*at] && rule(*at, had, place, wanted));
            if let Some((at, _)) = found {
                free[at] = false;
                partner[place] = Some(at);
            }
        }
    }
    let kept = std::mem::take(tables);
    for (wanted, partner) in to.iter().zip(partner) {
        let pair = partner.and_then(|at| Some((kept.get(at)?.clone(), from.get(at)?)));
        tables.push(match pair {
            Some((mut table, had)) => {
                follow((&mut table, false), had, wanted, all);
                table
            }
            None => {
                let mut item = Item::Table(wanted.clone());
                forget_places(&mut item);
                item.into_table().unwrap_or_default()
            }
        });
    }
}

/// The tables with lines of their own, by the order in which the text has them.
fn tables_in(table: &Table) -> Vec<Option<isize>> {
    let inside = |item: &Item| match item {
        Item::Table(table) => tables_in(table),
        Item::ArrayOfTables(tables) => tables.iter().flat_map(tables_in).collect(),
        _ => Vec::new(),
    };
    std::iter::once(table.position()).chain(table.iter().flat_map(|(_, item)| inside(item))).collect()
}

/// Puts all tables in the order in which they belong together.
fn number(table: &mut Table, next: &mut isize) {
    table.set_position(Some(*next));
    *next += 1;
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(table) => number(table, next),
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| number(table, next)),
            _ => {}
        }
    }
}

/// Tables that come from another text have no place in this one yet.
fn forget_places(item: &mut Item) {
    match item {
        Item::Table(table) => {
            table.set_position(None);
            table.iter_mut().for_each(|(_, item)| forget_places(item));
        }
        Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| {
            table.set_position(None);
            table.iter_mut().for_each(|(_, item)| forget_places(item));
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Comments, LESSONS, Lesson};
    use base::params::{Value, find_kind};
    use models::targets::TARGETS;
    use samplers::methods::METHODS;

    /// The lines of one text that another does not have, each as often as it is more often there.
    fn lines_only_in(text: &str, other: &str) -> Vec<String> {
        let mut rest: Vec<&str> = other.lines().collect();
        let is_new = |line: &&str| match rest.iter().position(|known| known == line) {
            Some(at) => {
                rest.swap_remove(at);
                false
            }
            None => true,
        };
        text.lines().filter(is_new).map(str::to_owned).collect()
    }

    /// The text of a lesson with a comment on every third line.
    fn commented(lesson: &Lesson) -> (String, Scenario) {
        let note = |(number, line): (usize, &str)| match number % 3 {
            0 if line.ends_with('"') || line.ends_with(']') && line.starts_with('[') => {
                format!("# note {number}\n{line} # and {number}\n")
            }
            _ => format!("{line}\n"),
        };
        let text: String = lesson.text.lines().enumerate().map(note).collect();
        // Not all lines are the ends of values; a lesson in which a comment would be inside of one stays as it is.
        let text = if read_unbuilt(&text, "x", "").is_ok() { text } else { lesson.text.to_owned() };
        let scenario = read_unbuilt(&text, "x", "").unwrap();
        (text, scenario)
    }

    #[test]
    fn a_changed_seed_is_one_changed_line_in_every_lesson() {
        for lesson in LESSONS {
            let (text, old) = commented(lesson);
            assert_eq!(write_into(&text, &old, &old).as_deref(), Some(text.as_str()), "{}", lesson.name);
            let new = Scenario { seed: old.seed + 1, ..old.clone() };
            let written = write_into(&text, &old, &new).unwrap();
            let (lost, found) = (lines_only_in(&text, &written), lines_only_in(&written, &text));
            assert!(lost.len() <= 1 && found.len() == 1, "{}: {lost:?} {found:?}", lesson.name);
            assert!(found[0].starts_with("seed = "), "{found:?}");
        }
    }

    /// What is edited in a window: values, names, runs that come, go and change places, methods and targets. The text means the new scenario,
    /// and what was not changed has its comments.
    #[test]
    fn edits_keep_what_they_do_not_touch() {
        for lesson in LESSONS {
            let (text, old) = commented(lesson);
            let first = old.runs[0].name.clone();
            let steps = Value::Number(old.runs[0].settings.count("steps") as f64 + 1.0);
            let mut swapped = old.clone();
            swapped.runs.reverse();
            let edits: Vec<(&str, Option<Scenario>)> = vec![
                ("steps", old.with_parameter(&first, "steps", steps).ok()),
                ("renamed", old.with_name(&first, "another name").ok()),
                ("copied", old.with_copy_of(&first).ok()),
                ("removed", old.without_run(&first).ok()),
                ("method", old.with_method(&first, find_kind(&METHODS, "hmc").unwrap()).ok()),
                (
                    "target",
                    Some(
                        old.with_whole_target(base::params::Settings::defaults(find_kind(&TARGETS, "donut").unwrap())),
                    ),
                ),
                ("swapped", Some(swapped)),
                ("titled", Some(Scenario { title: "A \"title\"".to_owned(), ..old.clone() })),
            ];
            for (what, new) in edits.into_iter().filter_map(|(what, new)| Some((what, new?))) {
                // Some edits need others before they can be read again.
                if let Err(errors) = read_unbuilt(&write(&new), "x", "") {
                    assert!(
                        what == "method" || what == "target" || what == "removed",
                        "{what} in {}: {errors}",
                        lesson.name
                    );
                    continue;
                }
                let Some(written) = write_into(&text, &old, &new) else { panic!("{what} in {}", lesson.name) };
                let kept = read_unbuilt(&written, "x", "").unwrap();
                assert_eq!(write(&kept), write(&new), "{what} in {}", lesson.name);
                if ["steps", "copied", "titled", "swapped"].contains(&what) {
                    let comments = |text: &str| text.lines().filter(|line| line.contains('#')).count();
                    assert!(comments(&written) >= comments(&text), "{what} in {}: {written}", lesson.name);
                }
                if ["steps", "titled"].contains(&what) {
                    assert!(lines_only_in(&text, &written).len() <= 2, "{what} in {}", lesson.name);
                }
            }
            assert!(Comments::of(&text).others > 0 || text == lesson.text);
        }
    }

    #[test]
    fn tables_in_braces_and_tables_in_lines_stay_what_they_are() {
        let text = "format = 1\ntitle = 'x'   # mine\nseed = 3\ntarget = { kind = \"gaussian\", correlation = 0.5 } # round\n\n\
                    [[run]]\nname = \"A\"\nmethod = \"sgld\"\n  [run.step_size]\n  kind = \"constant\"\n  value = 1e-2 # small\n";
        let old = read_unbuilt(text, "x", "").unwrap();
        let new = old.with_parameter("A", "step_size.value", Value::Number(0.25)).unwrap();
        let written = write_into(text, &old, &new).unwrap();
        assert_eq!(written, text.replace("1e-2", "0.25"));
    }

    #[test]
    fn a_packed_file_has_no_layout() {
        let old = LESSONS[0].scenario().unwrap();
        let mut packed = old.clone();
        packed.view.packed = true;
        assert!(write_into(LESSONS[0].text, &old, &packed).is_none());
    }
}
