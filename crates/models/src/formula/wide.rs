//! Tapes of any number of coordinates and values, as [`Tape`](super::tape::Tape) is one of two coordinates.

use base::math::Simd;
use base::math::elementary::Kernel;

use super::tape::{AT_ONCE, Instruction, LANES, Operand, Register, fill, read, with_registers};

/// Instructions for several values.
#[derive(Clone, Debug)]
pub(super) struct WideTape {
    pub(super) instructions: Vec<Instruction>,
    pub(super) registers: usize,
    pub(super) inputs: usize,
    pub(super) outputs: Vec<Operand>,
}

impl WideTape {
    /// Values at `count` points: `at` has the first coordinates of all points, then the second ones, and so on; `out` the same of values.
    pub(super) fn evaluate(&self, simd: Simd, count: usize, at: &[f64], out: &mut [f64]) {
        with_registers(self.registers, |registers| {
            simd.dispatch(Evaluation { tape: self, count, at, out, registers });
        });
    }
}

struct Evaluation<'a> {
    tape: &'a WideTape,
    count: usize,
    at: &'a [f64],
    out: &'a mut [f64],
    registers: &'a [Register],
}

impl Kernel for Evaluation<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tape, count, at, out, registers } = self;
        let mut from = 0;
        while from < count {
            let some = (count - from).min(AT_ONCE);
            for (input, register) in registers.iter().enumerate().take(tape.inputs) {
                let first = input * count + from;
                fill(register, &at[first..first + some]);
            }
            for instruction in &tape.instructions {
                instruction.run(registers, some.div_ceil(LANES));
            }
            for (number, output) in tape.outputs.iter().enumerate() {
                let first = number * count + from;
                read(registers, *output, &mut out[first..first + some]);
            }
            from += some;
        }
    }
}
