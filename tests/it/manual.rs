//! Tests of what the program prints for packages: the page for man and the completions of shells.

use std::process::{Command, Output};

use sampler_lab::scenario::LESSONS;
use tempfile::TempDir;

use super::cli::{call, folder_with};

/// What a command prints.
fn printed(arguments: &[&str]) -> String {
    let (code, out, err) = call(&TempDir::new().unwrap(), arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    out
}

/// The commands with their options, from the help.
fn commands_with_options() -> Vec<(String, Vec<String>)> {
    let help = printed(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names =
        list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
    let options = |name: &str| {
        let help = printed(&[name, "--help"]);
        let long = help.lines().filter_map(|line| line.trim_start().strip_prefix("--")?.split(' ').next());
        long.map(|name| format!("--{name}")).collect()
    };
    names.filter(|name| *name != "help").map(|name| (name.to_owned(), options(name))).collect()
}

/// Calls another program with a file; `None` if it is not installed.
fn with_file(program: &str, arguments: &[&str], text: &str) -> Option<Output> {
    let folder = folder_with("file", text);
    Command::new(program).args(arguments).arg("file").current_dir(&folder).env("LC_ALL", "C.UTF-8").output().ok()
}

#[test]
fn the_manual_has_every_command_and_option() {
    let page = printed(&["manual"]).replace("\\-", "-");
    let commands = commands_with_options();
    assert!(commands.len() >= 7 && commands.iter().any(|(_, options)| options.len() > 20), "{commands:?}");
    let part = page.split(".SH COMMANDS\n").nth(1).unwrap().split(".SH ").next().unwrap();
    for (name, options) in &commands {
        let section = part.split(&format!(".SS {name}\n")).nth(1).unwrap_or_else(|| panic!("no {name}"));
        let section = section.split("\n.SS ").next().unwrap();
        assert!(section.contains(&format!("sampler-lab {name}")), "{name}: no synopsis");
        for option in options {
            assert!(section.contains(&format!(".TP\n\\fB{option}\\fR")), "{name} {option}");
        }
    }
    for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"] {
        assert!(page.contains(&format!("\n.SH {heading}\n")), "{heading}");
    }
}

#[test]
fn the_manual_is_a_page_for_man() {
    let page = printed(&["manual"]);
    assert!(page.lines().nth(2).unwrap().starts_with(".TH sampler"), "{page}");
    // Letters once only, whatever the terminal: without colours, bold and underlined letters.
    let groff = ["-man", "-Tutf8", "-Kutf8", "-ww", "-P-cbou"];
    let Some(output) = with_file("groff", &groff, &page) else { return };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("SYNOPSIS") && text.contains("SCENARIO"), "{text}");
    let Some(damaged) = with_file("groff", &groff, &format!("{page}\n.XX\n")) else { return };
    assert!(!damaged.stderr.is_empty(), "groff says nothing of an unknown macro");
}

/// Each shell that is installed reads its script.
#[test]
fn completions_are_scripts_of_their_shells() {
    for (shell, word) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef sampler-lab"),
        ("fish", "complete -c sampler-lab"),
        ("elvish", "edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = printed(&["completions", shell]);
        assert!(script.contains(word), "{shell}");
        if ["bash", "zsh", "fish"].contains(&shell)
            && let Some(output) = with_file(shell, &["-n"], &script)
        {
            assert!(output.status.success() && output.stderr.is_empty(), "{shell}: {output:?}");
        }
    }
    assert_eq!(call(&TempDir::new().unwrap(), &["completions", "csh"]).0, 2);
}

#[test]
fn bash_completes_commands_options_values_and_lessons() {
    let script = printed(&["completions", "bash"]);
    let complete = |words: &str| {
        let call = format!(
            "{script}\nCOMP_WORDS=({words})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _sampler__lab sampler-lab \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"\necho \"${{COMPREPLY[*]}}\"\n"
        );
        let output = with_file("bash", &[], &call)?;
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        Some(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
    };
    if complete("sampler-lab re").is_none() {
        return;
    }
    let lesson = LESSONS[0].name;
    let start = &lesson[..lesson.len() - 2];
    for (words, expected) in [
        ("sampler-lab ren", "render"),
        ("sampler-lab render --pre", "--preset"),
        ("sampler-lab render --theme da", "dark"),
        ("sampler-lab run x --out y --dr", "--draws"),
        (&format!("sampler-lab {start}"), lesson),
        (&format!("sampler-lab check {start}"), lesson),
        ("sampler-lab completions e", "elvish"),
        // Nothing of ours: bash goes on with files.
        ("sampler-lab check ./", ""),
    ] {
        assert_eq!(complete(words).as_deref(), Some(expected), "{words}");
    }
}
