//! What people expect of a method who choose it.

use crate::schedules::{self, CYCLICAL};
use base::params::{Settings, Value};

/// A cyclical schedule in the place of one without cycles, from its first step size on.
pub(crate) fn in_cycles(settings: &mut Settings) {
    let Some(before) = settings.group("step_size").filter(|before| before.kind.name != CYCLICAL.name) else { return };
    let first = schedules::build(before, settings.count("steps")).map(|schedule| schedule.step_size(1));
    let mut cycles = Settings::defaults(CYCLICAL);
    if let Ok(first) = first {
        // A step size that a schedule has is one that this schedule may have.
        cycles.set("initial", Value::Number(first)).ok();
    }
    settings.set("step_size", Value::Group(cycles)).ok();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::{METHODS, set_usual};
    use base::params::find_kind;

    fn chosen(name: &str, changes: &[(&str, Value)]) -> Settings {
        let mut settings = Settings::defaults(find_kind(&METHODS, name).unwrap());
        changes.iter().for_each(|(path, value)| settings.set(path, value.clone()).unwrap());
        set_usual(&mut settings);
        settings
    }

    #[test]
    fn cyclical_methods_have_cycles_from_the_step_size_that_was() {
        let mut constant = Settings::defaults(find_kind(&schedules::SCHEDULES, "constant").unwrap());
        constant.set("value", Value::Number(0.02)).unwrap();
        let settings = chosen("csgld", &[("step_size", Value::Group(constant))]);
        let schedule = settings.group("step_size").unwrap();
        assert_eq!((schedule.kind.name, schedule.number("initial").to_bits()), ("cyclical", 0.02_f64.to_bits()));
        let mut own = Settings::defaults(CYCLICAL);
        own.set("cycles", Value::Number(7.0)).unwrap();
        let kept = chosen("csghmc", &[("step_size", Value::Group(own))]);
        assert_eq!(kept.group("step_size").unwrap().count("cycles"), 7, "cycles that are there stay");
    }

    #[test]
    fn nuts_adapts_and_does_not_collect_its_warm_up() {
        for (steps, warm_up) in [(5000.0, 1000), (600.0, 300)] {
            let settings = chosen("nuts", &[("steps", Value::Number(steps))]);
            assert!(settings.flag("adapt_step_size") && settings.word("mass") == "diagonal");
            assert_eq!(settings.count("warm_up"), warm_up);
            assert_eq!(settings.group("collect").unwrap().count("burn_in"), warm_up);
            assert!(crate::methods::build(&settings).is_ok());
        }
    }
}
