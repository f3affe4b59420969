//! `sweep`: computes the cells of a sweep, or a share of them, and writes one JSON line for each; then the summary.
//!
//! The folder has `cells.jsonl`, or `cells-1-of-3.jsonl` for shard 1 of 3, and `summary.json` once all cells are there. The first line of
//! a file describes the sweep, the others are cells in ascending order. A sweep that was ended goes on after the last whole line. Cells that
//! any file of the folder has are not computed again, so that shards become one file when all of them are there: by the
//! last of them, or by the command without a shard. The file has the same bytes in each case.

pub(super) mod compute;
mod exact;
mod folder;
mod records;
mod shard;
mod summary;
mod words;

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use base::params::ParamErrors;
use engine::session::sweep::SweepPlan;

use super::{Failure, end_on_signals, progress, read, say};
use folder::SweepFolder;
use shard::Shard;

/// Arguments of `sweep`.
#[derive(Args, Debug)]
pub struct SweepArgs {
    /// A .toml file with a [sweep], a figure made by this program, a link, or the name of a lesson
    scenario: PathBuf,
    /// Directory for the cells: new, empty, or of the same sweep, which then goes on
    #[arg(long)]
    out: PathBuf,
    /// Compute the I-th of N shares of the cells, such as 1/8, for several machines; the last one that ends puts all together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Compute the measures of endlessly many chains, without draws and seeds
    #[arg(long)]
    exact: bool,
    /// Show no progress and no answers
    #[arg(long)]
    quiet: bool,
}

/// Computes a sweep, or what is left of it.
pub fn sweep(args: &SweepArgs) -> Result<(), Failure> {
    let mut scenario = read(&args.scenario)?;
    if let (true, Some(sweep)) = (args.exact, &mut scenario.sweep) {
        // A number without noise is the same with every seed.
        sweep.seeds = 1;
    }
    let plan = SweepPlan::new(&scenario).map_err(ParamErrors)?;
    let folder = SweepFolder::at(&args.out, &plan, args.exact)?;
    end_on_signals()?;
    if let Some(shard) = args.shard {
        fill(&folder, &plan, Some(shard), args)?;
        let known = folder.known()?;
        if known.len() < plan.cells() {
            return tell(
                args,
                &format!("{} of {} cells are there; other shards are missing", known.len(), plan.cells()),
            );
        }
    }
    let lines = match fill(&folder, &plan, None, args) {
        // The last two shards may end together: the other one puts the cells together.
        Err(Failure::Option { .. }) if args.shard.is_some() => return Ok(()),
        done => done?,
    };
    let cells = records::cells(&lines, &plan).context("cells.jsonl")?;
    let mut summary = summary::summarise(&plan, &cells);
    if args.exact {
        summary["exact"] = serde_json::json!(true);
    }
    folder.publish_summary(&summary)?;
    tell(args, &words::answers(&plan, &summary))?;
    words::remark(&plan).map_or(Ok(()), |remark| tell(args, remark))
}

fn tell(args: &SweepArgs, text: &str) -> Result<(), Failure> {
    if args.quiet { Ok(()) } else { say(text) }
}

/// Completes the file of a shard, or of all cells, and returns its lines without the first.
fn fill(
    folder: &SweepFolder,
    plan: &SweepPlan,
    shard: Option<Shard>,
    args: &SweepArgs,
) -> Result<Vec<String>, Failure> {
    let wanted: Vec<usize> = (0..plan.cells()).filter(|cell| shard.is_none_or(|shard| shard.has(*cell))).collect();
    let mut known = folder.known()?;
    let (mut file, there) = folder.open(shard, &wanted)?;
    let mut lines: Vec<String> = wanted[..there].iter().filter_map(|cell| known.get(cell).cloned()).collect();
    let todo: Vec<usize> = wanted[there..].iter().copied().filter(|cell| !known.contains_key(cell)).collect();
    let bar = progress::unless(args.quiet, "{bar:40} {human_pos}/{human_len} cells  {eta}", wanted.len() as u64);
    bar.set_position(there as u64);
    let mut next = there;
    let mut write = |known: &mut std::collections::BTreeMap<usize, String>| -> anyhow::Result<()> {
        while let Some(line) = wanted.get(next).and_then(|cell| known.get(cell)) {
            file.push(line).context("the cells cannot be written")?;
            lines.push(line.clone());
            bar.inc(1);
            next += 1;
        }
        Ok(())
    };
    write(&mut known)?;
    let drawn = |number: usize, go_on: &(dyn Fn() -> bool + Sync)| plan.cell(number, go_on);
    let exact = |number: usize, go_on: &(dyn Fn() -> bool + Sync)| exact::cell(plan, number, go_on);
    let one: &compute::One<'_> = if args.exact { &exact } else { &drawn };
    compute::each(one, &todo, |cell| {
        known.insert(cell.number, records::line(plan, &cell));
        write(&mut known)
    })?;
    bar.finish_and_clear();
    file.sync().context("the cells cannot be written")?;
    Ok(lines)
}
