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
    /// Where x and y are: `everywhere`, `between` 0 and 1, or `above` 0.
    pub support: [&'static str; 2],
}

const EVERYWHERE: [&str; 2] = ["everywhere"; 2];

/// The shapes that a formula describes with few numbers.
pub const EXAMPLES: [Example; 11] = [
    Example {
        target: "gaussian",
        text: "−(x² − 2 ρ x y + y²)/(2(1 − ρ²))",
        parameters: &[("ρ", 0.9)],
        support: EVERYWHERE,
    },
    Example {
        target: "gaussian-grid",
        text: "a = logsumexp(−(x + 2s)²/(2v), −(x + s)²/(2v), −x²/(2v), −(x − s)²/(2v), −(x − 2s)²/(2v))\n\
               b = logsumexp(−(y + 2s)²/(2v), −(y + s)²/(2v), −y²/(2v), −(y − s)²/(2v), −(y − 2s)²/(2v))\n\
               a + b",
        parameters: &[("s", 2.0), ("v", 0.03)],
        support: EVERYWHERE,
    },
    Example {
        target: "three-modes",
        text: "h = s/(2sqrt(3)); t = x + s/2; u = x − s/2; v = y + h; w = y − 2h\n\
               logsumexp(ln(a/sqrt(0.45)) − (0.7t² − t v + v²)/0.9, ln(b/sqrt(0.09)) − (0.4u² + 0.2u v + 0.25v²)/0.18, \
               ln(c/sqrt(0.12)) − x²/1.6 − w²/0.3)",
        parameters: &[("s", 6.0), ("a", 5.0), ("b", 3.0), ("c", 2.0)],
        support: EVERYWHERE,
    },
    Example {
        target: "banana",
        text: "−x²/(2s²) − (y − b*(x² − s²))²/(2w²)",
        parameters: &[("s", 2.0), ("b", 0.25), ("w", 1.0)],
        support: EVERYWHERE,
    },
    Example {
        target: "squiggle",
        text: "−x²/(2s²) − (y − A sin(ω x))²/(2w²)",
        parameters: &[("s", 2.0), ("A", 1.5), ("ω", 1.5), ("w", 0.35)],
        support: EVERYWHERE,
    },
    Example {
        target: "donut",
        text: "r = sqrt(x² + y²)\n−(r − R)²/(2σ²)",
        parameters: &[("R", 3.0), ("σ", 0.3)],
        support: EVERYWHERE,
    },
    Example {
        target: "funnel",
        text: "−y²/(2s²) − y/2 − x² exp(−y)/2",
        parameters: &[("s", 3.0)],
        support: EVERYWHERE,
    },
    Example {
        target: "double-well",
        text: "−h*((x/w)⁴ − 2(x/w)²)",
        parameters: &[("h", 1.0), ("w", 1.0)],
        support: EVERYWHERE,
    },
    Example {
        target: "beta-posterior",
        text: "(a − 1) ln(x) + (b − 1) ln(1 − x)",
        parameters: &[("a", 55.0), ("b", 55.0)],
        support: ["between", "everywhere"],
    },
    Example {
        target: "beta-pair",
        text: "(a − 1) ln(x) + (b − 1) ln(1 − x) + (c − 1) ln(y) + (d − 1) ln(1 − y)",
        parameters: &[("a", 6.0), ("b", 16.0), ("c", 11.0), ("d", 11.0)],
        support: ["between", "between"],
    },
    Example {
        target: "normal-gamma",
        text: "(a − 1/2) ln(y) − b y − λ y*(x − m)²/2",
        parameters: &[("a", 6.0), ("b", 3.880_909_090_909_091), ("λ", 11.0), ("m", 0.872_727_272_727_272_7)],
        support: ["everywhere", "above"],
    },
];
