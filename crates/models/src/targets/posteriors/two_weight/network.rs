//! The two networks, with their derivatives by the weights.

use std::fmt::Debug;

use base::math::Point;
use base::math::elementary::tanh;

/// The largest |t (1 − t²)| for |t| ≤ 1 is 2/(3√3); this is a little more than twice that.
const TWICE_BEND: f64 = 0.77;

/// A function of one input with two weights.
pub(super) trait Network: Copy + Debug + Send + Sync + 'static {
    /// Whether f is w₂ times a function of w₁.
    const LINEAR: bool = false;

    /// f and its derivatives by both weights; must be inlined.
    fn slopes(self, first: f64, second: f64, x: f64) -> (f64, f64, f64);

    /// The second derivatives by both weights: ∂²f/∂w₁², ∂²f/∂w₁∂w₂, ∂²f/∂w₂².
    fn bends(self, first: f64, second: f64, x: f64) -> (f64, f64, f64);

    /// The diagonal of a matrix A with Σ (∇f ∇fᵀ − (y − f) ∇²f) ≼ A, where neither weight is larger than those of `size`.
    fn largest_curvature(self, sums: &Sums, size: Point) -> Point;
}

/// Sums over the data of which bounds of the curvature are made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// N.
    pub(super) n: f64,
    /// Σ |x|.
    pub(super) x: f64,
    /// Σ x².
    pub(super) xx: f64,
    /// Σ |xy|.
    pub(super) xy: f64,
    /// Σ x²|y|.
    pub(super) xxy: f64,
}

impl Sums {
    /// The sums of one datum.
    pub(super) fn of(x: f64, y: f64) -> Self {
        let (x, y) = (x.abs(), y.abs());
        Self { n: 1.0, x, xx: x * x, xy: x * y, xxy: x * x * y }
    }

    /// Both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            n: self.n + other.n,
            x: self.x + other.x,
            xx: self.xx + other.xx,
            xy: self.xy + other.xy,
            xxy: self.xxy + other.xxy,
        }
    }
}

/// w₂ tanh(w₁x): with t = tanh(w₁x), the derivatives are w₂x(1 − t²) and t.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product;

impl Network for Product {
    const LINEAR: bool = true;

    #[inline(always)]
    fn slopes(self, first: f64, second: f64, x: f64) -> (f64, f64, f64) {
        let t = tanh(first * x);
        (second * t, second * (x * (1.0 - t * t)), t)
    }

    fn bends(self, first: f64, second: f64, x: f64) -> (f64, f64, f64) {
        let t = tanh(first * x);
        let slope = x * (1.0 - t * t);
        (-2.0 * second * (x * (t * slope)), slope, 0.0)
    }

    /// With S = 1 − t²: entry 11 is w₂²x²S(S − 2t²) + 2y w₂x²tS ≤ w₂²x² + 0.77 |y w₂| x², entry 22 is t² ≤ 1, and entry 12,
    /// 2w₂xtS − yxS, whose size is at most 0.77 |w₂x| + |xy|, is added to both.
    fn largest_curvature(self, sums: &Sums, size: Point) -> Point {
        let outer = size.y;
        let mixed = TWICE_BEND * outer * sums.x + sums.xy;
        Point::new(outer * outer * sums.xx + TWICE_BEND * outer * sums.xxy + mixed, sums.n + mixed)
    }
}

/// tanh(w₁x + 1) + tanh(w₂x + 1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum;

impl Network for Sum {
    #[inline(always)]
    fn slopes(self, first: f64, second: f64, x: f64) -> (f64, f64, f64) {
        let (t, u) = (tanh(first * x + 1.0), tanh(second * x + 1.0));
        (t + u, x * (1.0 - t * t), x * (1.0 - u * u))
    }

    fn bends(self, first: f64, second: f64, x: f64) -> (f64, f64, f64) {
        let bend = |t: f64| -2.0 * (x * x) * (t * (1.0 - t * t));
        (bend(tanh(first * x + 1.0)), 0.0, bend(tanh(second * x + 1.0)))
    }

    /// With S = 1 − t² and |y − f| ≤ |y| + 2: entries 11 and 22 are x²S² + 2(y − f)x²tS ≤ x² + 0.77 (|y| + 2) x²; entry 12,
    /// at most x², is added to both.
    fn largest_curvature(self, sums: &Sums, _size: Point) -> Point {
        Point::repeat((2.0 + 2.0 * TWICE_BEND) * sums.xx + TWICE_BEND * sums.xxy)
    }
}
