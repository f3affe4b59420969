//! Why the value of a parameter was refused, from what the session refused last.

use base::params::ParamError;
use engine::worker::Refusal;

/// A refusal of the value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The number of the refusal.
    pub number: u64,
    /// What is wrong, and what is allowed.
    pub why: String,
}

/// The refusal, if it is of the parameter with this path, of whichever run.
pub fn refused(refusal: Option<&Refusal>, path: &str) -> Option<Refused> {
    let refusal = refusal?;
    let is_of = |error: &&ParamError| {
        let before = error.path.strip_suffix(path);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    let error = refusal.errors.iter().find(is_of)?;
    Some(Refused { number: refusal.number, why: format!("{}; allowed: {}", error.problem, error.allowed) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_of_the_parameter_at_the_end_of_its_path() {
        let errors = vec![ParamError::new("run[1].step_size.sizes", "\"abc\" is no number", "numbers")];
        let refusal = Refusal { number: 3, errors };
        let expected = Refused { number: 3, why: "\"abc\" is no number; allowed: numbers".to_owned() };
        assert_eq!(refused(Some(&refusal), "step_size.sizes"), Some(expected));
        assert_eq!(refused(Some(&refusal), "sizes.x"), None);
        assert_eq!(refused(Some(&refusal), "size.sizes"), None);
        assert_eq!(refused(None, "step_size.sizes"), None);
    }
}
