//! `manual`: the page that `man sampler-lab` shows, with all commands and options on it.

use std::fmt::Write;
use std::io;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;

/// What stands before the text of a section: two lines that define the apostrophe, and the heading.
const LINES_BEFORE_TEXT: usize = 3;

/// What the page says beside the commands, in the macros of man(7).
const REST: &str = include_str!("manual.roff");

/// Writes a part of a page.
type Part = fn(&Man, &mut dyn io::Write) -> io::Result<()>;

/// The page for a program with this command line, in roff.
///
/// # Errors
/// If a part of the page cannot be written.
pub fn manual(program: Command) -> anyhow::Result<String> {
    page(program).context("the manual")
}

fn page(program: Command) -> anyhow::Result<String> {
    let mut program = program.disable_help_subcommand(true);
    program.build();
    let mut commands: Vec<Command> = program.get_subcommands().cloned().collect();
    let forms: Vec<String> = std::iter::once(&mut program).chain(&mut commands).map(usage).collect();

    let whole = Man::new(program.override_usage(forms.join("\n"))).manual("User Commands");
    let mut page = Vec::new();
    whole.render_title(&mut page)?;
    let mut page = String::from_utf8(page)?;
    let parts: [(&str, Part); 4] = [
        ("NAME", Man::render_name_section),
        ("SYNOPSIS", Man::render_synopsis_section),
        ("DESCRIPTION", Man::render_description_section),
        ("OPTIONS", Man::render_options_section),
    ];
    for (heading, part) in parts {
        write!(page, ".SH {heading}\n{}", body(&whole, part)?)?;
    }
    page.push_str(".SH COMMANDS\n");
    for (command, form) in commands.into_iter().zip(&forms[1..]) {
        writeln!(page, ".SS {}", command.get_name())?;
        // All commands have this option; the page says so once.
        let command = command.mut_arg("help", |help| help.hide(true)).override_usage(form);
        let command = Man::new(command);
        for (_, part) in &parts[1..] {
            // A heading of options stands below that of the command.
            let text = body(&command, *part)?.replace(".SH ", ".PP\n.I ");
            write!(page, ".PP\n{text}")?;
        }
    }
    page.push_str(REST.trim_end());
    Ok(page)
}

/// How a command is called: the first form, without the word before it.
fn usage(command: &mut Command) -> String {
    let forms = command.render_usage().to_string();
    forms.trim_start_matches("Usage:").lines().next().unwrap_or_default().trim().to_owned()
}

/// The text of a section without its heading.
fn body(man: &Man, part: Part) -> anyhow::Result<String> {
    let mut section = Vec::new();
    part(man, &mut section)?;
    Ok(String::from_utf8(section)?.lines().skip(LINES_BEFORE_TEXT).flat_map(|line| [line, "\n"]).collect())
}
