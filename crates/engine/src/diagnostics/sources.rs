//! The papers that measures come from, where a paper has introduced or defined them as they are here.

use base::sources::{BETANCOURT, ICML, Printed, Source};

const VEHTARI: Source = Source {
    key: "vehtari2021",
    authors: &["Vehtari, Aki", "Gelman, Andrew", "Simpson, Daniel", "Carpenter, Bob", "Bürkner, Paul-Christian"],
    title: "Rank-normalization, folding, and localization: an improved R-hat for assessing convergence of MCMC",
    printed: Printed::Journal { name: "Bayesian Analysis", volume: "16", pages: "667--718" },
    year: 2021,
    arxiv: "1903.08008",
};

const KISH: Source = Source {
    key: "kish1965",
    authors: &["Kish, Leslie"],
    title: "Survey sampling",
    printed: Printed::Book("John Wiley & Sons"),
    year: 1965,
    arxiv: "",
};

const GORHAM_MACKEY: Source = Source {
    key: "gorham2017",
    authors: &["Gorham, Jackson", "Mackey, Lester"],
    title: "Measuring sample quality with kernels",
    printed: ICML,
    year: 2017,
    arxiv: "1703.01717",
};

const GRETTON: Source = Source {
    key: "gretton2012",
    authors: &[
        "Gretton, Arthur",
        "Borgwardt, Karsten M.",
        "Rasch, Malte J.",
        "Schölkopf, Bernhard",
        "Smola, Alexander",
    ],
    title: "A kernel two-sample test",
    printed: Printed::Journal { name: "Journal of Machine Learning Research", volume: "13", pages: "723--773" },
    year: 2012,
    arxiv: "",
};

const JORDAN: Source = Source {
    key: "jordan1999",
    authors: &["Jordan, Michael I.", "Ghahramani, Zoubin", "Jaakkola, Tommi S.", "Saul, Lawrence K."],
    title: "An introduction to variational methods for graphical models",
    printed: Printed::Journal { name: "Machine Learning", volume: "37", pages: "183--233" },
    year: 1999,
    arxiv: "",
};

const GUO: Source = Source {
    key: "guo2017",
    authors: &["Guo, Chuan", "Pleiss, Geoff", "Sun, Yu", "Weinberger, Kilian Q."],
    title: "On calibration of modern neural networks",
    printed: ICML,
    year: 2017,
    arxiv: "1706.04599",
};

const HOULSBY: Source = Source {
    key: "houlsby2011",
    authors: &["Houlsby, Neil", "Huszár, Ferenc", "Ghahramani, Zoubin", "Lengyel, Máté"],
    title: "Bayesian active learning for classification and preference learning",
    printed: Printed::Preprint,
    year: 2011,
    arxiv: "1112.5745",
};

/// Keys of measures, with their papers. Others are of textbooks.
const SOURCES: &[(&[&str], Source)] = &[
    (
        &[
            "rhat",
            "ess_bulk",
            "ess_tail",
            "mcse_mean",
            "quantity_rhat",
            "quantity_ess",
            "rhat_functions",
            "ess_functions",
            "rhat_weights",
            "ess_weights",
        ],
        VEHTARI,
    ),
    (&["weight_ess"], KISH),
    (&["ksd"], GORHAM_MACKEY),
    (&["mmd2"], GRETTON),
    (&["elbo"], JORDAN),
    (&["ece_in"], GUO),
    (&["information_in"], HOULSBY),
    (&["divergences"], BETANCOURT),
];

/// The paper that the measure with a key comes from, if it is of one.
#[must_use]
pub fn source_of(key: &str) -> Option<&'static Source> {
    SOURCES.iter().find(|(keys, _)| keys.contains(&key)).map(|(_, source)| source)
}

#[cfg(test)]
mod tests {
    use super::super::all_measures;
    use super::*;

    #[test]
    fn every_key_is_that_of_a_measure() {
        let mut keys = SOURCES.iter().flat_map(|(keys, _)| keys.iter());
        assert!(keys.all(|key| all_measures().any(|spec| spec.key == *key)));
        assert!(source_of("rhat").is_some_and(|source| source.year == 2021) && source_of("tv").is_none());
    }
}
