//! Generated corpora: the same documents as in every other program.

use super::super::{Documents, Recipe};

/// FNV-1a of the counts of all words in all documents, a byte each.
fn checksum(documents: &Documents, words: usize) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for document in 0..documents.len() {
        let tokens = documents.tokens(document);
        for word in 0..words {
            let count = tokens.iter().filter(|token| **token as usize == word).count() as u64;
            hash = (hash ^ count).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

#[test]
fn checksums_are_met() {
    for (recipe, training, held_out) in [
        (Recipe::bars(5), 0x6a60_45d3_5a3f_db19, 0xf678_736e_ab95_0f7b),
        (Recipe::bars(4), 0xb3c1_5e7a_0b3f_6d65, 0xb929_369d_0cc8_9355),
        (Recipe::triangle(), 0x545b_d333_9a59_7811, 0x5ee6_3b53_860b_e50b),
        (Recipe::segment(), 0x2898_fc2a_fb43_99f1, 0x46d5_9b96_dd43_c8c5),
    ] {
        let corpus = recipe.corpus(1);
        assert_eq!(checksum(&corpus.training, corpus.words()), training);
        assert_eq!(checksum(&corpus.held_out, corpus.words()), held_out);
        assert_eq!(corpus.training.token_count(), recipe.documents * recipe.length);
    }
}

#[test]
fn the_first_document_of_bars_is_known() {
    let corpus = Recipe::bars(5).corpus(1);
    let theta = [
        0.001_777_2,
        0.009_591_68,
        0.525_120_91,
        0.193_029_12,
        0.026_659_3,
        0.000_035_67,
        0.000_015_66,
        0.000_318_08,
        0.127_915_76,
        0.115_536_63,
    ];
    for (found, stated) in corpus.truth.unwrap().shares.iter().zip(theta) {
        assert!((found - stated).abs() < 5e-9, "{found}, not {stated}");
    }
    assert_eq!(corpus.training.tokens(0)[..10], [12, 18, 18, 18, 13, 23, 10, 24, 10, 14]);
    assert_eq!(corpus.training.word_counts(25)[..4], [3979.0, 4175.0, 4009.0, 4124.0]);
    assert_eq!(corpus.training.entry_count(), 16_732);
}

#[test]
fn the_corpus_of_griffiths_and_steyvers_has_its_size() {
    let corpus = Recipe::griffiths_steyvers().corpus(1);
    assert_eq!((corpus.training.len(), corpus.words()), (2000, 25));
}
