//! Built-in data: the distances in which cars of the 1920s came to a stop (M. Ezekiel 1930, "Methods of correlation analysis", Wiley).

/// Names of the columns: miles per hour, feet.
pub(super) const NAMES: [&str; 2] = ["speed", "distance"];

/// Speeds and distances of fifty trials.
const TRIALS: [(u8, u8); 50] = [
    (4, 2),
    (4, 10),
    (7, 4),
    (7, 22),
    (8, 16),
    (9, 10),
    (10, 18),
    (10, 26),
    (10, 34),
    (11, 17),
    (11, 28),
    (12, 14),
    (12, 20),
    (12, 24),
    (12, 28),
    (13, 26),
    (13, 34),
    (13, 34),
    (13, 46),
    (14, 26),
    (14, 36),
    (14, 60),
    (14, 80),
    (15, 20),
    (15, 26),
    (15, 54),
    (16, 32),
    (16, 40),
    (17, 32),
    (17, 40),
    (17, 50),
    (18, 42),
    (18, 56),
    (18, 76),
    (18, 84),
    (19, 36),
    (19, 46),
    (19, 68),
    (20, 32),
    (20, 48),
    (20, 52),
    (20, 56),
    (20, 64),
    (22, 66),
    (23, 54),
    (24, 70),
    (24, 92),
    (24, 93),
    (24, 120),
    (25, 85),
];

/// The numbers in a column.
pub(super) fn column(number: usize) -> Vec<f64> {
    TRIALS.iter().map(|(speed, distance)| f64::from(if number == 0 { *speed } else { *distance })).collect()
}
