//! Tape: a list of instructions that evaluates expressions at many points side by side.
//!
//! An instruction works on up to [`AT_ONCE`] points. Its results are in a register, which is used again once nobody needs
//! them, so that all registers stay in the fastest cache. All functions are portable, so the bits at a point are the same on
//! every machine, whatever the other points are.

use std::cell::{Cell, RefCell};

use base::math::Simd;
use base::math::elementary::{self, Kernel, ln, log1p_exp, sigmoid, sin_cos_2pi, tanh};

/// Points that are evaluated at once, instruction by instruction. Those who evaluate more do so in parts of this many.
pub const AT_ONCE: usize = 128;

/// Points side by side in an instruction.
pub(super) const LANES: usize = 8;

/// Groups of [`LANES`] points between two instructions at most.
const GROUPS: usize = AT_ONCE / LANES;

/// A function of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unary {
    Negative,
    Exp,
    Ln,
    Sqrt,
    Sin,
    Cos,
    Atan,
    Tanh,
    Erf,
    Erfc,
    Sigmoid,
    Softplus,
    Abs,
    Floor,
}

/// A function of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Binary {
    Sum,
    Difference,
    Product,
    Quotient,
    Larger,
    Smaller,
}

impl Unary {
    #[inline(always)]
    pub(super) fn of(self, x: f64) -> f64 {
        match self {
            Self::Negative => -x,
            Self::Exp => elementary::exp(x),
            Self::Ln => ln(x),
            Self::Sqrt => x.sqrt(),
            Self::Sin => sine_cosine(x).0,
            Self::Cos => sine_cosine(x).1,
            Self::Atan => libm::atan(x),
            Self::Tanh => tanh(x),
            Self::Erf => libm::erf(x),
            Self::Erfc => libm::erfc(x),
            Self::Sigmoid => sigmoid(x),
            Self::Softplus => log1p_exp(x),
            Self::Abs => x.abs(),
            Self::Floor => x.floor(),
        }
    }
}

impl Binary {
    #[inline(always)]
    pub(super) fn of(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Sum => x + y,
            Self::Difference => x - y,
            Self::Product => x * y,
            Self::Quotient => x / y,
            // No number if one of them is none.
            Self::Larger => choice(x >= y, x, choice(x.is_nan(), x, y)),
            Self::Smaller => choice(x <= y, x, choice(x.is_nan(), x, y)),
        }
    }
}

#[inline(always)]
fn choice(holds: bool, then: f64, other: f64) -> f64 {
    if holds { then } else { other }
}

/// Sine and cosine of an angle in radians.
#[inline(always)]
fn sine_cosine(x: f64) -> (f64, f64) {
    sin_cos_2pi(x * (1.0 / std::f64::consts::TAU))
}

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operand {
    Register(u32),
    Number(f64),
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operation {
    Unary(Unary, Operand),
    Binary(Binary, [Operand; 2]),
    /// The exponential of a difference, as a term of a list needs it.
    ExpDifference([Operand; 2]),
    Choice([Operand; 4]),
    /// The same, without bounds where it is not decided.
    SlopeOfJump([Operand; 4]),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub(super) operation: Operation,
    pub(super) to: u32,
}

/// Instructions for `K` values.
#[derive(Clone, Debug)]
pub(super) struct Tape<const K: usize> {
    pub(super) instructions: Vec<Instruction>,
    pub(super) registers: usize,
    pub(super) outputs: [Operand; K],
}

pub(super) type Lanes = [f64; LANES];

/// Results of an instruction. Cells, since an instruction may put its results where an operand was.
pub(super) type Register = [Cell<Lanes>; GROUPS];

impl<const K: usize> Tape<K> {
    /// Number of instructions.
    pub(super) fn len(&self) -> usize {
        self.instructions.len()
    }

    /// Values at one point.
    pub(super) fn at(&self, x: f64, y: f64) -> [f64; K] {
        let mut found = [0.0; K];
        let mut put = found.each_mut().map(std::slice::from_mut);
        self.evaluate(Simd::BASELINE, &[x], &[y], &mut put);
        found
    }

    /// Values at many points, a slice for each; all slices have one length.
    pub(super) fn evaluate(&self, simd: Simd, x: &[f64], y: &[f64], values: &mut [&mut [f64]; K]) {
        with_registers(self.registers, |registers| simd.dispatch(Evaluation { tape: self, x, y, values, registers }));
    }
}

struct Evaluation<'a, 'b, const K: usize> {
    tape: &'a Tape<K>,
    x: &'a [f64],
    y: &'a [f64],
    values: &'a mut [&'b mut [f64]; K],
    registers: &'a [Register],
}

impl<const K: usize> Kernel for Evaluation<'_, '_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tape, x, y, values, registers } = self;
        let mut from = 0;
        while from < x.len() {
            let count = (x.len() - from).min(AT_ONCE);
            let groups = count.div_ceil(LANES);
            fill(&registers[0], &x[from..from + count]);
            fill(&registers[1], &y[from..from + count]);
            for instruction in &tape.instructions {
                instruction.run(registers, groups);
            }
            for (values, output) in values.iter_mut().zip(tape.outputs) {
                read(registers, output, &mut values[from..from + count]);
            }
            from += count;
        }
    }
}

/// Lends out so many registers.
pub(super) fn with_registers<R>(count: usize, run: impl FnOnce(&[Register]) -> R) -> R {
    thread_local! {
        static REGISTERS: RefCell<Vec<Register>> = const { RefCell::new(Vec::new()) };
    }
    REGISTERS.with_borrow_mut(|registers| {
        if registers.len() < count {
            registers.resize_with(count, Register::default);
        }
        run(registers)
    })
}

/// Copies numbers from where an operand is.
#[inline(always)]
pub(super) fn read(registers: &[Register], from: Operand, values: &mut [f64]) {
    match from {
        Operand::Number(number) => values.fill(number),
        Operand::Register(register) => {
            for (values, lanes) in values.chunks_mut(LANES).zip(&registers[register as usize]) {
                match <&mut Lanes>::try_from(&mut *values) {
                    Ok(all) => *all = lanes.get(),
                    Err(_) => values.copy_from_slice(&lanes.get()[..values.len()]),
                }
            }
        }
    }
}

/// Puts numbers into a register, and 1 after their end.
#[inline(always)]
pub(super) fn fill(register: &Register, numbers: &[f64]) {
    for (lanes, numbers) in register.iter().zip(numbers.chunks(LANES)) {
        lanes.set(numbers.try_into().unwrap_or_else(|_| {
            let mut few = [1.0; LANES];
            few[..numbers.len()].copy_from_slice(numbers);
            few
        }));
    }
}

impl Instruction {
    #[inline(always)]
    pub(super) fn run(self, registers: &[Register], groups: usize) {
        let to = &registers[self.to as usize][..groups];
        match self.operation {
            Operation::Unary(unary, of) => match unary {
                Unary::Negative => map(registers, to, of, |x| Unary::Negative.of(x)),
                Unary::Exp => map(registers, to, of, |x| Unary::Exp.of(x)),
                Unary::Ln => map(registers, to, of, |x| Unary::Ln.of(x)),
                Unary::Sqrt => map(registers, to, of, |x| Unary::Sqrt.of(x)),
                Unary::Sin => map(registers, to, of, |x| Unary::Sin.of(x)),
                Unary::Cos => map(registers, to, of, |x| Unary::Cos.of(x)),
                Unary::Atan => map(registers, to, of, |x| Unary::Atan.of(x)),
                Unary::Tanh => map(registers, to, of, |x| Unary::Tanh.of(x)),
                Unary::Erf => map(registers, to, of, |x| Unary::Erf.of(x)),
                Unary::Erfc => map(registers, to, of, |x| Unary::Erfc.of(x)),
                Unary::Sigmoid => map(registers, to, of, |x| Unary::Sigmoid.of(x)),
                Unary::Softplus => map(registers, to, of, |x| Unary::Softplus.of(x)),
                Unary::Abs => map(registers, to, of, |x| Unary::Abs.of(x)),
                Unary::Floor => map(registers, to, of, |x| Unary::Floor.of(x)),
            },
            Operation::Binary(binary, of) => match binary {
                Binary::Sum => combine(registers, to, of, |x, y| Binary::Sum.of(x, y)),
                Binary::Difference => combine(registers, to, of, |x, y| Binary::Difference.of(x, y)),
                Binary::Product => combine(registers, to, of, |x, y| Binary::Product.of(x, y)),
                Binary::Quotient => combine(registers, to, of, |x, y| Binary::Quotient.of(x, y)),
                Binary::Larger => combine(registers, to, of, |x, y| Binary::Larger.of(x, y)),
                Binary::Smaller => combine(registers, to, of, |x, y| Binary::Smaller.of(x, y)),
            },
            Operation::ExpDifference(of) => combine(registers, to, of, |x, y| elementary::exp(x - y)),
            Operation::Choice(of) | Operation::SlopeOfJump(of) => {
                for (group, put) in to.iter().enumerate() {
                    let [first, second, then, other] = of.map(|of| match of {
                        Operand::Register(register) => registers[register as usize][group].get(),
                        Operand::Number(number) => [number; LANES],
                    });
                    let chosen = |i: usize| {
                        let among_numbers = choice(first[i] >= second[i], then[i], other[i]);
                        choice(first[i].is_nan() | second[i].is_nan(), f64::NAN, among_numbers)
                    };
                    put.set(std::array::from_fn(chosen));
                }
            }
        }
    }
}

#[inline(always)]
fn map(registers: &[Register], to: &[Cell<Lanes>], of: Operand, function: impl Fn(f64) -> f64) {
    match of {
        Operand::Register(register) => {
            for (put, x) in to.iter().zip(&registers[register as usize]) {
                let mut lanes = x.get();
                for x in &mut lanes {
                    *x = function(*x);
                }
                put.set(lanes);
            }
        }
        Operand::Number(number) => to.iter().for_each(|put| put.set([function(number); LANES])),
    }
}

/// What the operands are is asked once, not for every group.
#[inline(always)]
fn combine(registers: &[Register], to: &[Cell<Lanes>], of: [Operand; 2], function: impl Fn(f64, f64) -> f64) {
    match of {
        [Operand::Register(first), Operand::Register(second)] => {
            for ((put, x), y) in to.iter().zip(&registers[first as usize]).zip(&registers[second as usize]) {
                let (mut lanes, y) = (x.get(), y.get());
                for i in 0..LANES {
                    lanes[i] = function(lanes[i], y[i]);
                }
                put.set(lanes);
            }
        }
        [Operand::Number(x), y] => map(registers, to, y, |y| function(x, y)),
        [x, Operand::Number(y)] => map(registers, to, x, |x| function(x, y)),
    }
}
