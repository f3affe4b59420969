//! Any text as a formula: it is read and differentiated, or refused with an error at a place in the text, a problem and a remedy.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sampler_lab::formula::{Form, Formula};

fuzz_target!(|text: &str| match Formula::read(text) {
    Ok(formula) => {
        let numbers = vec![0.5; formula.parameters().count()];
        if formula.is_in_vectors() {
            // Coordinates may be missing until there are data, and derivatives be too large.
            let _density = formula.in_vectors(&numbers, Form::LogDensity);
        } else {
            let density = formula.density(&numbers, Form::Density).expect("what is read has few enough parts");
            let _values = (density.value(0.3, -0.7), density.gradient(0.3, -0.7), density.hessian(0.3, -0.7));
        }
        let set = formula.typeset(Form::Density, 30.0, &|text, _| text.len() as f32);
        assert!(set.size.iter().all(|size| size.is_finite()));
    }
    Err(error) => {
        assert!(error.at.start <= error.at.end && error.at.end <= text.chars().count());
        assert!(!error.problem.is_empty() && !error.allowed.is_empty() && error.to_string().len() < 3000);
    }
});
