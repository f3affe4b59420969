//! Tape: a list of instructions that evaluates expressions at many points side by side.
//!
//! An instruction works on [`LANES`] points at a time. Its results are in a register, which is used again once nobody needs
//! them, so that all registers stay in the fastest cache. All functions are portable, so the bits at a point are the same on
//! every machine, whatever the other points are.

use std::cell::RefCell;

use super::graph::{Graph, Id, Node};
use crate::math::Simd;
use crate::math::kernels::{self, Kernel, ln, log1p_exp, sigmoid, sin_cos_2pi, tanh};

/// Points that an instruction works on at once.
const LANES: usize = 8;

/// Groups of [`LANES`] points between two instructions at most.
const GROUPS: usize = 8;

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
    Sigmoid,
    Softplus,
    Abs,
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
            Self::Exp => kernels::exp(x),
            Self::Ln => logarithm(x),
            Self::Sqrt => x.sqrt(),
            Self::Sin => sine_cosine(x).0,
            Self::Cos => sine_cosine(x).1,
            Self::Atan => libm::atan(x),
            Self::Tanh => tanh(x),
            Self::Sigmoid => sigmoid(x),
            Self::Softplus => log1p_exp(x),
            Self::Abs => x.abs(),
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
            Self::Larger => larger(x, y),
            Self::Smaller => {
                if x > y {
                    y
                } else {
                    x
                }
            }
        }
    }
}

#[inline(always)]
fn larger(x: f64, y: f64) -> f64 {
    if x < y { y } else { x }
}

/// ln x; −∞ at 0, NaN below.
#[inline(always)]
fn logarithm(x: f64) -> f64 {
    ln(x)
}

/// Sine and cosine of an angle in radians.
#[inline(always)]
fn sine_cosine(x: f64) -> (f64, f64) {
    sin_cos_2pi(x * (1.0 / std::f64::consts::TAU))
}

/// Where an operand is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operand {
    Register(u32),
    Number(f64),
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Operation {
    Unary(Unary, Operand),
    Binary(Binary, [Operand; 2]),
    Choice([Operand; 4]),
}

#[derive(Clone, Copy, Debug)]
struct Instruction {
    operation: Operation,
    to: u32,
}

/// Instructions for `K` values.
#[derive(Clone, Debug)]
pub(super) struct Tape<const K: usize> {
    instructions: Vec<Instruction>,
    registers: usize,
    outputs: [Operand; K],
}

type Lanes = [f64; LANES];

impl<const K: usize> Tape<K> {
    /// The instructions for these nodes.
    pub(super) fn new(graph: &Graph, outputs: [Id; K]) -> Self {
        let mut lowering = Lowering::default();
        let needed = graph.needed(&outputs);
        for (id, _) in (0_u32..).zip(&needed).filter(|(_, needed)| **needed) {
            lowering.lower(graph, id);
        }
        let outputs = outputs.map(|id| lowering.values[id as usize].unwrap_or(Operand::Number(f64::NAN)));
        let (instructions, registers, outputs) = allocated(lowering.made, outputs);
        Self { instructions, registers, outputs }
    }

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
        thread_local! {
            static ROOM: RefCell<Vec<Lanes>> = const { RefCell::new(Vec::new()) };
        }
        ROOM.with_borrow_mut(|room| {
            let wanted = self.registers * GROUPS;
            if room.len() < wanted {
                room.resize(wanted, [0.0; LANES]);
            }
            simd.dispatch(Evaluation { tape: self, x, y, values, room });
        });
    }
}

struct Evaluation<'a, 'b, const K: usize> {
    tape: &'a Tape<K>,
    x: &'a [f64],
    y: &'a [f64],
    values: &'a mut [&'b mut [f64]; K],
    room: &'a mut [Lanes],
}

impl<const K: usize> Kernel for Evaluation<'_, '_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tape, x, y, values, room } = self;
        let mut from = 0;
        while from < x.len() {
            let count = (x.len() - from).min(LANES * GROUPS);
            let groups = count.div_ceil(LANES);
            fill(&mut room[..groups], &x[from..from + count]);
            fill(&mut room[GROUPS..GROUPS + groups], &y[from..from + count]);
            for instruction in &tape.instructions {
                instruction.run(room, groups);
            }
            for (values, output) in values.iter_mut().zip(tape.outputs) {
                let values = &mut values[from..from + count];
                match output {
                    Operand::Number(number) => values.fill(number),
                    Operand::Register(register) => {
                        let register = register as usize * GROUPS;
                        for (values, lanes) in values.chunks_mut(LANES).zip(&room[register..register + groups]) {
                            values.copy_from_slice(&lanes[..values.len()]);
                        }
                    }
                }
            }
            from += count;
        }
    }
}

/// Puts numbers into a register, and 1 after their end.
#[inline(always)]
fn fill(register: &mut [Lanes], numbers: &[f64]) {
    for (lanes, numbers) in register.iter_mut().zip(numbers.chunks(LANES)) {
        if let Ok(all) = numbers.try_into() {
            *lanes = all;
        } else {
            *lanes = [1.0; LANES];
            lanes[..numbers.len()].copy_from_slice(numbers);
        }
    }
}

impl Instruction {
    #[inline(always)]
    fn run(self, room: &mut [Lanes], groups: usize) {
        let to = self.to;
        match self.operation {
            Operation::Unary(unary, of) => match unary {
                Unary::Negative => map(room, groups, to, of, |x| Unary::Negative.of(x)),
                Unary::Exp => map(room, groups, to, of, |x| Unary::Exp.of(x)),
                Unary::Ln => map(room, groups, to, of, |x| Unary::Ln.of(x)),
                Unary::Sqrt => map(room, groups, to, of, |x| Unary::Sqrt.of(x)),
                Unary::Sin => map(room, groups, to, of, |x| Unary::Sin.of(x)),
                Unary::Cos => map(room, groups, to, of, |x| Unary::Cos.of(x)),
                Unary::Atan => map(room, groups, to, of, |x| Unary::Atan.of(x)),
                Unary::Tanh => map(room, groups, to, of, |x| Unary::Tanh.of(x)),
                Unary::Sigmoid => map(room, groups, to, of, |x| Unary::Sigmoid.of(x)),
                Unary::Softplus => map(room, groups, to, of, |x| Unary::Softplus.of(x)),
                Unary::Abs => map(room, groups, to, of, |x| Unary::Abs.of(x)),
            },
            Operation::Binary(binary, of) => match binary {
                Binary::Sum => combine(room, groups, to, of, |x, y| Binary::Sum.of(x, y)),
                Binary::Difference => combine(room, groups, to, of, |x, y| Binary::Difference.of(x, y)),
                Binary::Product => combine(room, groups, to, of, |x, y| Binary::Product.of(x, y)),
                Binary::Quotient => combine(room, groups, to, of, |x, y| Binary::Quotient.of(x, y)),
                Binary::Larger => combine(room, groups, to, of, |x, y| Binary::Larger.of(x, y)),
                Binary::Smaller => combine(room, groups, to, of, |x, y| Binary::Smaller.of(x, y)),
            },
            Operation::Choice(of) => {
                for group in 0..groups {
                    let [first, second, then, other] = of.map(|of| lanes(room, group, of));
                    room[to as usize * GROUPS + group] =
                        std::array::from_fn(|i| if first[i] >= second[i] { then[i] } else { other[i] });
                }
            }
        }
    }
}

#[inline(always)]
fn lanes(room: &[Lanes], group: usize, operand: Operand) -> Lanes {
    match operand {
        Operand::Register(register) => room[register as usize * GROUPS + group],
        Operand::Number(number) => [number; LANES],
    }
}

#[inline(always)]
fn map(room: &mut [Lanes], groups: usize, to: u32, of: Operand, function: impl Fn(f64) -> f64) {
    for group in 0..groups {
        let x = lanes(room, group, of);
        let put = &mut room[to as usize * GROUPS + group];
        for i in 0..LANES {
            put[i] = function(x[i]);
        }
    }
}

#[inline(always)]
fn combine(
    room: &mut [Lanes],
    groups: usize,
    to: u32,
    [first, second]: [Operand; 2],
    function: impl Fn(f64, f64) -> f64,
) {
    for group in 0..groups {
        let (x, y) = (lanes(room, group, first), lanes(room, group, second));
        let put = &mut room[to as usize * GROUPS + group];
        for i in 0..LANES {
            put[i] = function(x[i], y[i]);
        }
    }
}

/// Operations in their order; operands are numbers of operations before, after the two coordinates.
#[derive(Debug, Default)]
struct Lowering {
    made: Vec<Operation>,
    /// By node.
    values: Vec<Option<Operand>>,
    /// By list: exponentials of its terms less the largest, their sum, and the largest.
    lists: Vec<Option<(Vec<Operand>, Operand, Operand)>>,
}

impl Lowering {
    #[expect(clippy::cast_possible_truncation, reason = "operations are few")]
    fn put(&mut self, operation: Operation) -> Operand {
        self.made.push(operation);
        Operand::Register(self.made.len() as u32 + 1)
    }

    fn value(&self, id: Id) -> Operand {
        self.values[id as usize].unwrap_or(Operand::Number(f64::NAN))
    }

    fn lower(&mut self, graph: &Graph, id: Id) {
        let value = match graph.node(id) {
            Node::Number(bits) => Operand::Number(f64::from_bits(bits)),
            Node::Coordinate(axis) => Operand::Register(u32::from(axis)),
            Node::Unary(unary, of) => self.put(Operation::Unary(unary, self.value(of))),
            Node::Binary(binary, first, second) => {
                self.put(Operation::Binary(binary, [self.value(first), self.value(second)]))
            }
            Node::Choice(of) => self.put(Operation::Choice(of.map(|of| self.value(of)))),
            Node::LogSum(list) => {
                let (_, sum, largest) = self.exponentials(graph, list);
                let logarithm = self.put(Operation::Unary(Unary::Ln, sum));
                self.put(Operation::Binary(Binary::Sum, [largest, logarithm]))
            }
            Node::Share(list, term) => {
                let (exponentials, sum, _) = self.exponentials(graph, list);
                self.put(Operation::Binary(Binary::Quotient, [exponentials[term as usize], sum]))
            }
        };
        self.values.resize(self.values.len().max(id as usize + 1), None);
        self.values[id as usize] = Some(value);
    }

    fn exponentials(&mut self, graph: &Graph, list: u32) -> (Vec<Operand>, Operand, Operand) {
        let place = list as usize;
        self.lists.resize(self.lists.len().max(place + 1), None);
        if let Some(known) = &self.lists[place] {
            return known.clone();
        }
        let terms: Vec<Operand> = graph.terms(list).iter().map(|term| self.value(*term)).collect();
        let mut largest = terms[0];
        for term in &terms[1..] {
            largest = self.put(Operation::Binary(Binary::Larger, [largest, *term]));
        }
        let mut exponentials = Vec::with_capacity(terms.len());
        for term in &terms {
            let below = self.put(Operation::Binary(Binary::Difference, [*term, largest]));
            exponentials.push(self.put(Operation::Unary(Unary::Exp, below)));
        }
        let mut sum = exponentials[0];
        for exponential in &exponentials[1..] {
            sum = self.put(Operation::Binary(Binary::Sum, [sum, *exponential]));
        }
        let made = (exponentials, sum, largest);
        self.lists[place] = Some(made.clone());
        made
    }
}

impl Operation {
    fn operands(&mut self) -> &mut [Operand] {
        match self {
            Self::Unary(_, of) => std::slice::from_mut(of),
            Self::Binary(_, of) => of,
            Self::Choice(of) => of,
        }
    }
}

/// Gives every operation a register that is free, and says how many there are. The first two have the coordinates.
fn allocated<const K: usize>(
    mut operations: Vec<Operation>,
    mut outputs: [Operand; K],
) -> (Vec<Instruction>, usize, [Operand; K]) {
    let mut last_use = vec![0; operations.len() + 2];
    for (number, operation) in operations.iter_mut().enumerate() {
        for operand in operation.operands() {
            if let Operand::Register(value) = operand {
                last_use[*value as usize] = number;
            }
        }
    }
    for output in &outputs {
        if let Operand::Register(value) = output {
            last_use[*value as usize] = usize::MAX;
        }
    }
    // The coordinates come from outside before each group, so their registers may not be taken.
    let mut places: Vec<u32> = vec![0, 1];
    let (mut free, mut registers) = (Vec::new(), 2_u32);
    let mut instructions = Vec::with_capacity(operations.len());
    for (number, mut operation) in operations.into_iter().enumerate() {
        let mut ended = Vec::new();
        for operand in operation.operands() {
            if let Operand::Register(value) = operand {
                let place = places[*value as usize];
                if *value > 1 && last_use[*value as usize] == number {
                    ended.push(place);
                }
                *operand = Operand::Register(place);
            }
        }
        ended.sort_unstable();
        ended.dedup();
        free.extend(ended);
        let to = free.pop().unwrap_or_else(|| {
            registers += 1;
            registers - 1
        });
        places.push(to);
        instructions.push(Instruction { operation, to });
    }
    for output in &mut outputs {
        if let Operand::Register(value) = output {
            *value = places[*value as usize];
        }
    }
    debug_assert!(places.len() == last_use.len() && places.len() <= u32::MAX as usize);
    (instructions, registers as usize, outputs)
}
