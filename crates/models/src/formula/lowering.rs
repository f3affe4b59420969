//! From nodes to instructions: their order, and which registers they use.

use std::cell::Cell;
use std::rc::Rc;

use super::graph::{Graph, Id, Node};
use super::tape::{Binary, Instruction, Operand, Operation, Tape, Unary};
use super::wide::WideTape;

impl<const K: usize> Tape<K> {
    /// The instructions for these nodes.
    pub(super) fn new(graph: &Graph, outputs: [Id; K]) -> Self {
        let lowering = Lowering::of(graph, &outputs, 2);
        let mut outputs = outputs.map(|id| lowering.value(id));
        let (instructions, registers) = allocated(lowering.made, &mut outputs, 2);
        Self { instructions, registers, outputs }
    }
}

impl WideTape {
    /// The instructions for these nodes, with so many coordinates.
    pub(super) fn new(graph: &Graph, nodes: &[Id], inputs: usize) -> Self {
        let lowering = Lowering::of(graph, nodes, inputs);
        let mut outputs: Vec<Operand> = nodes.iter().map(|id| lowering.value(*id)).collect();
        let (instructions, registers) = allocated(lowering.made, &mut outputs, inputs);
        Self { instructions, registers, inputs, outputs }
    }
}

/// Operations in their order; operands are numbers of operations before, after the coordinates.
#[derive(Debug, Default)]
struct Lowering {
    /// Number of coordinates.
    inputs: usize,
    made: Vec<Operation>,
    /// By node.
    values: Vec<Option<Operand>>,
    /// By list.
    lists: Vec<Option<Rc<List>>>,
}

/// What there is of a list of terms.
#[derive(Debug)]
struct List {
    /// Exponentials of its terms less the largest.
    exponentials: Vec<Operand>,
    sum: Operand,
    largest: Operand,
    /// One over the sum, once a share is wanted: shares are many, and a division takes as long as eight products.
    inverse: Cell<Option<Operand>>,
}

impl Lowering {
    fn of(graph: &Graph, nodes: &[Id], inputs: usize) -> Self {
        let mut lowering = Self { inputs, ..Self::default() };
        let needed = graph.needed(nodes);
        for (id, _) in (0_u32..).zip(&needed).filter(|(_, needed)| **needed) {
            lowering.lower(graph, id);
        }
        lowering
    }

    fn put(&mut self, operation: Operation) -> Operand {
        self.made.push(operation);
        Operand::Register((self.made.len() + self.inputs - 1) as u32)
    }

    fn value(&self, id: Id) -> Operand {
        self.values.get(id as usize).copied().flatten().unwrap_or(Operand::Number(f64::NAN))
    }

    fn lower(&mut self, graph: &Graph, id: Id) {
        let value = match graph.node(id) {
            Node::Number(bits) => Operand::Number(f64::from_bits(bits)),
            Node::Coordinate(axis) => Operand::Register(u32::from(axis)),
            Node::Unary(unary, of) => self.put(Operation::Unary(unary, self.value(of))),
            // So it has bounds; its derivative, which has none at the step, stays a quotient.
            Node::Binary(Binary::Quotient, first, second) if graph.is_step(first, second) => {
                let [zero, one] = [0.0, 1.0].map(Operand::Number);
                self.put(Operation::Choice([self.value(second), zero, one, zero]))
            }
            Node::Binary(binary, first, second) => {
                self.put(Operation::Binary(binary, [self.value(first), self.value(second)]))
            }
            Node::Choice(of) | Node::Jump(of) => self.put(Operation::Choice(of.map(|of| self.value(of)))),
            Node::SlopeOfJump(of) => self.put(Operation::SlopeOfJump(of.map(|of| self.value(of)))),
            Node::LogSum(list) => {
                let list = self.list(graph, list);
                let logarithm = self.put(Operation::Unary(Unary::Ln, list.sum));
                self.put(Operation::Binary(Binary::Sum, [list.largest, logarithm]))
            }
            Node::Share(number, term) => {
                let list = self.list(graph, number);
                let made = || self.put(Operation::Binary(Binary::Quotient, [Operand::Number(1.0), list.sum]));
                let inverse = list.inverse.get().unwrap_or_else(made);
                list.inverse.set(Some(inverse));
                self.put(Operation::Binary(Binary::Product, [list.exponentials[term as usize], inverse]))
            }
        };
        self.values.resize(self.values.len().max(id as usize + 1), None);
        self.values[id as usize] = Some(value);
    }

    fn list(&mut self, graph: &Graph, list: u32) -> Rc<List> {
        let index = list as usize;
        self.lists.resize(self.lists.len().max(index + 1), None);
        if let Some(known) = &self.lists[index] {
            return known.clone();
        }
        let terms: Vec<Operand> = graph.terms(list).iter().map(|term| self.value(*term)).collect();
        let mut largest = terms[0];
        for term in &terms[1..] {
            largest = self.put(Operation::Binary(Binary::Larger, [largest, *term]));
        }
        let mut exponentials = Vec::with_capacity(terms.len());
        for term in &terms {
            exponentials.push(self.put(Operation::ExpDifference([*term, largest])));
        }
        let mut sum = exponentials[0];
        for exponential in &exponentials[1..] {
            sum = self.put(Operation::Binary(Binary::Sum, [sum, *exponential]));
        }
        let made = Rc::new(List { exponentials, sum, largest, inverse: Cell::new(None) });
        self.lists[index] = Some(made.clone());
        made
    }
}

impl Operation {
    fn operands(&mut self) -> &mut [Operand] {
        match self {
            Self::Unary(_, of) => std::slice::from_mut(of),
            Self::Binary(_, of) | Self::ExpDifference(of) => of,
            Self::Choice(of) | Self::SlopeOfJump(of) => of,
        }
    }
}

/// Gives every operation a register that is free, and says how many there are. The first ones have the coordinates.
fn allocated(mut operations: Vec<Operation>, outputs: &mut [Operand], inputs: usize) -> (Vec<Instruction>, usize) {
    let mut last_use = vec![0; operations.len() + inputs];
    for (number, operation) in operations.iter_mut().enumerate() {
        for operand in operation.operands() {
            if let Operand::Register(value) = operand {
                last_use[*value as usize] = number;
            }
        }
    }
    for output in &*outputs {
        if let Operand::Register(value) = output {
            last_use[*value as usize] = usize::MAX;
        }
    }
    // The coordinates come from outside before each group, so their registers may not be taken.
    let mut register_of: Vec<u32> = (0..inputs as u32).collect();
    let (mut free, mut registers) = (Vec::new(), inputs as u32);
    let mut instructions = Vec::with_capacity(operations.len());
    for (number, mut operation) in operations.into_iter().enumerate() {
        let mut ended = Vec::new();
        for operand in operation.operands() {
            if let Operand::Register(value) = operand {
                let register = register_of[*value as usize];
                if *value as usize >= inputs && last_use[*value as usize] == number {
                    ended.push(register);
                }
                *operand = Operand::Register(register);
            }
        }
        ended.sort_unstable();
        ended.dedup();
        free.extend(ended);
        let to = free.pop().unwrap_or_else(|| {
            registers += 1;
            registers - 1
        });
        register_of.push(to);
        instructions.push(Instruction { operation, to });
    }
    for output in outputs {
        if let Operand::Register(value) = output {
            *value = register_of[*value as usize];
        }
    }
    debug_assert!(register_of.len() == last_use.len() && register_of.len() <= u32::MAX as usize);
    (instructions, registers as usize)
}
