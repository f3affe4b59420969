//! Groups of a file: rows with a standard deviation each, or rows alone, of which the groups have means with standard errors.

use super::model::Datum;
use super::wrong;
use crate::targets::Folder;
use crate::targets::data::{self, Cells};
use base::math::mean_and_sd;
use base::params::{ParamError, Settings, excerpt};

/// Groups and data at most.
const MOST_GROUPS: usize = 100;
const MOST_DATA: usize = 100_000;

/// Data with the number of the group of each, and the labels of the groups.
type Grouped = (Vec<Datum>, Vec<String>);

/// The rows of a file with the standard deviation of the noise of each.
pub(super) fn with_sd(group: &Settings, folder: &Folder) -> Result<Grouped, Vec<ParamError>> {
    let column = |key: &'static str, cells| (key, group.word(key), cells);
    let columns = [
        column(data::RESPONSE.key, Cells::Number),
        column("sd", Cells::Number),
        column("group", Cells::Level(MOST_GROUPS)),
    ];
    let mut found = data::read_named(group, folder, &columns)?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let ((y, _), (sds, _), (groups, labels)) = (next(), next(), next());
    check(group, y.len(), &labels)?;
    if let Some(row) = sds.iter().position(|sd| *sd <= 0.0) {
        return Err(wrong(
            "sd",
            format!("{} in row {} is no standard deviation", sds[row], row + 1),
            "numbers above 0",
        ));
    }
    let rows = y.iter().zip(&sds).zip(&groups);
    let data =
        rows.map(|((y, sd), group)| Datum { group: number(*group, &labels), y: *y, variance: sd * sd }).collect();
    Ok((data, labels))
}

/// The means of the groups of rows, with the squares of their standard errors: s²/n, with divisor n − 1 in s².
pub(super) fn in_groups(group: &Settings, folder: &Folder) -> Result<Grouped, Vec<ParamError>> {
    let columns = [(data::RESPONSE.key, Cells::Number), ("group", Cells::Level(MOST_GROUPS))];
    let [(y, _), (groups, labels)] = data::read_leveled(group, folder, columns)?;
    check(group, y.len(), &labels)?;
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); labels.len()];
    y.iter().zip(&groups).for_each(|(y, group)| rows[number(*group, &labels)].push(*y));
    let too_few = |rows: &[f64]| match rows {
        [_] => Some("has one row, which says nothing of the spread within it"),
        [first, others @ ..] if others.iter().all(|other| (other - first).abs() <= 0.0) => {
            Some("has the same value in all of its rows, so that its mean would have no standard error")
        }
        _ => None,
    };
    let mut data = Vec::new();
    for (group, (rows, label)) in rows.iter().zip(&labels).enumerate() {
        if let Some(why) = too_few(rows) {
            let allowed = "two rows or more that differ, in every group; or a file with a standard error in each row, kind = \"csv\"";
            return Err(wrong("group", format!("group \"{}\" {why}", excerpt(label)), allowed));
        }
        let (mean, sd) = mean_and_sd(rows);
        data.push(Datum { group, y: mean, variance: sd * sd / rows.len() as f64 });
    }
    Ok((data, labels))
}

/// The number of the group of a level.
fn number(level: f64, labels: &[String]) -> usize {
    (0..labels.len()).find(|group| (*group as f64 - level).abs() < 0.5).unwrap_or(0)
}

/// The data are not too many, and of two groups or more.
fn check(group: &Settings, count: usize, labels: &[String]) -> Result<(), Vec<ParamError>> {
    if count > MOST_DATA {
        return Err(vec![data::too_many(group, count, MOST_DATA)]);
    }
    if labels.len() < 2 {
        return Err(wrong("group", "there is one group only", "two groups or more"));
    }
    Ok(())
}
