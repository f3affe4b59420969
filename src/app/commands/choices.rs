//! Entries of the table for what canvases show: layers as boxes, ways to draw draws and exact distributions as choices.

/// A layer of the canvases as a box.
macro_rules! layer {
    ($layer:ident, $field:ident, $name:literal, $help:literal) => {
        show(C::Layer(Layer::$layer), Group::Layers, $name, $help, |ctx, _| {
            ctx.view.shown.layers.$field = !ctx.view.shown.layers.$field;
        })
        .check(|ctx, _| ctx.view.shown.layers.$field)
    };
}

/// A way to show draws as a choice.
macro_rules! draws {
    ($draws:ident, $name:literal, $help:literal) => {
        show(C::Draw(Draws::$draws), Group::Draws, $name, $help, |ctx, _| ctx.view.shown.layers.toggle(Draws::$draws))
            .radio(|ctx, _| ctx.view.shown.layers.draws == Draws::$draws)
    };
}

/// An exact distribution as a choice.
macro_rules! exact {
    ($followed:expr, $name:literal, $help:literal) => {
        show(C::Exact($followed), Group::Exact, $name, $help, |ctx, _| ctx.view.shown.layers.toggle_exact($followed))
            .radio(|ctx, _| ctx.view.shown.layers.exact == $followed)
    };
}

pub(super) use {draws, exact, layer};
