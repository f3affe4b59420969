//! The papers that methods come from; those of approximations stand with them.

use base::sources::{AISTATS, ICLR, ICLR_NAME, ICML, ICML_NAME, NEURIPS, Printed, Source};

pub(super) const WELLING_TEH: Source = Source {
    key: "welling2011",
    authors: &["Welling, Max", "Teh, Yee Whye"],
    title: "Bayesian learning via stochastic gradient Langevin dynamics",
    printed: Printed::PartOf { proceedings: ICML_NAME, pages: "681--688", url: "" },
    year: 2011,
    arxiv: "",
};

pub(super) const ZHANG: Source = Source {
    key: "zhang2020",
    authors: &["Zhang, Ruqi", "Li, Chunyuan", "Zhang, Jianyi", "Chen, Changyou", "Wilson, Andrew Gordon"],
    title: "Cyclical stochastic gradient MCMC for Bayesian deep learning",
    printed: Printed::PartOf { proceedings: ICLR_NAME, pages: "", url: "https://openreview.net/forum?id=rkeS1RVtPS" },
    year: 2020,
    arxiv: "1902.03932",
};

pub(super) const DENG: Source = Source {
    key: "deng2020",
    authors: &["Deng, Wei", "Lin, Guang", "Liang, Faming"],
    title: "A contour stochastic gradient Langevin dynamics algorithm for simulations of multi-modal distributions",
    printed: NEURIPS,
    year: 2020,
    arxiv: "2010.09800",
};

pub(super) const LI: Source = Source {
    key: "li2016",
    authors: &["Li, Chunyuan", "Chen, Changyou", "Carlson, David", "Carin, Lawrence"],
    title: "Preconditioned stochastic gradient Langevin dynamics for deep neural networks",
    printed: Printed::Proceedings("AAAI Conference on Artificial Intelligence"),
    year: 2016,
    arxiv: "1512.07666",
};

pub(super) const ROBERTS_TWEEDIE: Source = Source {
    key: "roberts1996",
    authors: &["Roberts, Gareth O.", "Tweedie, Richard L."],
    title: "Exponential convergence of Langevin distributions and their discrete approximations",
    printed: Printed::Journal { name: "Bernoulli", volume: "2", pages: "341--363" },
    year: 1996,
    arxiv: "",
};

pub(super) const LIVINGSTONE_ZANELLA: Source = Source {
    key: "livingstone2022",
    authors: &["Livingstone, Samuel", "Zanella, Giacomo"],
    title: "The Barker proposal: combining robustness and efficiency in gradient-based MCMC",
    printed: Printed::Journal {
        name: "Journal of the Royal Statistical Society: Series B",
        volume: "84",
        pages: "496--523",
    },
    year: 2022,
    arxiv: "1908.11812",
};

pub(super) const CHEN: Source = Source {
    key: "chen2014",
    authors: &["Chen, Tianqi", "Fox, Emily B.", "Guestrin, Carlos"],
    title: "Stochastic gradient Hamiltonian Monte Carlo",
    printed: ICML,
    year: 2014,
    arxiv: "1402.4102",
};

pub(super) const DING: Source = Source {
    key: "ding2014",
    authors: &["Ding, Nan", "Fang, Youhan", "Babbush, Ryan", "Chen, Changyou", "Skeel, Robert D.", "Neven, Hartmut"],
    title: "Bayesian sampling using stochastic gradient thermostats",
    printed: NEURIPS,
    year: 2014,
    arxiv: "",
};

pub(super) const ROBNIK: Source = Source {
    key: "robnik2023",
    authors: &["Robnik, Jakob", "De Luca, G. Bruno", "Silverstein, Eva", "Seljak, Uroš"],
    title: "Microcanonical Hamiltonian Monte Carlo",
    printed: Printed::Journal { name: "Journal of Machine Learning Research", volume: "24", pages: "" },
    year: 2023,
    arxiv: "2212.08549",
};

pub(super) const ROBNIK_SELJAK: Source = Source {
    key: "robnik2023fluctuation",
    authors: &["Robnik, Jakob", "Seljak, Uroš"],
    title: "Fluctuation without dissipation: microcanonical Langevin Monte Carlo",
    printed: Printed::Preprint,
    year: 2023,
    arxiv: "2303.18221",
};

pub(super) const DUANE: Source = Source {
    key: "duane1987",
    authors: &["Duane, Simon", "Kennedy, Anthony D.", "Pendleton, Brian J.", "Roweth, Duncan"],
    title: "Hybrid Monte Carlo",
    printed: Printed::Journal { name: "Physics Letters B", volume: "195", pages: "216--222" },
    year: 1987,
    arxiv: "",
};

pub(super) const NEAL_HMC: Source = Source {
    key: "neal2011",
    authors: &["Neal, Radford M."],
    title: "MCMC using Hamiltonian dynamics",
    printed: Printed::Chapter { book: "Handbook of Markov Chain Monte Carlo", publisher: "Chapman and Hall/CRC" },
    year: 2011,
    arxiv: "1206.1901",
};

pub(super) const HOFFMAN_GELMAN: Source = Source {
    key: "hoffman2014",
    authors: &["Hoffman, Matthew D.", "Gelman, Andrew"],
    title: "The No-U-Turn sampler: adaptively setting path lengths in Hamiltonian Monte Carlo",
    printed: Printed::Journal { name: "Journal of Machine Learning Research", volume: "15", pages: "1593--1623" },
    year: 2014,
    arxiv: "1111.4246",
};

pub(super) const METROPOLIS: Source = Source {
    key: "metropolis1953",
    authors: &[
        "Metropolis, Nicholas",
        "Rosenbluth, Arianna W.",
        "Rosenbluth, Marshall N.",
        "Teller, Augusta H.",
        "Teller, Edward",
    ],
    title: "Equation of state calculations by fast computing machines",
    printed: Printed::Journal { name: "The Journal of Chemical Physics", volume: "21", pages: "1087--1092" },
    year: 1953,
    arxiv: "",
};

pub(super) const HAARIO: Source = Source {
    key: "haario2001",
    authors: &["Haario, Heikki", "Saksman, Eero", "Tamminen, Johanna"],
    title: "An adaptive Metropolis algorithm",
    printed: Printed::Journal { name: "Bernoulli", volume: "7", pages: "223--242" },
    year: 2001,
    arxiv: "",
};

pub(super) const TER_BRAAK_VRUGT: Source = Source {
    key: "terbraak2008",
    authors: &["ter Braak, Cajo J. F.", "Vrugt, Jasper A."],
    title: "Differential evolution Markov chain with snooker updater and fewer chains",
    printed: Printed::Journal { name: "Statistics and Computing", volume: "18", pages: "435--446" },
    year: 2008,
    arxiv: "",
};

pub(super) const GEMAN: Source = Source {
    key: "geman1984",
    authors: &["Geman, Stuart", "Geman, Donald"],
    title: "Stochastic relaxation, Gibbs distributions, and the Bayesian restoration of images",
    printed: Printed::Journal {
        name: "IEEE Transactions on Pattern Analysis and Machine Intelligence",
        volume: "6",
        pages: "721--741",
    },
    year: 1984,
    arxiv: "",
};

pub(super) const GELFAND_SMITH: Source = Source {
    key: "gelfand1990",
    authors: &["Gelfand, Alan E.", "Smith, Adrian F. M."],
    title: "Sampling-based approaches to calculating marginal densities",
    printed: Printed::Journal {
        name: "Journal of the American Statistical Association",
        volume: "85",
        pages: "398--409",
    },
    year: 1990,
    arxiv: "",
};

pub(super) const NEAL_SLICE: Source = Source {
    key: "neal2003",
    authors: &["Neal, Radford M."],
    title: "Slice sampling",
    printed: Printed::Journal { name: "The Annals of Statistics", volume: "31", pages: "705--767" },
    year: 2003,
    arxiv: "",
};

pub(super) const GEYER: Source = Source {
    key: "geyer1991",
    authors: &["Geyer, Charles J."],
    title: "Markov chain Monte Carlo maximum likelihood",
    printed: Printed::Proceedings(
        "Computing Science and Statistics: Proceedings of the 23rd Symposium on the Interface",
    ),
    year: 1991,
    arxiv: "",
};

pub(super) const SYED: Source = Source {
    key: "syed2022",
    authors: &["Syed, Saifuddin", "Bouchard-Côté, Alexandre", "Deligiannidis, George", "Doucet, Arnaud"],
    title: "Non-reversible parallel tempering: a scalable highly parallel MCMC scheme",
    printed: Printed::Journal {
        name: "Journal of the Royal Statistical Society: Series B",
        volume: "84",
        pages: "321--350",
    },
    year: 2022,
    arxiv: "1905.02939",
};

pub(super) const KINGMA_BA: Source = Source {
    key: "kingma2015",
    authors: &["Kingma, Diederik P.", "Ba, Jimmy"],
    title: "Adam: a method for stochastic optimization",
    printed: ICLR,
    year: 2015,
    arxiv: "1412.6980",
};

pub(super) const PEARCE: Source = Source {
    key: "pearce2020",
    authors: &["Pearce, Tim", "Leibfried, Felix", "Brintrup, Alexandra", "Zaki, Mohamed", "Neely, Andy"],
    title: "Uncertainty in neural networks: approximately Bayesian ensembling",
    printed: AISTATS,
    year: 2020,
    arxiv: "1810.05546",
};

pub(super) const LAKSHMINARAYANAN: Source = Source {
    key: "lakshminarayanan2017",
    authors: &["Lakshminarayanan, Balaji", "Pritzel, Alexander", "Blundell, Charles"],
    title: "Simple and scalable predictive uncertainty estimation using deep ensembles",
    printed: NEURIPS,
    year: 2017,
    arxiv: "1612.01474",
};

pub(super) const ROBBINS_MONRO: Source = Source {
    key: "robbins1951",
    authors: &["Robbins, Herbert", "Monro, Sutton"],
    title: "A stochastic approximation method",
    printed: Printed::Journal { name: "The Annals of Mathematical Statistics", volume: "22", pages: "400--407" },
    year: 1951,
    arxiv: "",
};

pub(super) const CAUCHY: Source = Source {
    key: "cauchy1847",
    authors: &["Cauchy, Augustin-Louis"],
    title: "Méthode générale pour la résolution des systèmes d’équations simultanées",
    printed: Printed::Journal { name: "Comptes rendus de l’Académie des sciences", volume: "25", pages: "536--538" },
    year: 1847,
    arxiv: "",
};

pub(super) const GRIFFITHS_STEYVERS: Source = Source {
    key: "griffiths2004",
    authors: &["Griffiths, Thomas L.", "Steyvers, Mark"],
    title: "Finding scientific topics",
    printed: Printed::Journal {
        name: "Proceedings of the National Academy of Sciences",
        volume: "101",
        pages: "5228--5235",
    },
    year: 2004,
    arxiv: "",
};

pub(super) const PATTERSON_TEH: Source = Source {
    key: "patterson2013",
    authors: &["Patterson, Sam", "Teh, Yee Whye"],
    title: "Stochastic gradient Riemannian Langevin dynamics on the probability simplex",
    printed: NEURIPS,
    year: 2013,
    arxiv: "",
};
