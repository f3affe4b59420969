//! `serve`: the page for the browsers of a room, from this computer and without any other. It can only be read, and nothing but its files is
//! sent.

mod addresses;
mod answers;
#[cfg(feature = "page")]
mod built_in;
mod connections;
mod hosts;
mod page;
mod server;
#[cfg(test)]
mod tests;

use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::app::files::qr::{QUIET, Qr};
use crate::app::files::{link, playlist};
use base::params::printable;
use engine::scenario::Scenario;

use super::numeric::whole;
use super::{Either, Failure, end_on_signals, paint, read_either, say};
use addresses::{Reached, reached};
use answers::Answers;
use hosts::Hosts;
use page::{HOW_TO_MAKE, Page};

/// Black and white, as they stand in the table of 256 colours, whatever the theme of a terminal calls so.
const BLACK_ON_WHITE: &str = "\x1b[38;5;16;48;5;231m";
const PLAIN: &str = "\x1b[0m";

/// Arguments of `serve`.
#[derive(Args, Debug)]
pub struct ServeArgs {
    /// What every browser opens: a .toml file with a scenario or a playlist, a figure made by this program, a link, or the name of a lesson; left out, the start page
    scenario: Option<PathBuf>,
    /// The port to listen at; 0 takes any that is free
    #[arg(long, default_value_t = 8000, value_parser = whole(0..=u16::MAX))]
    port: u16,
    /// The address of this computer to listen at: 0.0.0.0 for everyone in its network
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// The folder of the page; left out, the page that is part of this program or lies beside it
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

/// Serves the page until a signal ends the program.
pub fn serve(args: &ServeArgs) -> Result<(), Failure> {
    let shown = args.scenario.as_deref().map(shown).transpose()?;
    let page = match &args.page {
        Some(folder) => page_in(folder)?,
        None => Page::of_program()?,
    };
    end_on_signals()?;
    let (title, fragment) = shown.unzip();
    let announce = |address| announce(address, title.as_deref());
    let answers = Answers::new(page, fragment.as_deref(), Hosts::of(args.bind));
    match server::run(SocketAddr::new(args.bind, args.port), answers, announce)? {}
}

fn page_in(folder: &Path) -> Result<Page, Failure> {
    Page::read(folder).map_err(|error| {
        let allowed = format!("a folder with the page for browsers; {HOW_TO_MAKE}");
        Failure::option("page", error.to_string(), allowed)
    })
}

/// The title of what every browser opens, and the fragment of a link to it.
fn shown(path: &Path) -> Result<(String, String), Failure> {
    Ok(match read_either(path)? {
        Either::Scenario(scenario) => (scenario.title.clone(), fragment(&scenario)?),
        Either::Playlist(list) => {
            let fragment = playlist::fragment(&list).map_err(|problem| Failure::Scenario(vec![problem]))?;
            (list.title, fragment)
        }
    })
}

/// The fragment of the link to a scenario, which has to hold all of it.
fn fragment(scenario: &Scenario) -> Result<String, Failure> {
    const OTHERWISE: &str =
        "serve without a scenario, and hand it out with its files: Open… in the page takes them together";
    let files = scenario.named_files();
    if !files.is_empty() {
        let problem = format!("browsers do not get the files that the scenario names: {}", files.join(", "));
        return Err(Failure::Scenario(vec![format!("{problem}; {OTHERWISE}")]));
    }
    link::fragment(scenario).map_err(|error| Failure::Scenario(vec![error.to_string(), OTHERWISE.to_owned()]))
}

/// Says where the page is, and for whom.
fn announce(bound: SocketAddr, title: Option<&str>) -> Result<(), Failure> {
    let interfaces = if bound.ip().is_unspecified() { reached(bound.ip()) } else { Vec::new() };
    say(&in_words(bound, title, &interfaces).join("\n"))?;
    let elsewhere = match interfaces.first() {
        Some(reached) => Some(reached.address),
        None => Some(bound.ip()).filter(|address| !address.is_loopback() && !address.is_unspecified()),
    };
    let code = elsewhere.and_then(|address| Qr::of(&http(address, bound.port())));
    match code.filter(|_| has_colours()) {
        Some(code) => paint(&format!("\n{}", blocks(&code).join("\n"))),
        None => Ok(()),
    }
}

/// What to type into a browser.
fn http(address: IpAddr, port: u16) -> String {
    format!("http://{}/", SocketAddr::new(address, port))
}

/// The lines that say where the page is: `interfaces` are the addresses of a server that listens at all of them.
fn in_words(bound: SocketAddr, title: Option<&str>, interfaces: &[Reached]) -> Vec<String> {
    let mut lines = Vec::new();
    let here = http(bound.ip(), bound.port());
    if bound.ip().is_loopback() {
        lines.push(format!("Sampler Lab is at {here}"));
        lines.push("Only this computer reaches it; --bind 0.0.0.0 opens it to everyone in the network.".to_owned());
    } else if !bound.ip().is_unspecified() {
        lines.push(format!("Sampler Lab is at {here} for everyone who reaches this address."));
    } else if let [first, others @ ..] = interfaces {
        let line = |reached: &Reached| format!("{}  ({})", http(reached.address, bound.port()), reached.interface);
        lines.push(format!("Sampler Lab is at {}", line(first)));
        if !others.is_empty() {
            lines.push("This computer has other networks, too; there it is at".to_owned());
            lines.extend(others.iter().map(|reached| format!("  {}", line(reached))));
        }
    } else {
        let local = http(Ipv4Addr::LOCALHOST.into(), bound.port());
        lines.push("This computer is in no network: connect it, and start again.".to_owned());
        lines.push(format!("Until then Sampler Lab is at {local} for this computer alone."));
    }
    if !bound.ip().is_loopback() {
        lines.push(
            "If a browser does not reach it: is it in the same network, does the network let its computers talk to each other, and does the \
             firewall of this one let them in?"
                .to_owned(),
        );
    }
    lines.extend(title.map(|title| format!("It opens: {}", printable(title))));
    lines.push("Ctrl-C ends it.".to_owned());
    lines
}

/// Whether standard output is a terminal that shows colours: all that say what they are, and that of Windows.
fn has_colours() -> bool {
    let says = |name, no: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != no);
    std::io::stdout().is_terminal() && (says("TERM", "dumb") || says("WT_SESSION", ""))
}

/// A code as lines for a terminal, with its margin: two rows of modules in each, black on white in any theme.
fn blocks(code: &Qr) -> Vec<String> {
    let all = 0..code.side() + 2 * QUIET;
    let dark =
        |x: usize, y: usize| x.checked_sub(QUIET).zip(y.checked_sub(QUIET)).is_some_and(|(x, y)| code.is_dark(x, y));
    let block = |x, y| match (dark(x, y), dark(x, y + 1)) {
        (true, true) => '█',
        (true, false) => '▀',
        (false, true) => '▄',
        (false, false) => ' ',
    };
    let line = |y| format!("{BLACK_ON_WHITE}{}{PLAIN}", all.clone().map(|x| block(x, y)).collect::<String>());
    all.clone().step_by(2).map(line).collect()
}
