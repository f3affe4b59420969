//! Deterministic runs on generated corpora: cyclic batches, ρ = (t + 1)^−0.7, a local tolerance of 10⁻⁹. Figures of an
//! independent program, to the digits that are stated.

use super::super::{
    Batches, Cavi, Completion, Corpus, Elbo, LocalStart, Matching, Order, Recipe, Smoothing, Topics, bars_found,
};
use super::{Model, first_lambda, local, model, rho, stream, svi, tight};
use base::math::Simd;

/// A corpus with its model and batch size.
struct Case {
    corpus: Corpus,
    model: Model,
    batch: usize,
    completion: Completion,
}

/// Figures of one moment: bound, held-out score, Σλ². What is not stated is NaN.
type Stated = (usize, f64, f64, f64);

const NOT: f64 = f64::NAN;

impl Case {
    fn new(recipe: &Recipe, (alpha, eta): (f64, f64), batch: usize) -> Self {
        let corpus = recipe.corpus(1);
        let (model, completion) =
            (model(&corpus, recipe.topics.count(), alpha, eta), Completion::new(&corpus.held_out));
        Self { corpus, model, batch, completion }
    }

    fn bars() -> Self {
        Self::new(&Recipe::bars(5), (0.2, 0.1), 50)
    }

    fn triangle() -> Self {
        Self::new(&Recipe::triangle(), (0.3, 0.5), 10)
    }

    fn segment() -> Self {
        Self::new(&Recipe::segment(), (0.5, 0.5), 10)
    }

    fn first(&self) -> Topics {
        first_lambda(self.model.topics, self.model.words)
    }

    fn bound(&self, lambda: &Topics) -> f64 {
        Elbo::at(lambda, &self.model, &self.corpus.training, &mut local(&self.model, tight())).total()
    }

    fn truth(&self) -> &Topics {
        &self.corpus.truth.as_ref().unwrap().topics
    }

    #[track_caller]
    fn compare(&self, what: &str, lambda: &Topics, stated: Stated) {
        self.compare_with(what, lambda, self.bound(lambda), stated);
    }

    #[track_caller]
    fn compare_with(&self, what: &str, lambda: &Topics, found: f64, (step, bound, score, squares): Stated) {
        let check = |name: &str, found: f64, stated: f64| {
            if !stated.is_nan() {
                assert!(((found - stated) / stated).abs() < 1e-7, "{what}, {name} at {step}: {found}, not {stated}");
            }
        };
        check("bound", found, bound);
        let found = self.completion.score_of(lambda, &mut local(&self.model, tight())).unwrap();
        check("held-out score", found, score);
        check("Σλ²", lambda.square_norm(), squares);
    }

    #[track_caller]
    fn truth_scores(&self, stated: f64) {
        let found = self.completion.score_of_known(self.truth(), &mut local(&self.model, tight())).unwrap();
        assert!(((found - stated) / stated).abs() < 1e-7, "{found}, not {stated}");
    }

    /// Runs to the last stated step; returns how many steps were guarded.
    #[track_caller]
    fn run(&self, smoothing: Smoothing, stated: &[Stated]) -> usize {
        let documents = &self.corpus.training;
        let mut svi = svi(self.model, tight(), smoothing, &self.first(), documents);
        let mut batches = Batches::new(Order::Cyclic, self.batch, documents.len());
        let (mut stream, mut guarded, mut step) = (stream(0), 0, 0);
        for &stated in stated {
            while step < stated.0 {
                step += 1;
                let record = svi.step(documents, batches.next(&mut stream), rho(step, 1.0, 0.7));
                guarded += usize::from(record.guarded);
            }
            self.compare(&format!("{smoothing:?}"), svi.lambda(), stated);
        }
        guarded
    }

    /// Runs sweeps; calls back with λ after the stated ones.
    #[track_caller]
    fn sweep(&self, start: LocalStart, stated: &[Stated], mut at: impl FnMut(usize, &Topics)) {
        let mut cavi = Cavi::new(Simd::widest(), self.model, tight(), start, self.first());
        for &stated in stated {
            while cavi.sweeps() < stated.0 as u64 {
                cavi.sweep(&self.corpus.training);
            }
            let bound = cavi.bound(&self.corpus.training).total();
            self.compare_with(&format!("{start:?}"), cavi.lambda(), bound, stated);
            at(stated.0, cavi.lambda());
        }
    }
}

const fn statistics(window: usize) -> Smoothing {
    Smoothing::Statistics { window }
}

const fn gradients(window: usize) -> Smoothing {
    Smoothing::Gradients { window }
}

#[test]
fn bars_by_plain_and_smoothed_steps() {
    let case = Case::bars();
    case.compare("start", &case.first(), (0, -373_024.226_4, -3.205_012_781_8, NOT));
    case.truth_scores(-2.700_947_332_7);
    let steps = [
        (1, -306_042.572_2, -2.976_647_444, 33_254_708.78),
        (10, -283_694.460_1, -2.776_592_432, 127_745_428.3),
        (60, -278_618.427_2, -2.745_039_053, 178_934_492.2),
    ];
    case.run(statistics(1), &steps);
    let ten = (10, -292_677.572_4, -2.851_032_815, 103_058_378.1);
    case.run(statistics(10), &[ten, (60, -280_302.649_4, -2.752_725_256, 156_555_959.7)]);
    case.run(Smoothing::Sag, &[ten, (60, -281_614.228_5, -2.760_747_258, 144_700_552.1)]);
    let steps =
        [(10, -299_370.938_0, -2.902_392_952, 139_704_571.6), (60, -279_573.911_5, -2.749_528_404, 165_884_354.3)];
    assert_eq!(case.run(gradients(10), &steps), 10);
}

#[test]
fn bars_by_sweeps() {
    let case = Case::bars();
    let sweeps = [
        (1, -306_477.279_5, -2.974_985_586, NOT),
        (2, -295_238.041_3, -2.865_053_628, NOT),
        (3, -290_086.743_5, -2.821_333_902, NOT),
        (5, -284_512.447, -2.777_951_48, NOT),
        (10, -278_536.084, -2.734_275_23, NOT),
    ];
    let bars = |found: &Topics| bars_found(case.truth(), &found.normalised());
    case.sweep(LocalStart::Fresh, &sweeps, |sweep, lambda| {
        let expected = [(5, 5), (10, 8)].iter().find(|(at, _)| *at == sweep).map_or(0, |(_, found)| *found);
        assert_eq!(bars(lambda), expected, "sweep {sweep}");
    });
    let sweeps = [
        (1, -313_456.805_2, -2.974_985_586, NOT),
        (2, -313_158.556_1, -2.952_589_632, NOT),
        (10, -313_122.978_4, -2.947_498_778, NOT),
    ];
    case.sweep(LocalStart::Kept, &sweeps, |sweep, lambda| assert_eq!(bars(lambda), 0, "sweep {sweep}"));
}

#[test]
fn triangle() {
    let case = Case::triangle();
    case.compare("start", &case.first(), (0, -25_492.462_195, -1.053_751_346_7, NOT));
    case.truth_scores(-0.895_549_012_8);
    let steps = [
        (1, -17_946.916_4, -0.949_151_155, 20_693_549.92),
        (10, -16_547.535_666, -0.898_921_287, 62_011_507.75),
        (100, -16_477.347_731, -0.897_956_729, 71_124_990.79),
    ];
    case.run(statistics(1), &steps);
    let steps =
        [(10, -16_778.211_688, -0.908_147_059, 54_678_947.60), (100, -16_488.330_341, -0.897_155_584, 68_795_555.97)];
    case.run(statistics(10), &steps);
    case.run(Smoothing::Sag, &[(100, -16_507.319_033, -0.897_331_180, 66_561_993.65)]);
    case.run(gradients(10), &[(100, -16_476.767_774, -0.898_233_159, 71_709_693.37)]);
}

#[test]
fn triangle_by_sweeps() {
    let case = Case::triangle();
    let sweeps = [
        (1, -17_065.333_262, -0.914_799_116, NOT),
        (2, -16_662.457_670, -0.899_448_288, NOT),
        (3, -16_548.935_899, -0.896_916_479, NOT),
    ];
    case.sweep(LocalStart::Fresh, &sweeps, |_, _| {});
    let sweeps = [
        (1, -17_127.898_313, NOT, NOT),
        (2, -16_756.349_937, NOT, NOT),
        (10, -16_517.290_322, NOT, NOT),
        (30, -16_514.689_704, NOT, NOT),
    ];
    let distance = |lambda: &Topics| Matching::new(case.truth(), &lambda.normalised()).mean_distance().unwrap();
    case.sweep(LocalStart::Kept, &sweeps, |sweep, lambda| {
        assert!(sweep < 30 || (distance(lambda) - 0.018_15).abs() < 6e-6, "{}", distance(lambda));
    });
}

#[test]
fn segment() {
    let case = Case::segment();
    case.truth_scores(-0.824_192_757);
    let steps = [
        (1, -8_807.810_226, -0.841_652_517, NOT),
        (10, -8_636.571_282, -0.827_615_350, NOT),
        (100, -8_593.421_050, -0.824_529_194, NOT),
    ];
    case.run(statistics(1), &steps);
    let sweeps = [
        (1, -8_922.187_587, -0.850_985_715, NOT),
        (10, -8_592.383_767, -0.824_503_977, NOT),
        (30, -8_580.492_328, -0.824_526_616, NOT),
    ];
    // The topics drift away from the truth while the bound rises.
    let distances = [(1, 0.148_9), (10, 0.010_9), (30, 0.047_6)];
    for start in [LocalStart::Fresh, LocalStart::Kept] {
        case.sweep(start, &sweeps, |sweep, lambda| {
            let found = Matching::new(case.truth(), &lambda.normalised()).mean_distance().unwrap();
            let stated = distances.iter().find(|(at, _)| *at == sweep).unwrap().1;
            assert!((found - stated).abs() < 6e-5, "sweep {sweep}: {found}, not {stated}");
        });
    }
}

#[test]
fn small_bars() {
    let case = Case::new(&Recipe::bars(4), (0.2, 0.1), 10);
    let steps = [(10, -21_689.320_285, -2.628_411_337, NOT), (100, -21_439.075_786, -2.599_561_034, NOT)];
    case.run(statistics(1), &steps);
    case.run(statistics(10), &[(100, -21_589.376_221, -2.615_031_626, NOT)]);
    case.run(Smoothing::Sag, &[(100, -21_604.095_051, -2.614_851_811, NOT)]);
}
