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
    use crate::methods::{METHODS, set_usual, set_usual_unless};
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

    /// What a file says nothing of is as people know the method; what it says stays.
    #[test]
    fn files_that_say_nothing_of_it_adapt() {
        let read = |name: &str, budget: Option<f64>, said: &[(&str, Value)]| {
            let mut settings = Settings::defaults(find_kind(&METHODS, name).unwrap());
            said.iter().for_each(|(path, value)| settings.set(path, value.clone()).unwrap());
            let keys: Vec<&str> = said.iter().map(|(path, _)| path.split('.').next().unwrap()).collect();
            set_usual_unless(&mut settings, budget, |key| keys.contains(&key));
            settings
        };
        let burn_in = |settings: &Settings| settings.group("collect").unwrap().count("burn_in");
        let steps = ("steps", Value::Number(5000.0));
        for name in ["nuts", "hmc"] {
            let settings = read(name, None, std::slice::from_ref(&steps));
            assert_eq!((settings.flag("adapt_step_size"), settings.word("mass")), (true, "diagonal"), "{name}");
            assert_eq!((settings.count("warm_up"), burn_in(&settings)), (1000, 1000));
            for said in [
                ("adapt_step_size", Value::Flag(false)),
                ("adapt_step_size", Value::Flag(true)),
                ("mass", Value::Choice("unit")),
                ("mass", Value::Choice("diagonal")),
            ] {
                let mut expected = Settings::defaults(find_kind(&METHODS, name).unwrap());
                expected.set("steps", Value::Number(5000.0)).unwrap();
                expected.set(said.0, said.1.clone()).unwrap();
                assert_eq!(read(name, None, &[steps.clone(), said]), expected, "{name}");
            }
            let step_size = Value::Group(Settings::defaults(find_kind(&schedules::SCHEDULES, "constant").unwrap()));
            assert!(!read(name, None, &[("step_size", step_size)]).flag("adapt_step_size"), "{name}");
            let own = read(name, None, &[steps.clone(), ("warm_up", Value::Number(300.0))]);
            assert_eq!((own.flag("adapt_step_size"), own.count("warm_up"), burn_in(&own)), (true, 300, 300));
            let longer = read(name, None, &[steps.clone(), ("collect.burn_in", Value::Number(2000.0))]);
            assert_eq!((longer.count("warm_up"), burn_in(&longer)), (1000, 2000));
            let bound = read(name, Some(700.0), &[("chains", Value::Number(2.0))]);
            assert!(bound.flag("adapt_step_size") && (1..=175).contains(&bound.count("warm_up")), "{name}");
            assert_eq!(bound.count("steps"), Settings::defaults(find_kind(&METHODS, name).unwrap()).count("steps"));
        }
        let silent = read("hmc", None, &[("metropolis", Value::Flag(false))]);
        assert!(!silent.flag("adapt_step_size") && silent.word("mass") == "unit", "no acceptance to adapt to");
        assert!(read("mclmc", None, &[]).flag("tune"));
        assert_eq!(read("csgld", None, &[]).group("step_size").unwrap().kind.name, "cyclical");
        assert_eq!(read("sgld", None, &[]), Settings::defaults(find_kind(&METHODS, "sgld").unwrap()));
    }
}
