//! Readers: the corpora that they make, and all that they refuse.

use std::borrow::Cow;

use super::{Apostrophes, Input, Pattern, Preparation, Source, StopWords, Unspaced, WordRules, aesop, read, tokens};
use crate::lda::{Completion, Corpus, Dropped, LeftOut, Recipe, Rule};
use base::math::{Purpose, Stream};
use base::params::ParamError;

fn file(key: &'static str, name: &str, bytes: impl AsRef<[u8]>) -> Source {
    Source { key, name: name.to_owned(), bytes: Cow::Owned(bytes.as_ref().to_vec()) }
}

fn csv(text: &str) -> Input {
    Input::Csv { file: file("path", "a.csv", text), columns: vec!["text".to_owned()], title: None }
}

fn uci(docword: &str, vocab: &str) -> Input {
    Input::Uci { docword: file("docword", "docword.txt", docword), vocab: file("vocab", "vocab.txt", vocab) }
}

/// All words stay, and no documents are held out.
fn everything() -> Preparation {
    Preparation { min_documents: 1, max_share: 1.0, holdout_every: None, ..Preparation::default() }
}

/// The fables keep words of three letters and more.
fn fables() -> Preparation {
    Preparation { words: WordRules { min_length: 3, ..WordRules::default() }, ..Preparation::default() }
}

/// The words that stay, by these rules.
fn words_by(rules: &WordRules, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    tokens::tokens(text, rules, |token| found.extend(token.rule.is_none().then(|| token.word.to_owned())));
    found
}

fn words(text: &str) -> Vec<String> {
    words_by(&WordRules::default(), text)
}

#[test]
fn words_are_segments_with_letters() {
    assert_eq!(words("The WOLF's cub, 3 rats; o'er it, “don’t”"), ["wolf", "cub", "rats", "er", "don"]);
    assert_eq!(
        words("rock'n'roll 'tis dogs' x-ray a1bcd ÉTÉ größe 狼狼狼 _under_line_ elec\u{ad}tion U.S.A."),
        ["rock", "tis", "dogs", "ray", "a1bcd", "été", "größe", "狼狼狼", "under_line", "election", "u.s.a"]
    );
    assert_eq!(words("it and the of"), [""; 0]);
    assert_eq!(StopWords::of(" Wolf \n\ncub"), StopWords::of("cub\nwolf"));
    assert_eq!(StopWords::of("FORE\u{302}T\nl’été"), StopWords::of("forêt\nl'e\u{301}te\u{301}"));
    // Persian has joiners within words, Ukrainian and Hebrew have apostrophes and quotes.
    assert_eq!(words("می\u{200c}خواهم об’єкт צה\"ל м'яч"), ["می\u{200c}خواهم", "об'єкт", "צה\"ל", "м'яч"]);
}

#[test]
fn letters_with_signs_are_whole_in_every_form() {
    let rules = WordRules { stop_words: StopWords::none(), ..WordRules::default() };
    let decomposed = "fore\u{302}t rivie\u{300}re l'e\u{301}lection de\u{301}pute\u{301} gou\u{302}ter";
    assert_eq!(words_by(&rules, decomposed), ["forêt", "rivière", "élection", "député", "goûter"]);
    assert_eq!(words_by(&rules, "हिन्दी, व्यापार। बाज़ार"), ["हिन्दी", "व्यापार", "बाज\u{93c}ार"]);
    assert_eq!(words_by(&rules, "AI, UK & EU go: ox"), ["ai", "uk", "eu", "go", "ox"]);
    let longer = WordRules { min_length: 3, ..rules };
    assert_eq!(words_by(&longer, "AI ox pig हिन्दी की"), ["pig", "हिन्दी"], "signs do not count");
}

#[test]
fn what_a_word_is_can_be_chosen() {
    let rules = || WordRules { stop_words: StopWords::of("aujourd'hui\nthe"), ..WordRules::default() };
    let text = "wolf’s l'été aujourd'hui the 1984 3.14 a 机器 学习";
    assert_eq!(words_by(&rules(), text), ["wolf", "été", "机器", "学习"]);
    let keep = WordRules { apostrophes: Apostrophes::Keep, numbers: true, ..rules() };
    assert_eq!(words_by(&keep, text), ["wolf's", "l'été", "1984", "3.14", "机器", "学习"]);
    let split = WordRules { apostrophes: Apostrophes::Split, min_length: 1, ..rules() };
    assert_eq!(words_by(&split, text), ["wolf", "s", "l", "été", "a", "机器", "学习"]);
    let characters = WordRules { unspaced: Unspaced::Characters, ..rules() };
    assert_eq!(words_by(&characters, "机器学习 ox x カメラ"), ["机", "器", "学", "习", "ox", "カメラ"]);
    let pattern = |text: &str| WordRules { pattern: Some(Pattern::of(text).unwrap()), ..rules() };
    assert_eq!(words_by(&pattern(r"\S+"), text), ["wolf's", "l'été", "1984", "3.14", "a", "机器", "学习"]);
    assert_eq!(words_by(&pattern(r"#(\w+)"), "#Go #gopher go #the"), ["go", "gopher"]);
    assert_eq!(words_by(&pattern("x*"), "xx y"), ["xx"], "an empty match is no word");
    for (wrong, reason) in [("[a-", "unclosed character class"), ("a{9999999}", ""), ("(?=a)", "look-around")] {
        let error = Pattern::of(wrong).unwrap_err();
        assert!(error.path == "pattern" && error.problem.contains(reason), "{error}");
    }
}

/// Letters of a script, and signs that may follow any of them.
const SCRIPTS: [(&str, &str); 12] = [
    ("abcdeghijklmnoprstuvwxyzABCDEGHIJKLMNOPRSTUVWXYZ", "\u{300}\u{301}\u{302}\u{308}\u{327}\u{328}"),
    ("αβγδεζηθικλμνξοπρτυφχψωΑΒΓΔ", "\u{301}\u{308}\u{345}"),
    ("абвгдежзиклмнопрстуфхцчшАБВ", "\u{306}\u{308}"),
    ("कखगघचजटडतदनपबमयरलवशसह", "\u{93c}\u{93e}\u{93f}\u{940}\u{94d}\u{902}"),
    ("কখগঘচজটডতদনপবমযরলশসহ", "\u{9bc}\u{9be}\u{9bf}\u{9cd}\u{9c7}"),
    ("கஙசஞடணதநபமயரலவ", "\u{bbe}\u{bbf}\u{bc6}\u{bcd}"),
    ("ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "\u{64b}\u{64e}\u{651}\u{652}"),
    ("אבגדהוזחטיכלמנסעפצקרשת", "\u{5b0}\u{5b4}\u{5b8}\u{5bc}"),
    ("가나다라마바사아자차카타파하각난", ""),
    ("กขคงจชซดตทนบปพมยรลวสหอ", "\u{e31}\u{e34}\u{e48}\u{e49}"),
    ("中国经济银行机器学习政策", ""),
    ("あいうえおかきくけこさしすせそ", "\u{3099}"),
];

/// Words of many scripts, joined by separators, come out whole: in NFC and in NFD, and short ones are counted.
#[test]
fn words_of_all_scripts_come_out_as_they_were_put_together() {
    use unicode_normalization::UnicodeNormalization;

    let mut stream = Stream::derive(5, Purpose::Measure, 0, 0);
    let mut below = |most: usize| stream.below(most as u32) as usize;
    for case in 0..600 {
        let (mut text, mut expected, mut short) = (String::new(), Vec::new(), 0);
        for _ in 0..40 {
            let (letters, signs) = SCRIPTS[(case + below(3)) % SCRIPTS.len()];
            let (letters, signs): (Vec<char>, Vec<char>) = (letters.chars().collect(), signs.chars().collect());
            let length = 1 + below(7);
            let mut word = String::new();
            for _ in 0..length {
                word.push(letters[below(letters.len())]);
                if !signs.is_empty() && below(3) == 0 {
                    word.push(signs[below(signs.len())]);
                }
            }
            let word: String = word.nfc().collect();
            let put: String = if below(2) == 0 { word.nfd().collect() } else { word.clone() };
            text += &put;
            text += [" ", ", ", "; ", "\n", " – ", " (", "…", "。", "! ", "?\t"][below(10)];
            let lower: String = word.to_lowercase().nfc().collect();
            if length < 2 {
                short += 1;
            } else {
                expected.push(lower);
            }
        }
        let rules = WordRules { stop_words: StopWords::none(), ..WordRules::default() };
        let (mut found, mut left) = (Vec::new(), 0);
        tokens::tokens(&text, &rules, |token| match token.rule {
            None => found.push(token.word.to_owned()),
            Some(rule) => {
                assert_eq!(rule, Rule::MinLength, "{}", token.word);
                left += 1;
            }
        });
        assert_eq!((found, left), (expected, short), "{text}");
    }
}

fn common_words() -> LeftOut {
    LeftOut { rule: Rule::MaxShare, words: 1, tokens: 10, most: vec!["wolf".to_owned()] }
}

/// Everything that is left out is counted by its rule: kept and left out together are all words.
#[test]
fn what_is_left_out_is_counted() {
    let text = "the theme theme ox pig 1984 l'été\ntheme cow pig of rare\ntheme hen pig cow\n";
    let preparation = Preparation {
        words: WordRules { min_length: 3, ..WordRules::default() },
        min_documents: 2,
        max_share: 0.7,
        max_words: None,
        holdout_every: None,
        seed: 1,
    };
    let error = refused(&Input::Text(file("path", "a.txt", text)), &preparation);
    assert_eq!(
        error,
        [
            "corpus: words that stay: 1; of 17 tokens 15 are left out: stop_words 2 (2 words: of, the); numbers 1 (1 word: 1984); \
          min_length 1 (1 word: ox); apostrophes 1 (1 word: l); min_documents 3 (3 words: hen, rare, été); max_share 7 (2 words: \
          theme, pig); allowed: at least 2 words"
        ]
    );
    let corpus =
        read(&Input::Text(file("path", "a.txt", text)), &Preparation { max_share: 1.0, ..preparation }).unwrap();
    let dropped = &corpus.dropped;
    let by = |rule: Rule| dropped.words.iter().find(|left| left.rule == rule).map(|left| (left.words, left.tokens));
    assert_eq!((by(Rule::StopWords), by(Rule::MinDocuments), by(Rule::MaxShare)), (Some((2, 2)), Some((3, 3)), None));
    assert_eq!((dropped.kept, dropped.tokens()), (9, 8));
    assert_eq!([0, 1, 2].map(|document| corpus.training.left_out(document)), [5, 2, 1]);
    assert_eq!(dropped.in_words(), None, "nothing is worth a warning");
    // Each of several warnings is a sentence.
    let common = Dropped { emptied: 1, words: vec![common_words()], kept: 2, ..Dropped::default() };
    assert_eq!(
        common.in_words().as_deref(),
        Some(
            "1 document is left out: 0 without words, 1 with none of the words that stay. Left out of 12 tokens are: max_share 10 (1 \
             word: wolf)"
        )
    );
    let undivided = "机器学习方法研究进展\n机器学习方法研究进展\n机器学习方法研究进展 其他\n其他";
    let corpus = read(&Input::Text(file("path", "a.txt", undivided)), &everything()).unwrap();
    assert!(corpus.dropped.in_words().is_some_and(|words| words.contains("unspaced = \"characters\"")));
}

#[test]
fn the_fables_are_as_stated() {
    let corpus = aesop(&Preparation { holdout_every: None, ..fables() }).unwrap();
    let sizes = |corpus: &Corpus| (corpus.training.len(), corpus.words(), corpus.training.token_count());
    assert_eq!((sizes(&corpus), corpus.training.entry_count()), ((311, 1176, 9466), 7587));
    let lengths = (0..311).map(|document| corpus.training.tokens(document).len());
    assert_eq!((lengths.clone().min(), lengths.max()), (Some(8), Some(109)));
    assert_eq!(corpus.training.name(0), "The Wolf And The Lamb");
    assert!(corpus.vocabulary.is_sorted());
    let corpus = aesop(&fables()).unwrap();
    assert_eq!((corpus.training.len(), corpus.held_out.len(), corpus.words()), (280, 31, 1176));
    let unigram = Completion::new(&corpus.held_out).unigram(&corpus.training, corpus.words(), 0.5).unwrap();
    assert!((unigram + 6.8727).abs() < 5e-5, "{unigram}");
    let corpus = aesop(&Preparation { max_words: Some(50), ..fables() }).unwrap();
    assert_eq!(corpus.words(), 50);
    assert!(corpus.vocabulary.is_sorted() && corpus.vocabulary.contains(&"fox".to_owned()));
}

/// The counts of generated bars in the UCI format.
fn docword(corpus: &Corpus) -> (String, String) {
    let documents = &corpus.training;
    let mut lines = format!("{}\n{}\n{}\n", documents.len(), corpus.words(), documents.entry_count());
    for document in 0..documents.len() {
        let bag = documents.bag(document);
        for (word, count) in bag.words.iter().zip(bag.counts) {
            lines.push_str(&format!("{} {} {count}\n", document + 1, word + 1));
        }
    }
    (lines, corpus.vocabulary.join("\n"))
}

#[test]
fn counts_give_the_bags_that_they_were_made_from() {
    let bars = Recipe::bars(4).corpus(1);
    let (docword, vocab) = docword(&bars);
    let corpus = read(&uci(&docword, &vocab), &everything()).unwrap();
    assert_eq!((corpus.training.len(), &corpus.vocabulary), (200, &bars.vocabulary));
    let mut moved = 0;
    for document in 0..200 {
        assert_eq!(corpus.training.bag(document), bars.training.bag(document));
        moved += usize::from(!corpus.training.tokens(document).is_sorted());
    }
    assert_eq!(moved, 200, "tokens are shuffled");
    assert_eq!(read(&uci(&docword, &vocab), &everything()).unwrap(), corpus);
    let other = read(&uci(&docword, &vocab), &Preparation { seed: 2, ..everything() }).unwrap();
    assert_ne!(other.training.tokens(0), corpus.training.tokens(0));
}

#[test]
fn documents_without_words_are_dropped_and_counted() {
    let corpus = read(&uci("4\n2\n3\n1 1 2\n4 2 1\n4 1 1\n", "wolf\nlamb\n"), &everything()).unwrap();
    assert_eq!((corpus.training.len(), corpus.dropped.empty, corpus.dropped.emptied), (2, 2, 0));
    assert_eq!(corpus.training.name(1), "document 4");
    let text = "wolf lamb fox\n\nwolf lamb\nand the\ncrow\n";
    let preparation = Preparation { min_documents: 2, ..everything() };
    let corpus = read(&Input::Text(file("path", "a.txt", text)), &preparation).unwrap();
    assert_eq!((corpus.training.len(), corpus.dropped.empty, corpus.dropped.emptied), (2, 1, 1));
    assert_eq!((corpus.vocabulary, corpus.training.name(1)), (vec!["lamb".to_owned(), "wolf".to_owned()], "line 3"));
}

#[test]
fn a_folder_has_a_document_in_each_file() {
    let files = vec![file("path", "b.txt", "wolf lamb\nlamb"), file("path", "a.txt", "fox lamb")];
    let corpus = read(&Input::Folder(files), &everything()).unwrap();
    assert_eq!((corpus.training.name(0), corpus.training.tokens(1)), ("a.txt", &[2, 1, 1][..]));
}

#[test]
fn cells_are_quoted_as_in_rfc_4180() {
    let text = "title,text\r\nOne,\"wolf, \"\"lamb\"\"\nfox\"\r\nTortoise,lamb fox\r\n";
    let corpus = read(&csv(text), &everything()).unwrap();
    assert_eq!(corpus.training.tokens(0).len(), 3);
    let Input::Csv { file, .. } = csv(text) else { panic!() };
    let columns = ["title", "text"].map(str::to_owned).to_vec();
    let input = Input::Csv { file, columns, title: Some("title".to_owned()) };
    let corpus = read(&input, &everything()).unwrap();
    assert_eq!((corpus.training.name(1), corpus.training.tokens(1).len()), ("Tortoise", 3));
}

/// Files with bytes changed, removed or repeated are read or refused.
#[test]
fn damaged_files_are_read_or_refused() {
    let (docword, vocab) = docword(&Recipe { documents: 4, ..Recipe::bars(4) }.corpus(1));
    let table = "title,text\nOne,\"wolf's \"\"lamb\"\"\nfox\"\nTortoise,hare and fox\nThree,é狼 crow\n";
    let mut stream = Stream::derive(1, Purpose::Measure, 0, 0);
    let mut damaged = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=stream.below(3) {
            let at = stream.below(bytes.len() as u32) as usize;
            match stream.below(4) {
                0 => bytes[at] = stream.below(256) as u8,
                1 => drop(bytes.drain(at..(at + 5).min(bytes.len() - 1).max(at))),
                2 => bytes.insert(at, b"\"\n, 0-9'"[stream.below(8) as usize]),
                _ => bytes.truncate(at + 1),
            }
        }
        bytes
    };
    let (mut read_number, mut refused_number) = (0, 0);
    for _ in 0..2000 {
        let inputs = [
            Input::Uci {
                docword: file("docword", "docword.txt", damaged(&docword)),
                vocab: file("vocab", "vocab.txt", vocab.as_bytes()),
            },
            Input::Csv { file: file("path", "a.csv", damaged(table)), columns: vec!["text".to_owned()], title: None },
            Input::Text(file("path", "a.txt", damaged(table))),
        ];
        for input in inputs {
            match read(&input, &everything()) {
                Ok(corpus) => {
                    assert!(corpus.training.len() > 1 && corpus.words() > 1);
                    read_number += 1;
                }
                Err(errors) => {
                    assert!((1..=20).contains(&errors.len()) && errors.iter().all(|error| !error.allowed.is_empty()));
                    refused_number += 1;
                }
            }
        }
    }
    assert!(read_number > 500 && refused_number > 500, "{read_number} {refused_number}");
}

/// The path and the text of every error.
fn refused(input: &Input, preparation: &Preparation) -> Vec<String> {
    read(input, preparation).unwrap_err().iter().map(ParamError::to_string).collect()
}

#[test]
fn everything_wrong_with_counts_is_refused_at_once() {
    let docword = "2\n3\n9\n1 1 1\n3 1 1\n1 4 1\n1 2 0\n1 2 -1\n1 2\nx 1 1\n1 1 5\n2 2 1.5\n";
    let errors = refused(&uci(docword, "a\nb\n"), &everything());
    let entry = "a line with the numbers of a document and of a word, from 1, and a count of at least 1";
    assert_eq!(
        errors,
        [
            "vocab: vocab.txt: there are 2 words, but docword.txt announces 3; allowed: as many lines as the second line of \
             the counts says",
            "docword: docword.txt, line 5: there is no document 3; allowed: 1 to 2",
            "docword: docword.txt, line 6: there is no word 4; allowed: 1 to 3",
            "docword: docword.txt, line 7: the count is 0; allowed: a count of at least 1",
            &format!("docword: docword.txt, line 8: \"1 2 -1\" is not an entry; allowed: {entry}"),
            &format!("docword: docword.txt, line 9: \"1 2\" is not an entry; allowed: {entry}"),
            &format!("docword: docword.txt, line 10: \"x 1 1\" is not an entry; allowed: {entry}"),
            &format!("docword: docword.txt, line 12: \"2 2 1.5\" is not an entry; allowed: {entry}"),
            "docword: docword.txt, line 11: word 1 of document 1 is on line 4 too; allowed: one line for each word of a \
             document",
        ]
    );
    for (docword, expected) in [
        ("2\n2\n3\n1 1 1\n2 1 1\n", "docword.txt, line 3: there are fewer entries than the announced 3"),
        ("2\n2\n1\n1 1 1\n2 1 1\n", "docword.txt, line 3: there are more entries than the announced 1"),
        ("2\n2\n2\n1 1 60000000\n2 1 1\n", "docword.txt: the counts add up to too many words"),
        ("0\n2\n2\n", "docword.txt, line 1: \"0\" is not a number of documents; allowed: a number from 1 to 50000"),
        ("2\nmany\n2\n", "docword.txt, line 2: \"many\" is not a number of words"),
        ("60000\n2\n6000000\n", "docword.txt, line 3: \"6000000\" is not a number of entries"),
        ("", "docword.txt, line 3: \"\" is not a number of entries"),
    ] {
        let errors = refused(&uci(docword, "a\nb\n"), &everything()).join("\n");
        assert!(errors.contains(expected), "{errors}");
    }
}

#[test]
fn what_is_no_text_is_refused_line_by_line() {
    let bytes = [&b"wolf lamb\n"[..], b"\xff\x81\n", b"f\xf6x\n", b"f\0x"].concat();
    let errors = refused(&Input::Text(file("path", "a.txt", bytes)), &everything());
    let expected = |line| {
        format!(
            "path: a.txt, line {line}: this is not text in UTF-8, in UTF-16 with a byte order mark, or in Windows-1252; allowed: a text file in UTF-8"
        )
    };
    assert_eq!(errors, [expected(2), expected(4)]);
    let folder = vec![file("path", "b.txt", b"\x81\xff"), file("path", "a.txt", "wolf")];
    assert_eq!(refused(&Input::Folder(folder), &everything()).len(), 1);
    // Half of a character.
    let half = file("path", "a.txt", b"\xff\xfea\0b");
    assert_eq!(refused(&Input::Text(half), &everything()).len(), 1);
}

/// The same words, whatever the files are encoded in; a guess is told.
#[test]
fn texts_are_read_in_several_encodings() {
    let text = "Löwe Größe\nLöwe café\nGröße café Löwe\n";
    let rows = format!("text\n{text}");
    let western = |text: &str| text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect::<Vec<u8>>();
    let utf16 = |text: &str, of: fn(u16) -> [u8; 2]| {
        std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(of).collect::<Vec<u8>>()
    };
    let (le, be) = (u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes as fn(u16) -> [u8; 2]);
    let all: [(Vec<u8>, Vec<u8>, usize); 5] = [
        (text.into(), rows.clone().into(), 0),
        (format!("\u{feff}{text}").into(), format!("\u{feff}{rows}").into(), 0),
        (utf16(text, le), utf16(&rows, le), 0),
        (utf16(text, be), utf16(&rows, be), 0),
        (western(text), western(&rows), 1),
    ];
    for (lines, rows, guessed) in all {
        let table = Input::Csv { file: file("path", "a.csv", rows), columns: vec!["text".to_owned()], title: None };
        let folder = Input::Folder(vec![file("path", "a.txt", &lines), file("path", "b.txt", "Löwe café")]);
        for input in [Input::Text(file("path", "a.txt", &lines)), table, folder] {
            let corpus = read(&input, &everything()).unwrap();
            assert_eq!(corpus.vocabulary, ["café", "größe", "löwe"]);
            assert_eq!(corpus.dropped.guessed, guessed);
            let is_told = corpus.dropped.in_words().is_some_and(|words| words.contains("read as Windows-1252"));
            assert_eq!(is_told, guessed > 0);
        }
    }
}

#[test]
fn at_most_twenty_errors_are_named() {
    let lines = "1 3 1\n".repeat(57);
    let errors = refused(&uci(&format!("2\n2\n57\n{lines}"), "a\nb\n"), &everything());
    assert_eq!(errors.len(), 20);
    assert!(errors[19].contains("and 38 more errors"), "{}", errors[19]);
}

#[test]
fn columns_are_found_by_their_names() {
    for (text, expected) in [
        ("title,body\na,b\n", "column: a.csv, line 1: there is no column \"text\"; allowed: \"title\", \"body\""),
        ("", "column: a.csv, line 1: there is no column \"text\"; allowed: a header"),
        (
            "text,text\na,b\n",
            "column: a.csv, line 1: there are two columns \"text\"; allowed: a name that one column has",
        ),
        (
            "title,text\na,b\n\nc\n",
            "path: a.csv, line 4: there are 1 cells, and none in column 2; allowed: a cell for every column of the header",
        ),
    ] {
        assert_eq!(refused(&csv(text), &everything()), [expected]);
    }
}

#[test]
fn a_corpus_has_two_documents_and_two_words() {
    let text = "wolf lamb fox\nwolf crow\nwolf\n";
    let input = Input::Text(file("path", "a.txt", text));
    assert_eq!(
        refused(&input, &Preparation { min_documents: 2, ..everything() }),
        [
            "corpus: words that stay: 1; of 6 tokens 3 are left out: min_documents 3 (3 words: crow, fox, lamb); allowed: at least 2 \
          words"
        ]
    );
    assert_eq!(
        refused(&input, &Preparation { max_share: 0.5, max_words: Some(1), ..everything() }),
        [
            "corpus: documents to learn from: 1; 0 have no words, 2 none that stay, 0 are held out; allowed: at least 2 \
             documents",
            "corpus: words that stay: 1; of 6 tokens 5 are left out: max_share 3 (1 word: wolf); max_words 2 (2 words: fox, lamb); \
             allowed: at least 2 words",
        ]
    );
    let all_held_out = Preparation { holdout_every: Some(1), ..everything() };
    assert!(refused(&input, &all_held_out)[0].contains("3 are held out"));
    let many = "wolf lamb\n".repeat(50_001);
    let errors = refused(&Input::Text(file("path", "a.txt", many)), &everything());
    assert_eq!(errors, ["path: a.txt: there are too many documents; allowed: at most 50000 documents"]);
}

#[test]
fn a_corpus_has_at_most_five_million_pairs() {
    let words: Vec<String> =
        (0..101_u8).map(|word| format!("a{}{}", char::from(b'a' + word / 26), char::from(b'a' + word % 26))).collect();
    let many = format!("{}\n", words.join(" ")).repeat(50_000);
    assert_eq!(
        refused(&Input::Text(file("path", "a.txt", many)), &everything()),
        ["corpus: the documents have 5050000 pairs of a document and a word of it; allowed: at most 5000000"]
    );
}

/// Files of every format tell how far they are, and can be stopped at any place.
#[test]
fn reading_can_be_stopped_on_the_way() {
    use super::{Progress, read_telling};
    let (docword, vocab) = docword(&Recipe::bars(5).corpus(1));
    let lines = "wolf lamb fox\n".repeat(3000);
    let inputs = [
        uci(&docword, &vocab),
        Input::Text(file("path", "a.txt", &lines)),
        csv(&format!("text\n{lines}")),
        Input::Folder((0..20).map(|number| file("path", &format!("{number}.txt"), "wolf lamb")).collect()),
    ];
    for input in inputs {
        let progress = Progress::default();
        assert!(read_telling(&input, &everything(), &progress).is_ok());
        assert!(progress.share().is_some_and(|share| share > 0.9 && share <= 1.0), "{:?}", progress.share());
        progress.stop();
        let errors = read_telling(&input, &everything(), &progress).unwrap_err();
        assert_eq!(
            errors.iter().map(ParamError::to_string).collect::<Vec<_>>(),
            ["corpus: reading was stopped; allowed: reading to the end"]
        );
        assert!(progress.share().is_some_and(|share| share < 0.1), "{:?}", progress.share());
    }
}

#[test]
fn files_are_read_from_a_folder() {
    use super::{Paths, Progress, load_stop_words};
    let load = |paths: &Paths, folder: &std::path::Path, preparation: &Preparation| {
        super::load(paths, folder, preparation, &Progress::default())
    };
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/data");
    let title = || "title".to_owned();
    let csv = |column: &str| Paths::Csv("aesop.csv".into(), vec![title(), column.to_owned()], Some(title()));
    assert_eq!(load(&csv("text"), &folder, &fables()), aesop(&fables()));
    assert_eq!(load_stop_words("stopwords.txt".as_ref(), &folder), Ok(StopWords::english()));
    for (paths, expected) in [
        (csv("body"), "there is no column \"body\""),
        (Paths::Text("none.txt".into()), "path: none.txt: there is no such file"),
        (Paths::Text(".".into()), "path: .: this is not a file"),
        (Paths::Folder("none".into()), "path: none: there is no such file"),
        (Paths::Uci("none.txt".into(), "stopwords.txt".into()), "docword: none.txt: there is no such file"),
    ] {
        let errors = load(&paths, &folder, &Preparation::default()).unwrap_err();
        assert!(errors.len() == 1 && errors[0].to_string().contains(expected), "{errors:?}");
    }
    let folder = load(&Paths::Folder(".".into()), &folder, &Preparation::default()).unwrap_err();
    assert!(folder[0].problem.contains("documents to learn from: 0"), "{folder:?}");
}
