//! Suggestions for a name that is not known, such as one that is misspelt.

/// The longest name for which others are looked for.
const LONGEST_WORD: usize = 64;

/// The names that are near another, the nearest first: but for a few slips the same, of equals the one with most of the same letters. Letters in
/// another order are one slip.
fn near<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    if name.len() > LONGEST_WORD {
        return Vec::new();
    }
    let name = name.to_lowercase();
    let most = (name.chars().count() / 3).clamp(1, 3);
    let away = |candidate: &'n str| {
        let lower = candidate.to_lowercase();
        (strsim::damerau_levenshtein(&name, &lower), letters_apart(&name, &lower), candidate)
    };
    let mut found: Vec<(usize, usize, &str)> = names.map(away).filter(|(slips, ..)| *slips <= most).collect();
    found.sort_by_key(|&(slips, letters, _)| (slips, letters));
    found.into_iter().map(|(.., candidate)| candidate).collect()
}

/// How many letters one of two words has and the other has not.
fn letters_apart(a: &str, b: &str) -> usize {
    let mut left: Vec<char> = b.chars().collect();
    let missing = a.chars().filter(|letter| match left.iter().position(|other| other == letter) {
        Some(at) => {
            left.swap_remove(at);
            false
        }
        None => true,
    });
    let missing = missing.count();
    missing + left.len()
}

/// `, did you mean "variance"?` for the nearest of the names, if one is near; empty otherwise.
pub(super) fn suggestion<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    near(name, names).first().map_or_else(String::new, |candidate| format!(", did you mean \"{candidate}\"?"))
}

/// At most so many names that may be meant by another: those that are near it, then those that have it within them or all of its words.
#[must_use]
pub fn meant<'n>(name: &str, names: &[&'n str], most: usize) -> Vec<&'n str> {
    let lower = name.to_lowercase();
    let words = || lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 2);
    let is_within = |candidate: &&&'n str| words().next().is_some() && words().all(|word| candidate.contains(word));
    let mut found = near(name, names.iter().copied());
    let within: Vec<&str> = names.iter().filter(is_within).copied().filter(|other| !found.contains(other)).collect();
    found.extend(within);
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_names_that_are_as_near_the_one_with_the_same_letters_is_meant() {
        let methods = ["sgd", "sgld", "csgld", "sghmc"];
        assert_eq!(suggestion("sgdl", methods.into_iter()), ", did you mean \"sgld\"?");
        assert_eq!(suggestion("sglld", ["sgrld", "sgld"].into_iter()), ", did you mean \"sgld\"?");
        assert_eq!(suggestion("nuts", methods.into_iter()), "");
        assert_eq!(suggestion(&"x".repeat(100), methods.into_iter()), "");
    }

    #[test]
    fn names_that_are_meant_are_near_or_have_the_words() {
        let lessons = ["step-sizes", "range-test", "step-size-too-large", "burn-in"];
        assert_eq!(meant("step-size", &lessons, 5), ["step-sizes", "step-size-too-large"]);
        assert_eq!(meant("burnin", &lessons, 5), ["burn-in"]);
        assert_eq!(meant("sizes-step", &lessons, 5), ["step-sizes"]);
        assert_eq!(meant("zebra", &lessons, 5), [""; 0]);
        assert_eq!(meant("step", &lessons, 1).len(), 1);
    }
}
