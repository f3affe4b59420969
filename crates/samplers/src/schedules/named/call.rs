//! A call as Python has it: a name, and arguments with or without names.

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call<'a> {
    /// Its last name, without those of modules.
    pub(super) name: &'a str,
    /// Names, if there are any, and values.
    pub(super) arguments: Vec<(Option<&'a str>, &'a str)>,
}

/// Reads a call, with or without a name that it is given, as in `scheduler = StepLR(optimizer, 30)`.
pub(super) fn read(text: &str) -> Option<Call<'_>> {
    let (before, rest) = text.trim().split_once('(')?;
    let inside = rest.trim_end().strip_suffix(')')?;
    let name = before.rsplit(['=', '.']).next()?.trim();
    let parts = inside.split(',').map(str::trim).filter(|part| !part.is_empty());
    let arguments = parts.map(|part| match part.split_once('=') {
        Some((name, value)) => (Some(name.trim()), value.trim()),
        None => (None, part),
    });
    Some(Call { name, arguments: arguments.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_python_is_read() {
        let call = read(" scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30, gamma = 0.5,) ").unwrap();
        assert_eq!(
            call,
            Call { name: "StepLR", arguments: vec![(None, "optimizer"), (None, "30"), (Some("gamma"), "0.5")] }
        );
        assert_eq!(read("StepLR()").unwrap().arguments, []);
        assert_eq!((read("a*(t + 1"), read("0.5")), (None, None));
    }
}
