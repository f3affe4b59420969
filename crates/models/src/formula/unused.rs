//! Lines of a formula that change nothing.

use super::Formula;
use super::expression::{Expression, Read};
use super::numbered::COUNT;

impl Formula {
    /// Names of abbreviations of which neither the value nor a number that is reported beside the coordinates is made, in their order.
    #[must_use]
    pub fn unused_lines(&self) -> Vec<&str> {
        let read = &self.read;
        let is_root = |number: &usize| read.numbered.is_some() && read.names_a_number(*number);
        let roots = (0..read.abbreviations.len()).filter(is_root);
        let mut used = vec![false; read.abbreviations.len()];
        let mut open: Vec<&Expression> = vec![&read.value];
        for number in roots {
            used[number] = true;
            open.push(&read.abbreviations[number].1);
        }
        while let Some(next) = open.pop() {
            match next {
                Expression::Abbreviation(number) if !std::mem::replace(&mut used[*number], true) => {
                    open.push(&read.abbreviations[*number].1);
                }
                _ => open.extend(next.parts()),
            }
        }
        let lines = read.abbreviations.iter().zip(used);
        lines.filter(|(_, is_used)| !is_used).map(|((name, _), _)| name.as_str()).collect()
    }
}

impl Read {
    /// Whether a line of a formula in `x[1]`, `x[2]`, … says how many there are, or names a coordinate or a number made of coordinates alone.
    fn names_a_number(&self, number: usize) -> bool {
        let (name, of) = &self.abbreviations[number];
        let (mut open, mut is_made) = (vec![of], false);
        while let Some(next) = open.pop() {
            match next {
                Expression::Over(..) => return false,
                Expression::Coordinate(_) => is_made = true,
                Expression::Abbreviation(number) => open.push(&self.abbreviations[*number].1),
                _ => open.extend(next.parts()),
            }
        }
        name == COUNT || is_made && !self.by_row[number]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_change_nothing_are_found() {
        for (text, unused) in [
            ("-x^2", &[][..]),
            ("r = x\n-r^2", &[]),
            ("r = x\nq = r\n-x^2", &["r", "q"]),
            ("r = x\nq = r\n-q^2", &[]),
            ("s = 2\nr = if(x > s, x, 1)\n-r^2", &[]),
            ("m = mean(t[i])\nr = t[i] - m\nq = t[i]\n-sum(r^2) x^2", &["q"]),
            // Numbers in coordinates are reported.
            ("d = 3\nmu = x[1]\ntau = exp(x[2])\nc = 2\ns = sum(x[i])\n-sum(x[i]^2)", &["c", "s"]),
            ("c = 2\ntau = c exp(x[2])\n-x[1]^2 - x[2]^2", &[]),
            ("r = x[i] - t[i]\nq = 3 x[i]\n-sum(r^2) - x[2]^2", &["q"]),
        ] {
            assert_eq!(Formula::read(text).unwrap().unused_lines(), unused, "{text}");
        }
    }
}
