//! Prints the digests of all lessons.

fn main() {
    for line in (0..).map_while(digests::line_of) {
        println!("{line}");
    }
}
