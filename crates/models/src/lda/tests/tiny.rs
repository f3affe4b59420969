//! Three documents over four words, to all the digits that are stated.

use super::super::{
    Cavi, Completion, Documents, Elbo, FullStatistics, LocalStart, Smoothing, Tolerance, Topics, Weights,
};
use super::{Model, local, near, rho, svi};
use base::math::Simd;
use base::platform::now;

const MODEL: Model = Model { topics: 2, words: 4, alpha: 0.5, eta: 0.25 };

const TIGHT: Tolerance = Tolerance { change: 1e-13, most_steps: 100_000 };

/// Half a unit of the tenth decimal.
const TEN: f64 = 0.6e-10;

pub(super) fn documents() -> Documents {
    Documents::of([&[0, 0, 0, 1][..], &[1, 2, 2, 3], &[0, 2, 3, 3]])
}

fn lambda() -> Topics {
    let rows = [[1.0, 0.8, 0.6, 0.4], [0.5, 0.7, 0.9, 1.1]];
    Topics::from_fn(2, 4, |topic, word| rows[topic][word])
}

#[track_caller]
fn matches(found: &Topics, stated: [f64; 8], tolerance: f64) {
    for topic in 0..2 {
        for (word, found) in found.topic(topic).enumerate() {
            near(&format!("λ of topic {topic}, word {word}"), found, stated[4 * topic + word], tolerance);
        }
    }
}

#[test]
fn local_steps() {
    let (documents, mut local) = (documents(), local(&MODEL, TIGHT));
    let weights = Weights::of(Simd::widest(), &lambda());
    let gammas =
        [[4.440_921_319_1, 0.559_078_680_9], [0.688_430_059_3, 4.311_569_940_7], [1.152_036_673_3, 3.847_963_326_7]];
    let shares = [
        &[0.990_214_250_7, 0.970_278_567_1][..],
        &[0.101_486_154_2, 0.038_363_612_3, 0.010_216_680_4],
        &[0.495_245_809_0, 0.100_561_250_1, 0.028_114_807_1],
    ];
    for document in 0..3 {
        let bag = documents.bag(document);
        local.fit(bag, &weights);
        for (found, stated) in local.share_parameters().iter().zip(gammas[document]) {
            near("γ", *found, stated, TEN);
        }
        for ((found, count), stated) in local.expected().chunks(2).zip(bag.counts).zip(shares[document]) {
            near("φ", found[0] / count, *stated, TEN);
        }
    }
}

#[test]
fn bound_in_its_seven_terms() {
    let bound = Elbo::at(&lambda(), &MODEL, &documents(), &mut local(&MODEL, TIGHT));
    near("E log p(β)", bound.topic_prior, 2.718_810_037_9, TEN);
    near("E log p(θ)", bound.share_prior, 0.772_274_551_3, TEN);
    near("E log p(z)", bound.assignments, -4.055_432_724_6, TEN);
    near("E log p(w)", bound.words, -20.262_618_481_8, TEN);
    near("H(z)", bound.assignment_entropy, 2.285_233_987_3, TEN);
    near("H(θ)", bound.share_entropy, -2.842_852_395_2, TEN);
    near("H(β)", bound.topic_entropy, -4.740_087_182_4, TEN);
    near("bound", bound.total(), -26.124_672_207_5, TEN);
}

/// After the first sweep eight decimals are stated.
#[test]
fn sweeps() {
    let documents = documents();
    for start in [LocalStart::Fresh, LocalStart::Kept] {
        let mut cavi = Cavi::new(Simd::widest(), MODEL, TIGHT, start, lambda());
        for (sweep, stated) in
            [-22.234_545_375_0, -21.844_605_342_8, -21.723_283_066_8, -21.700_908_100_0, -21.699_516_015_3]
                .into_iter()
                .enumerate()
        {
            cavi.sweep(&documents);
            let bound = Elbo::at(cavi.lambda(), &MODEL, &documents, &mut local(&MODEL, TIGHT)).total();
            near(&format!("bound after sweep {}", sweep + 1), bound, stated, TEN);
            if sweep == 0 {
                let stated = [
                    3.715_888_56,
                    1.321_764_72,
                    0.427_288_47,
                    0.316_446_29,
                    0.784_111_44,
                    1.178_235_28,
                    3.072_711_53,
                    3.183_553_71,
                ];
                matches(cavi.lambda(), stated, 0.6e-8);
            }
        }
        (0..200).for_each(|_| cavi.sweep(&documents));
        let stated = [
            4.239_707_716_9,
            1.290_207_684_0,
            0.253_297_856_5,
            0.255_745_913_9,
            0.260_292_283_1,
            1.209_792_316_0,
            3.246_702_143_5,
            3.244_254_086_1,
        ];
        matches(cavi.lambda(), stated, TEN);
        let bound = Elbo::at(cavi.lambda(), &MODEL, &documents, &mut local(&MODEL, TIGHT)).total();
        near("converged bound", bound, -21.699_465_899_3, TEN);
        let (weights, mut local) = (Weights::of(Simd::widest(), cavi.lambda()), local(&MODEL, TIGHT));
        let gammas = [
            [4.473_339_024_0, 0.526_660_976_0],
            [0.567_556_584_1, 4.432_443_415_9],
            [1.498_063_563_3, 3.501_936_436_7],
        ];
        for (document, stated) in gammas.into_iter().enumerate() {
            local.fit(documents.bag(document), &weights);
            near("γ", local.share_parameters()[0], stated[0], TEN);
            near("γ", local.share_parameters()[1], stated[1], TEN);
        }
    }
}

#[test]
fn statistics_and_the_variance_of_batches() {
    let (documents, mut local) = (documents(), local(&MODEL, TIGHT));
    let full = now(FullStatistics::at(&lambda(), &documents, &mut local));
    near("Q", full.squares, 20.370_724_192_1, TEN);
    near("‖S‖²", full.sum.square_norm(), 30.917_242_907_4, TEN);
    near("v, B = 1", full.variance(1), 30.194_929_669_0, TEN);
    near("v, B = 2, without replacement", full.variance_without_replacement(2), 7.548_732_417_2, TEN);
    near("the whole epoch", full.window_variance_in_epoch(1, 3), 0.0, 0.0);
}

#[test]
fn document_completion() {
    let score = Completion::new(&documents()).score_of(&lambda(), &mut local(&MODEL, TIGHT));
    near("score", score.unwrap(), -1.314_047_826_6, TEN);
}

/// λ after the first step, of all averages.
const FIRST_STEP: [f64; 8] = [
    6.024_256_187,
    2.253_264_842,
    0.384_549_728,
    0.307_664_169,
    0.400_321_466,
    0.477_879_571,
    0.499_878_066,
    0.576_763_624,
];

/// Averages, with λ after the third and the fifth step.
const STEPS: [(Smoothing, [f64; 8], [f64; 8]); 4] = [
    (
        Smoothing::Statistics { window: 1 },
        [
            3.273_212_510,
            1.040_822_591,
            0.313_094_799,
            0.288_643_355,
            0.337_806_878,
            1.066_186_190,
            3.178_854_914,
            3.476_563_588,
        ],
        [
            3.507_644_313,
            1.029_496_437,
            0.286_191_431,
            0.275_264_887,
            0.313_015_622,
            1.022_193_806,
            3.290_374_946,
            3.780_784_927,
        ],
    ),
    (
        Smoothing::Statistics { window: 2 },
        [
            3.989_890_031,
            1.479_260_455,
            0.309_210_652,
            0.277_587_289,
            0.348_030_937,
            1.196_142_039,
            2.887_602_578,
            2.487_460_843,
        ],
        [
            4.125_362_134,
            1.246_609_654,
            0.283_892_695,
            0.272_076_327,
            0.340_851_514,
            0.905_897_608,
            2.895_910_212,
            3.434_366_224,
        ],
    ),
    (
        Smoothing::Gradients { window: 2 },
        [
            4.823_639_360,
            1.722_919_845,
            0.256_867_680,
            0.253_433_222,
            0.314_156_433,
            1.251_237_412,
            3.053_997_656,
            2.493_952_272,
        ],
        [
            4.287_731_978,
            1.228_921_610,
            0.252_368_133,
            0.256_947_264,
            0.312_866_933,
            0.932_792_163,
            3.145_127_529,
            3.751_950_598,
        ],
    ),
    (
        Smoothing::Sag,
        [
            4.937_843_322,
            1.819_878_842,
            0.306_066_279,
            0.275_080_417,
            0.347_400_500,
            1.044_988_222,
            2.322_353_238,
            1.921_574_002,
        ],
        [
            4.562_207_860,
            1.570_027_432,
            0.282_207_650,
            0.266_293_550,
            0.317_101_609,
            1.106_220_414,
            2.796_778_238,
            2.604_129_615,
        ],
    ),
];

#[test]
fn stochastic_steps() {
    let (documents, batches) = (documents(), [&[0][..], &[1], &[2], &[0, 2], &[1, 2]]);
    for (smoothing, after_three, after_five) in STEPS {
        let mut svi = svi(MODEL, TIGHT, smoothing, &lambda(), &documents);
        for (step, batch) in (1..).zip(batches) {
            svi.step(&documents, batch, rho(step, 1.0, 0.7));
            let stated = [(1, FIRST_STEP), (3, after_three), (5, after_five)];
            for (_, stated) in stated.into_iter().filter(|(at, _)| *at == step) {
                matches(svi.lambda(), stated, 0.6e-9);
            }
        }
    }
}
