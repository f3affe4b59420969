//! The two coordinates of many that are drawn, where a scenario names none, one or both.

/// The coordinates along x and y from those that are named and two different usual ones; `None` if one is named for both. Where the one
/// that is named is the usual one of the other axis, that axis has the other usual one.
pub(in crate::targets) fn two(named: [Option<usize>; 2], usual: [usize; 2]) -> Option<[usize; 2]> {
    let [x, y] = usual;
    match named {
        [Some(one), Some(other)] => (one != other).then_some([one, other]),
        [Some(one), None] => Some([one, if one == y { x } else { y }]),
        [None, Some(other)] => Some([if other == x { y } else { x }, other]),
        [None, None] => Some(usual),
    }
}

#[cfg(test)]
mod tests {
    use super::two;

    #[test]
    fn the_usual_coordinate_gives_way_to_one_that_is_named() {
        let usual = [0, 1];
        assert_eq!(two([None, None], usual), Some([0, 1]));
        assert_eq!(two([Some(1), None], usual), Some([1, 0]));
        assert_eq!(two([None, Some(0)], usual), Some([1, 0]));
        assert_eq!(two([Some(2), None], usual), Some([2, 1]));
        assert_eq!(two([None, Some(3)], usual), Some([0, 3]));
        assert_eq!(two([Some(2), Some(2)], usual), None);
    }
}
