//! Examples: the shapes of the gallery as formulas.

/// A formula with numbers for its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// The name of the target in the gallery that has this density, up to a constant.
    pub target: &'static str,
    /// The formula.
    pub text: &'static str,
    /// Names and values of its parameters: those of the target, unless they are changed.
    pub parameters: &'static [(&'static str, f64)],
    /// How many coordinates, from the first on, are between 0 and 1; the others are unbounded.
    pub unit: usize,
}

/// The shapes that a formula describes without data.
pub const EXAMPLES: [Example; 9] = [
    Example {
        target: "gaussian", text: "−(x² − 2 ρ x y + y²)/(2(1 − ρ²))", parameters: &[("ρ", 0.9)], unit: 0
    },
    Example {
        target: "gaussian-grid",
        text: "a = logsumexp(−(x + 2s)²/(2v), −(x + s)²/(2v), −x²/(2v), −(x − s)²/(2v), −(x − 2s)²/(2v))\n\
               b = logsumexp(−(y + 2s)²/(2v), −(y + s)²/(2v), −y²/(2v), −(y − s)²/(2v), −(y − 2s)²/(2v))\n\
               a + b",
        parameters: &[("s", 2.0), ("v", 0.03)],
        unit: 0,
    },
    Example {
        target: "banana",
        text: "−x²/(2s²) − (y − b*(x² − s²))²/(2w²)",
        parameters: &[("s", 2.0), ("b", 0.25), ("w", 1.0)],
        unit: 0,
    },
    Example {
        target: "squiggle",
        text: "−x²/(2s²) − (y − A sin(ω x))²/(2w²)",
        parameters: &[("s", 2.0), ("A", 1.5), ("ω", 1.5), ("w", 0.35)],
        unit: 0,
    },
    Example {
        target: "donut",
        text: "r = sqrt(x² + y²)\n−(r − R)²/(2σ²)",
        parameters: &[("R", 3.0), ("σ", 0.3)],
        unit: 0,
    },
    Example { target: "funnel", text: "−y²/(2s²) − y/2 − x² exp(−y)/2", parameters: &[("s", 3.0)], unit: 0 },
    Example {
        target: "double-well", text: "−h*((x/w)⁴ − 2(x/w)²)", parameters: &[("h", 1.0), ("w", 1.0)], unit: 0
    },
    Example {
        target: "beta-posterior",
        text: "(a − 1) ln(x) + (b − 1) ln(1 − x)",
        parameters: &[("a", 55.0), ("b", 55.0)],
        unit: 1,
    },
    Example {
        target: "beta-pair",
        text: "(a − 1) ln(x) + (b − 1) ln(1 − x) + (c − 1) ln(y) + (d − 1) ln(1 − y)",
        parameters: &[("a", 6.0), ("b", 16.0), ("c", 11.0), ("d", 11.0)],
        unit: 2,
    },
];
