//! The papers that approximations come from.

use base::sources::{AISTATS, ICLR, ICML, NEURIPS, Printed, Source};

pub(super) const MACKAY: Source = Source {
    key: "mackay2003",
    authors: &["MacKay, David J. C."],
    title: "Information theory, inference, and learning algorithms",
    printed: Printed::Book("Cambridge University Press"),
    year: 2003,
    arxiv: "",
};

pub(super) const IMMER: Source = Source {
    key: "immer2021",
    authors: &["Immer, Alexander", "Korzepa, Maciej", "Bauer, Matthias"],
    title: "Improving predictions of Bayesian neural nets via local linearization",
    printed: AISTATS,
    year: 2021,
    arxiv: "2008.08400",
};

pub(super) const KINGMA_WELLING: Source = Source {
    key: "kingma2014",
    authors: &["Kingma, Diederik P.", "Welling, Max"],
    title: "Auto-encoding variational Bayes",
    printed: ICLR,
    year: 2014,
    arxiv: "1312.6114",
};

pub(super) const BLUNDELL: Source = Source {
    key: "blundell2015",
    authors: &["Blundell, Charles", "Cornebise, Julien", "Kavukcuoglu, Koray", "Wierstra, Daan"],
    title: "Weight uncertainty in neural networks",
    printed: ICML,
    year: 2015,
    arxiv: "1505.05424",
};

pub(super) const BLEI: Source = Source {
    key: "blei2017",
    authors: &["Blei, David M.", "Kucukelbir, Alp", "McAuliffe, Jon D."],
    title: "Variational inference: a review for statisticians",
    printed: Printed::Journal {
        name: "Journal of the American Statistical Association",
        volume: "112",
        pages: "859--877",
    },
    year: 2017,
    arxiv: "1601.00670",
};

pub(super) const HOFFMAN: Source = Source {
    key: "hoffman2013",
    authors: &["Hoffman, Matthew D.", "Blei, David M.", "Wang, Chong", "Paisley, John"],
    title: "Stochastic variational inference",
    printed: Printed::Journal { name: "Journal of Machine Learning Research", volume: "14", pages: "1303--1347" },
    year: 2013,
    arxiv: "1206.7051",
};

pub(super) const KHAN_RUE: Source = Source {
    key: "khan2023",
    authors: &["Khan, Mohammad Emtiyaz", "Rue, Håvard"],
    title: "The Bayesian learning rule",
    printed: Printed::Journal { name: "Journal of Machine Learning Research", volume: "24", pages: "" },
    year: 2023,
    arxiv: "2107.04562",
};

pub(super) const MANDT_BLEI: Source = Source {
    key: "mandt2014",
    authors: &["Mandt, Stephan", "Blei, David M."],
    title: "Smoothed gradients for stochastic variational inference",
    printed: NEURIPS,
    year: 2014,
    arxiv: "1406.3650",
};

pub(super) const MADDOX: Source = Source {
    key: "maddox2019",
    authors: &["Maddox, Wesley J.", "Garipov, Timur", "Izmailov, Pavel", "Vetrov, Dmitry", "Wilson, Andrew Gordon"],
    title: "A simple baseline for Bayesian uncertainty in deep learning",
    printed: NEURIPS,
    year: 2019,
    arxiv: "1902.02476",
};

pub(super) const WILSON_IZMAILOV: Source = Source {
    key: "wilson2020",
    authors: &["Wilson, Andrew Gordon", "Izmailov, Pavel"],
    title: "Bayesian deep learning and a probabilistic perspective of generalization",
    printed: NEURIPS,
    year: 2020,
    arxiv: "2002.08791",
};

pub(super) const GAL_GHAHRAMANI: Source = Source {
    key: "gal2016",
    authors: &["Gal, Yarin", "Ghahramani, Zoubin"],
    title: "Dropout as a Bayesian approximation: representing model uncertainty in deep learning",
    printed: ICML,
    year: 2016,
    arxiv: "1506.02142",
};

pub(super) const LIU_WANG: Source = Source {
    key: "liu2016",
    authors: &["Liu, Qiang", "Wang, Dilin"],
    title: "Stein variational gradient descent: a general purpose Bayesian inference algorithm",
    printed: NEURIPS,
    year: 2016,
    arxiv: "1608.04471",
};
