//! The measures that pictures show. Noise floors take by far the longest, and only some pictures show them.

use super::Picture;
use engine::session::Session;

/// Computes all measures for some pictures, with complete noise floors if one of them shows floors.
pub fn measure(session: &mut Session, pictures: impl IntoIterator<Item = Picture>) {
    if pictures.into_iter().any(shows_floors) {
        session.measure_exactly();
    } else {
        session.measure();
    }
    session.analyse();
}

/// Whether a picture shows noise floors: where measures against the truth are told, or plotted.
fn shows_floors(picture: Picture) -> bool {
    match picture {
        Picture::Sheet | Picture::Panels | Picture::Readout => true,
        Picture::Canvas(_) => false,
        Picture::Plot(tab) => tab.study.repeats(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::sheet::{Dimensions, ExportOptions, Extras, render};
    use engine::scenario::read;

    // On the line noise floors and exact distributions are computed twenty times as fast.
    const RUNS: &str = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"double-well\"\n\
                        [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 90\nchains = 2\n\
                        [[run]]\nname = \"B\"\nmethod = \"svi\"\nsteps = 90\n";

    /// What is left out is not seen: each picture is the one that a session with all floors has, and some pictures need them.
    #[test]
    fn pictures_are_the_same_as_with_all_floors() {
        let drawn = |picture, measure: fn(&mut Session, Picture)| {
            let mut session = Session::new(read(RUNS, "x", Path::new("")).unwrap()).unwrap();
            session.advance(u64::MAX);
            measure(&mut session, picture);
            let size = Dimensions::of_points([500.0, 400.0], 1.0);
            let options = ExportOptions { picture, size, ..ExportOptions::default() };
            render(&session.frame(), &options, &Extras::default()).unwrap().pixels().to_vec()
        };
        let mut needed = Vec::new();
        for picture in Picture::all(2) {
            let with = drawn(picture, |session, _| measure(session, [Picture::Sheet]));
            let without = drawn(picture, |session, _| measure(session, [Picture::Canvas(0)]));
            assert!(drawn(picture, |session, picture| measure(session, [picture])) == with, "{picture:?}");
            needed.extend((with != without).then_some(picture));
        }
        assert!(needed.contains(&Picture::Readout) && needed.len() >= 2, "{needed:?}");
        assert!(needed.into_iter().all(shows_floors));
    }
}
