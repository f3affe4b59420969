//! Vector instructions: loops compiled for the widest instruction set of the machine.
//!
//! The compiler turns a plain loop into vector code for the instruction set it is told to assume. [`Simd::dispatch`]
//! holds one copy of a [`Kernel`] per instruction set and calls the one that fits; the shape follows the crate `pulp`.
//! The choice is a value that is passed in, and it is only a matter of speed: results have the same bits.

use std::sync::OnceLock;

/// A family of vector instructions a [`Kernel`] is compiled for, narrowest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstructionSet {
    /// What every machine of the compilation target has: two lanes of `f64` on x86-64 (SSE2) and on 64-bit ARM (NEON).
    Baseline,
    /// Four lanes, x86-64 since about 2013.
    Avx2,
    /// Eight lanes, x86-64 servers and some desktops (F, CD, BW, DQ and VL).
    Avx512,
}

impl InstructionSet {
    /// Every set, narrowest first, whether this machine has it or not.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Whether this machine can run it.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512cd")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }
}

/// A loop to be compiled once for each instruction set.
///
/// Implementations hold the slices they work on. `run` must be `#[inline(always)]`, and so must everything it calls in
/// its loop, or the copies made for wider sets contain a call to narrow code: correct, but slow. It should consist of
/// plain loops over slices of equal length without early exits. Adding up one number over a slice stays serial, since
/// reordering a sum would change its bits.
pub trait Kernel {
    /// What the loop returns; often `()`, with results written to the slices.
    type Output;

    /// Runs the loop.
    fn run(self) -> Self::Output;
}

/// Proof that this machine has an [`InstructionSet`], and the means to use it.
///
/// Cheap to copy and to make; make one per population or batch and pass it down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Simd {
    // Private, since `dispatch` relies on availability having been checked.
    set: InstructionSet,
}

impl Simd {
    /// The instruction set of the compilation target; always there.
    pub const BASELINE: Self = Self { set: InstructionSet::Baseline };

    /// The widest set of this machine; looked up once.
    #[must_use]
    #[inline]
    pub fn widest() -> Self {
        static WIDEST: OnceLock<Simd> = OnceLock::new();
        *WIDEST.get_or_init(|| Self::available().last().unwrap_or(Self::BASELINE))
    }

    /// Exactly this set, or `None` if the machine lacks it. For tests and measurements.
    #[must_use]
    pub fn with(set: InstructionSet) -> Option<Self> {
        set.is_available().then_some(Self { set })
    }

    /// Every set this machine has, narrowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        InstructionSet::ALL.into_iter().filter_map(Self::with)
    }

    /// The set that [`dispatch`](Self::dispatch) uses.
    #[inline]
    #[must_use]
    pub fn instruction_set(self) -> InstructionSet {
        self.set
    }

    /// Runs the copy of `kernel` that was compiled for this instruction set.
    ///
    /// ```
    /// use sampler_base::math::elementary::{Kernel, Simd, exp};
    ///
    /// struct Bell<'a>(&'a mut [f64]);
    ///
    /// impl Kernel for Bell<'_> {
    ///     type Output = ();
    ///
    ///     #[inline(always)]
    ///     fn run(self) {
    ///         for x in self.0 {
    ///             *x = exp(-0.5 * *x * *x);
    ///         }
    ///     }
    /// }
    ///
    /// let mut x = [0.0, 1.0, 2.0];
    /// Simd::widest().dispatch(Bell(&mut x));
    /// assert_eq!(x[0], 1.0);
    /// ```
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calling code compiled for instructions that were checked to be present")
    )]
    pub fn dispatch<K: Kernel>(self, kernel: K) -> K::Output {
        match self.set {
            InstructionSet::Baseline => kernel.run(),
            // SAFETY: a `Simd` with this set exists only if `is_available` found these features on this machine.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => unsafe { run_avx2(kernel) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => unsafe { run_avx512(kernel) },
            #[cfg(not(target_arch = "x86_64"))]
            InstructionSet::Avx2 | InstructionSet::Avx512 => kernel.run(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512cd,avx512bw,avx512dq,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
