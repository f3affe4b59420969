//! `completions`: a script with which a shell completes commands, options, their values, and names of lessons.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command};
use clap_complete::{Shell, generate};

use engine::scenario::LESSONS;

/// The argument that names a scenario, of the program and of its commands.
const SCENARIO: &str = "scenario";

/// The script of a shell for the program with this command line.
pub fn completions(shell: Shell, program: Command) -> String {
    let name = program.get_name().to_owned();
    // The scripts of the others complete either names or files, not both.
    let mut program = if matches!(shell, Shell::Bash | Shell::Fish) { with_lessons(program) } else { program };
    let mut script = Vec::new();
    generate(shell, &mut program, &name, &mut script);
    let script = String::from_utf8_lossy(&script);
    // The script for bash spells a name with a hyphen in two ways, where it notes the command and where it looks it up.
    script.trim_end().replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"))
}

/// The same command line, in which lessons are values of every scenario. Files are completed as well.
fn with_lessons(command: Command) -> Command {
    let lessons = LESSONS.iter().map(|lesson| PossibleValue::new(lesson.name));
    let lessons = PossibleValuesParser::new(lessons);
    let takes_scenario = command.get_arguments().any(|arg| arg.get_id() == SCENARIO);
    let named = |arg: Arg| arg.value_parser(lessons);
    let command = if takes_scenario { command.mut_arg(SCENARIO, named) } else { command };
    command.mut_subcommands(with_lessons)
}
