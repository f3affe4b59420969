//! Style of egui's widgets from the theme.

use std::collections::BTreeMap;

use egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Visuals, vec2,
};

use super::{Appearance, Theme, fonts};
use engine::scenario::figures::Typeface;

/// Registers the fonts; once per context, before its first frame.
pub fn install_fonts(ctx: &Context) {
    install_letters(ctx, Typeface::Inter);
}

/// The same with a family of letters.
pub fn install_letters(ctx: &Context, typeface: Typeface) {
    ctx.set_fonts(fonts::definitions(typeface));
}

/// Applies `theme` to all of egui's widgets.
pub fn apply(ctx: &Context, theme: &Theme) {
    let (of, visuals) = match theme.mode {
        Appearance::Light => (egui::Theme::Light, Visuals::light()),
        Appearance::Dark => (egui::Theme::Dark, Visuals::dark()),
    };
    ctx.set_theme(of);
    ctx.set_style_of(of, styled(Style { visuals, ..Style::default() }, theme));
}

/// Leaves out the paper behind plots, for figures with a transparent background.
pub fn leave_out_paper(ctx: &Context) {
    ctx.all_styles_mut(|style| style.visuals.extreme_bg_color = Color32::TRANSPARENT);
}

fn styled(mut style: Style, theme: &Theme) -> Style {
    style.text_styles = text_styles(theme);
    style.drag_value_text_style = TextStyle::Body;
    set_spacing(&mut style, theme);
    set_visuals(&mut style.visuals, theme);
    style
}

fn text_styles(theme: &Theme) -> BTreeMap<TextStyle, FontId> {
    BTreeMap::from([
        (TextStyle::Small, theme.small()),
        (TextStyle::Body, theme.body()),
        (TextStyle::Button, theme.body()),
        (TextStyle::Heading, theme.heading()),
        (TextStyle::Monospace, FontId::new(theme.text.small, FontFamily::Monospace)),
    ])
}

fn set_spacing(style: &mut Style, theme: &Theme) {
    /// Entries of a list that are visible without scrolling: all methods.
    const ENTRIES: f32 = 14.0;
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(theme.space(2.0), theme.space(1.5));
    spacing.button_padding = vec2(theme.space(2.0), theme.space(1.0));
    spacing.interact_size = vec2(theme.space(10.0), theme.text.body + theme.space(2.5));
    spacing.combo_height = ENTRIES * (spacing.interact_size.y + spacing.item_spacing.y);
    spacing.window_margin = Margin::same(whole(theme.space(3.0)));
    spacing.menu_margin = Margin::same(whole(theme.space(2.0)));
    spacing.indent = theme.space(4.0);
    spacing.icon_width = theme.text.body + theme.space(0.5);
    spacing.icon_width_inner = theme.text.body - theme.space(1.0);
    spacing.icon_spacing = theme.space(1.5);
    spacing.slider_width = theme.space(30.0);
    spacing.slider_rail_height = theme.space(1.0);
    spacing.tooltip_width = theme.space(90.0);
}

fn set_visuals(visuals: &mut Visuals, theme: &Theme) {
    visuals.panel_fill = theme.panel;
    visuals.window_fill = theme.raised;
    visuals.window_stroke = theme.hairline();
    visuals.extreme_bg_color = theme.paper;
    visuals.faint_bg_color = theme.grid;
    visuals.code_bg_color = theme.grid;
    visuals.weak_text_color = Some(theme.faint);
    visuals.hyperlink_color = theme.accent;
    visuals.warn_fg_color = theme.warning;
    visuals.error_fg_color = theme.error;
    visuals.selection.bg_fill = theme.accent.gamma_multiply(0.25);
    visuals.selection.stroke = Stroke::new(1.0, theme.ink);
    visuals.slider_trailing_fill = true;
    visuals.window_corner_radius = CornerRadius::same(whole_unsigned(theme.space(1.5)));
    visuals.menu_corner_radius = visuals.window_corner_radius;
    let shadow = Shadow { offset: [0, 2], blur: 12, spread: 0, color: Color32::from_black_alpha(40) };
    (visuals.window_shadow, visuals.popup_shadow) = (shadow, shadow);
    set_widgets(visuals, theme);
}

fn set_widgets(visuals: &mut Visuals, theme: &Theme) {
    let widgets = &mut visuals.widgets;
    let rows = [
        (&mut widgets.noninteractive, theme.panel, theme.hairline(), theme.ink),
        (&mut widgets.inactive, theme.rule.gamma_multiply(0.6), Stroke::new(1.0, theme.edge), theme.ink),
        (&mut widgets.hovered, theme.rule, Stroke::new(1.0, theme.edge), theme.ink),
        (&mut widgets.active, theme.accent.gamma_multiply(0.35), Stroke::new(1.0, theme.accent), theme.ink),
        (&mut widgets.open, theme.rule, Stroke::new(1.0, theme.edge), theme.ink),
    ];
    for (widget, fill, border, text) in rows {
        widget.bg_fill = fill;
        widget.weak_bg_fill = fill;
        widget.bg_stroke = border;
        widget.fg_stroke = Stroke::new(1.0, text);
        widget.corner_radius = CornerRadius::same(whole_unsigned(theme.space(1.0)));
        widget.expansion = 0.0;
    }
}

fn whole(points: f32) -> i8 {
    points.round() as i8
}

fn whole_unsigned(points: f32) -> u8 {
    whole(points).unsigned_abs()
}
