//! Remarks on approximations: state of the fit, ELBO or log evidence, and warnings. Cards, canvases and plots take all such
//! sentences from here.

use super::numbers;
use base::math::{Gaussian, Point};
use engine::diagnostics::{Component, Fit, Overlap};
use engine::session::{FitFrame, FitTrace, RunFrame};
use models::targets::{Target, TargetInfo};
use samplers::methods::{Estimate, FitState};

/// Decimals of an ELBO or of an evidence that is known exactly.
const DECIMALS: usize = 3;

/// Words beside a bound that includes latent variables. Of the present targets, these are assignments to components.
pub const WITH_LATENT: &str = "with latent assignments";

/// Steps whose estimates of the ELBO are averaged where a single one has no standard error (chosen by eye: a few seconds of
/// a slow run), and values from which their spread is known to about a quarter.
const AVERAGED: usize = 50;
const FEWEST_AVERAGED: usize = 8;

/// Evidences whose sum exceeds that of the target by more than this give a warning, in nats (chosen by eye).
const TOO_MUCH: f64 = 0.05;

/// Components with a smaller Bhattacharyya coefficient do not overlap: Gaussians of equal covariance with means 4.3 standard
/// deviations apart have this one.
const APART: f64 = 0.1;

/// Words about steps that would have led to an impossible covariance, as after an infinite gradient.
const GUARDED: &str = "shortened or skipped: covariance would not be positive definite";

/// A sentence about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The sentence.
    pub text: String,
    /// How much it matters.
    pub weight: Weight,
}

/// How much a sentence matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// A fact.
    Plain,
    /// The picture can mislead.
    Warning,
    /// The run failed.
    Error,
}

/// All remarks on the approximations of a run; empty for samplers.
#[must_use]
pub fn remarks(run: &RunFrame, target: &Target) -> Vec<Remark> {
    let Some(fits) = &run.fits else { return Vec::new() };
    let said = |text: String, weight| Remark { text, weight };
    let mut remarks = Vec::new();
    if let Some((text, weight)) = state(run) {
        remarks.push(said(sentence(&text), weight));
    }
    let mut found = Vec::new();
    found.extend(evidence(fits).map(|evidence| format!("log evidence {}", nats(evidence))));
    found.extend(best_elbo(run, target));
    if !found.is_empty() {
        remarks.push(said(sentence(&found.join(", ")), Weight::Plain));
    }
    remarks.extend(indefinite(fits).map(|text| said(text, Weight::Warning)));
    remarks.extend(guards(fits).map(|text| said(text, Weight::Plain)));
    remarks.extend(overlap(run, fits, target).map(|text| said(text, Weight::Warning)));
    remarks
}

/// State of the approximations of a run, without a full stop, and how serious it is; `None` for samplers.
#[must_use]
pub fn state(run: &RunFrame) -> Option<(String, Weight)> {
    let fits = run.fits.as_ref()?;
    let states = || fits.records.iter().map(|record| record.state);
    let serious = |state: FitState| match state {
        FitState::Moving | FitState::Collecting | FitState::Training | FitState::Converged => Weight::Plain,
        FitState::NotAPeak | FitState::Plateau | FitState::AtTheEdge => Weight::Warning,
        FitState::Diverged => Weight::Error,
    };
    if let [only] = fits.records[..] {
        return Some((alone(run, only.state, &fits.trace), serious(only.state)));
    }
    if states().all(|state| state == FitState::Moving) && run.step >= run.plan.steps {
        return Some((
            format!("all {} fits stopped after {}, not converged", fits.records.len(), in_steps(run.plan.steps)),
            Weight::Plain,
        ));
    }
    let worst = states().map(serious).max_by_key(|weight| *weight as u8).unwrap_or(Weight::Plain);
    let count = |(state, words): (FitState, &str)| {
        let count = states().filter(|other| *other == state).count();
        (count > 0).then(|| (count, words.to_owned()))
    };
    let kinds = [
        (FitState::Converged, "converged"),
        (FitState::Moving, "in progress"),
        (FitState::Collecting, "made of iterates"),
        (FitState::Training, "trained with dropout"),
        (FitState::NotAPeak, "at a point that is no mode"),
        (FitState::Plateau, "on a plateau"),
        (FitState::AtTheEdge, "stopped at the boundary of the support"),
        (FitState::Diverged, "diverged"),
    ];
    let told: Vec<(usize, String)> = kinds.into_iter().filter_map(count).collect();
    let part = |(number, (count, words)): (usize, &(usize, String))| match number {
        0 => format!("{} of {} {words}", numbers::count(*count as u64), numbers::count(fits.records.len() as u64)),
        _ => format!("{} {words}", numbers::count(*count as u64)),
    };
    Some((told.iter().enumerate().map(part).collect::<Vec<_>>().join(", "), worst))
}

/// State of a single approximation.
fn alone(run: &RunFrame, state: FitState, trace: &FitTrace) -> String {
    match state {
        FitState::Moving if run.step == 0 => "before the first step".to_owned(),
        FitState::Moving if run.step >= run.plan.steps => {
            format!("stopped after {}, not converged", in_steps(run.plan.steps))
        }
        FitState::Moving => "in progress".to_owned(),
        FitState::Collecting if run.step >= run.plan.steps => {
            format!("mean and covariance of iterates, after {}", in_steps(run.plan.steps))
        }
        FitState::Collecting => "collecting iterates".to_owned(),
        FitState::Training if run.step >= run.plan.steps => {
            format!("trained with dropout for {}", in_steps(run.plan.steps))
        }
        FitState::Training => "in training, with dropout".to_owned(),
        // After a change of the target, the number would count from that change.
        FitState::Converged => match since(trace, FitState::Converged).filter(|_| run.plan.segments.len() == 1) {
            Some(step) => format!("converged after {}", in_steps(step)),
            None => "converged".to_owned(),
        },
        FitState::NotAPeak => "no mode here: the curvature gives no covariance".to_owned(),
        FitState::Plateau => "plateau: gradient and curvature give no direction".to_owned(),
        FitState::AtTheEdge => "stopped at the boundary of the support: the density rises towards it".to_owned(),
        FitState::Diverged => "diverged: a number is not finite; the last finite state is kept".to_owned(),
    }
}

/// The step at which the first chain entered its present state. It never left the state since, so that a bisection finds it.
fn since(trace: &FitTrace, state: FitState) -> Option<u64> {
    let there = |row: usize| trace.record(row, 0).state == state;
    let mut known = trace.rows().checked_sub(1).filter(|&row| there(row))?;
    let mut leap = 1;
    let mut outside = None;
    while outside.is_none() && known > 0 {
        let row = known.saturating_sub(leap);
        if there(row) {
            (known, leap) = (row, 2 * leap);
        } else {
            outside = Some(row);
        }
    }
    let Some(mut outside) = outside else { return Some(trace.step(known)) };
    while known - outside > 1 {
        let middle = outside.midpoint(known);
        if there(middle) { known = middle } else { outside = middle }
    }
    Some(trace.step(known))
}

/// Why the curvature gives no Gaussian; `None` where it does.
fn indefinite(fits: &FitFrame) -> Option<String> {
    let words = |count: u32| match count {
        1 => "The curvature here has 1 eigenvalue that is not positive: no Gaussian has it.".to_owned(),
        count => format!(
            "The curvature here has {} eigenvalues that are not positive: no Gaussian has it.",
            numbers::count(u64::from(count))
        ),
    };
    fits.records.iter().map(|record| record.not_positive).find(|count| *count > 0).map(words)
}

/// Number of shortened or skipped steps; `None` if there are none.
fn guards(fits: &FitFrame) -> Option<String> {
    match fits.records.iter().map(|record| record.guards).sum() {
        0 => None,
        1 => Some(format!("1 step {GUARDED}.")),
        count => Some(format!("{} steps {GUARDED}.", numbers::count(count))),
    }
}

/// The newest ELBO, averaged over the chains that have one, and the number of these chains.
#[must_use]
pub fn elbo(fits: &FitFrame) -> Option<(Estimate, usize)> {
    let all: Vec<Estimate> =
        fits.records.iter().filter_map(|record| record.elbo).filter(|elbo| elbo.value.is_finite()).collect();
    let count = all.len() as f64;
    let value = all.iter().map(|elbo| elbo.value).sum::<f64>() / count;
    let variance = all.iter().map(|elbo| elbo.standard_error * elbo.standard_error).sum::<f64>() / (count * count);
    (!all.is_empty()).then(|| (Estimate { value, standard_error: variance.sqrt() }, all.len()))
}

/// The ELBO as it is read: the newest, or the average of the last [`AVERAGED`] steps if a step does not know its standard
/// error, as with a single draw. Then the spread of the steps gives it. The number of chains as in [`elbo`].
#[must_use]
pub fn recent_elbo(fits: &FitFrame) -> Option<(Estimate, usize)> {
    let (newest, chains) = elbo(fits)?;
    if newest.standard_error.is_finite() {
        return Some((newest, chains));
    }
    let rows = fits.trace.rows();
    let rows = rows.saturating_sub(AVERAGED)..rows;
    let values =
        rows.flat_map(|row| (0..fits.trace.chains()).filter_map(move |chain| fits.trace.record(row, chain).elbo));
    let values: Vec<f64> = values.map(|elbo| elbo.value).filter(|value| value.is_finite()).collect();
    let count = values.len() as f64;
    if values.len() < FEWEST_AVERAGED {
        return Some((newest, chains));
    }
    let value = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|one| (one - value) * (one - value)).sum::<f64>() / (count - 1.0);
    Some((Estimate { value, standard_error: (variance / count).sqrt() }, chains))
}

/// The log evidence of a fit, summed over its components, if each component has one.
#[must_use]
pub fn evidence(fits: &FitFrame) -> Option<f64> {
    match (&fits.fit, &fits.records[..]) {
        (Some(fit), _) => fit.log_evidence(),
        // Weights that are fixed have no width in the plane.
        (None, [only]) => only.log_evidence,
        (None, _) => None,
    }
}

/// A warning where components overlap so much that the sum of their evidences exceeds the evidence of the target.
fn overlap(run: &RunFrame, fits: &FitFrame, target: &Target) -> Option<String> {
    let Overlap { coefficient, excess } = run.analysis.fit.overlap?;
    let excess = excess.filter(|excess| *excess > TOO_MUCH && coefficient > APART)?;
    let sum = numbers::decimal(evidence(fits)?, 2);
    let whole = if target.data_count().is_some() { "log p(data)" } else { "log Z" };
    let excess = numbers::decimal(excess, 2);
    Some(format!("The fits overlap: the log of the sum of their evidences is {sum}, {excess} above {whole}."))
}

/// The ELBO in words. It belongs to the whole fit and comes from quadrature, the newest that is computed, as in the readout;
/// before, it is the estimate of the steps, with its standard error. Methods without an ELBO have a log evidence instead. A bound with latent variables is
/// another number, and always comes from the steps.
fn best_elbo(run: &RunFrame, target: &Target) -> Option<String> {
    let (newest, chains) = recent_elbo(run.fits.as_ref()?)?;
    if augmented(run, target) {
        let name = if chains > 1 { "mean bound" } else { "bound" };
        return Some(format!("{name} {} {WITH_LATENT}", estimate(newest)));
    }
    let exact =
        run.analysis.fit.measures.iter().find(|measure| measure.key == "elbo").and_then(|measure| measure.value);
    match exact {
        Some(exact) => Some(format!("ELBO {}", nats(exact))),
        None => Some(elbo_words(newest, chains)),
    }
}

/// Whether the bound of a run includes latent variables of the target. Then its gap to log Z is larger than KL(q‖p).
#[must_use]
pub fn augmented(run: &RunFrame, target: &Target) -> bool {
    let method = &run.plan.segment_of(run.step).method;
    run.fits.is_some() && target.in_plane().is_some_and(|density| method.bounds_latent(density.as_ref()))
}

/// An ELBO in words.
fn elbo_words(elbo: Estimate, chains: usize) -> String {
    let name = if chains > 1 { "mean ELBO" } else { "ELBO" };
    format!("{name} {}", estimate(elbo))
}

/// An estimate in nats, with its standard error and as many decimals as that allows. A single draw, or a single datum, gives no
/// standard error.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "a handful of decimals")]
pub fn estimate(Estimate { value, standard_error }: Estimate) -> String {
    if standard_error > 0.0 && standard_error.is_finite() {
        let decimals = (1.0 - standard_error.log10().floor()).clamp(0.0, 4.0) as usize;
        return format!("{} ± {}", numbers::decimal(value, decimals), numbers::decimal(standard_error, decimals));
    }
    if standard_error == 0.0 {
        nats(value)
    } else {
        format!("≈ {}, standard error unknown", numbers::significant(value, 3))
    }
}

/// A log evidence, or an ELBO that is exact.
#[must_use]
pub fn nats(value: f64) -> String {
    if value.is_finite() { numbers::decimal(value, DECIMALS) } else { numbers::significant(value, 3) }
}

/// The line above a canvas. Where space is short, the last parts stay longest.
#[must_use]
pub fn headline(run: &RunFrame, target: &Target) -> Vec<String> {
    let Some(fits) = &run.fits else { return Vec::new() };
    let mut parts = Vec::new();
    let brief = |state: &FitState| {
        use FitState::{Collecting, Converged, Diverged, Moving, Training};
        matches!(state, Moving | Collecting | Training | Converged | Diverged)
    };
    let one = fits.records.len() == 1;
    if one && !fits.records.iter().all(|record| brief(&record.state)) {
        parts.push("no mode found".to_owned());
    } else if let Some((text, _)) = state(run) {
        parts.push(text.split(':').next().unwrap_or(&text).to_owned());
    }
    parts.extend(evidence(fits).map(|evidence| format!("log evidence {}", nats(evidence))));
    parts.extend(best_elbo(run, target));
    parts
}

/// Mean, standard deviations and correlation of a distribution.
#[must_use]
pub fn moments(info: &TargetInfo, Gaussian { mean, covariance }: &Gaussian) -> String {
    let three = |value: f64| numbers::significant(value, 3);
    if info.dimension == 1 {
        return format!("mean {}, sd {}", three(mean.x), three(covariance.m11.sqrt()));
    }
    let (sd_x, sd_y) = (covariance.m11.sqrt(), covariance.m22.sqrt());
    let correlation = covariance.m12 / (sd_x * sd_y);
    let moments = format!("mean ({}, {}), sd ({}, {})", three(mean.x), three(mean.y), three(sd_x), three(sd_y));
    if correlation == 0.0 {
        format!("{moments}, no correlation")
    } else {
        format!("{moments}, correlation {}", three(correlation))
    }
}

/// A component of a fit in words: its weight if there are several, and its moments in θ.
#[must_use]
pub fn distribution_words(info: &TargetInfo, fit: &Fit, component: &Component) -> Option<String> {
    let words = moments(info, &fit.alone(component).moments()?);
    let several = fit.components().len() > 1;
    Some(if several { format!("{}, {words}", numbers::percent(component.weight)) } else { words })
}

/// The component of a fit nearest to a point in θ, at most 3 standard deviations from its mean.
#[must_use]
pub fn nearest(fit: &Fit, at: Point) -> Option<&Component> {
    /// Standard deviations.
    const NEAR: f64 = 3.0;
    let z = fit.coordinates().from_theta(at);
    let distance = |component: &Component| {
        let (gap, mut covariance) = (z - component.distribution.mean(), component.distribution.covariance());
        if fit.dimension() == 1 {
            covariance.m22 = 1.0;
        }
        let gap = if fit.dimension() == 1 { Point::new(gap.x, 0.0) } else { gap };
        covariance.try_inverse().map_or(f64::INFINITY, |precision| gap.dot(&(precision * gap)).sqrt())
    };
    let distances = fit.components().iter().map(|component| (component, distance(component)));
    let (component, distance) = distances.min_by(|a, b| a.1.total_cmp(&b.1))?;
    (distance <= NEAR).then_some(component)
}

/// A number of steps in words.
fn in_steps(count: u64) -> String {
    if count == 1 { "1 step".to_owned() } else { format!("{} steps", numbers::count(count)) }
}

/// The text with a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, approximation, frame};
    use base::math::{Distribution, Matrix};
    use base::params::Settings;
    use engine::diagnostics::Measure;
    use engine::session::{Analysis, FitAnalysis, Frame};
    use models::targets::{Density, TARGETS};
    use samplers::methods::{FitRecord, METHODS};
    use std::path::Path;
    use std::sync::Arc;

    const RECIPE: Recipe = Recipe { name: "fit", chains: 1, steps: 9, total: 20, alpha: 0.01, cycle: 0 };

    fn distribution(x: f64) -> Distribution {
        Distribution::gaussian(2, Point::new(x, 0.0), Matrix::identity())
    }

    fn of(recipe: Recipe, record: impl Fn(u64, usize) -> FitRecord) -> Frame {
        let mut frame = frame(Fake::grid(), &[recipe]);
        approximation(&mut frame.runs[0], 2, record);
        frame
    }

    fn in_state(state: FitState) -> FitRecord {
        FitRecord { distribution: Some(distribution(0.0)), state, ..FitRecord::default() }
    }

    fn said(frame: &Frame) -> Vec<String> {
        remarks(&frame.runs[0], frame.target.as_ref()).into_iter().map(|remark| remark.text).collect()
    }

    fn heads(frame: &Frame) -> Vec<String> {
        headline(&frame.runs[0], frame.target.as_ref())
    }

    #[test]
    fn the_state_of_one_fit_is_a_sentence() {
        for converged in 1..=9 {
            let made =
                of(RECIPE, |step, _| in_state(if step >= converged { FitState::Converged } else { FitState::Moving }));
            let steps = if converged == 1 { "1 step".to_owned() } else { format!("{converged} steps") };
            assert_eq!(said(&made), [format!("Converged after {steps}.")]);
        }
        let of = |recipe, state| said(&of(recipe, move |_, _| in_state(state)))[0].clone();
        assert_eq!(of(RECIPE, FitState::Moving), "In progress.");
        assert_eq!(of(Recipe { steps: 20, ..RECIPE }, FitState::Moving), "Stopped after 20 steps, not converged.");
        assert_eq!(of(Recipe { steps: 0, ..RECIPE }, FitState::Moving), "Before the first step.");
        assert_eq!(of(RECIPE, FitState::NotAPeak), "No mode here: the curvature gives no covariance.");
        assert_eq!(of(RECIPE, FitState::Collecting), "Collecting iterates.");
        let end = Recipe { steps: 20, ..RECIPE };
        assert_eq!(of(end, FitState::Collecting), "Mean and covariance of iterates, after 20 steps.");
        assert_eq!(of(RECIPE, FitState::Training), "In training, with dropout.");
        assert_eq!(of(end, FitState::Training), "Trained with dropout for 20 steps.");
        assert!(of(RECIPE, FitState::AtTheEdge).starts_with("Stopped at the boundary of the support: "));
        assert!(said(&frame(Fake::grid(), &[RECIPE])).is_empty(), "samplers have no remarks");
    }

    /// Where the curvature has no Gaussian, the card says why.
    #[test]
    fn eigenvalues_that_are_not_positive_are_named() {
        for (count, words) in [(1, "1 eigenvalue that is"), (3, "3 eigenvalues that are")] {
            let record = FitRecord { not_positive: count, ..FitRecord::default() };
            let made = of(RECIPE, |_, _| record);
            let expected = Remark {
                text: format!("The curvature here has {words} not positive: no Gaussian has it."),
                weight: Weight::Warning,
            };
            assert!(remarks(&made.runs[0], made.target.as_ref()).contains(&expected));
        }
    }

    #[test]
    fn several_fits_are_counted() {
        let recipe = Recipe { chains: 25, ..RECIPE };
        let made = of(recipe, |_, chain| in_state(if chain == 3 { FitState::NotAPeak } else { FitState::Converged }));
        assert_eq!(
            state(&made.runs[0]),
            Some(("24 of 25 converged, 1 at a point that is no mode".to_owned(), Weight::Warning))
        );
        let made = of(Recipe { steps: 20, ..recipe }, |_, _| in_state(FitState::Moving));
        assert_eq!(said(&made), ["All 25 fits stopped after 20 steps, not converged."]);
    }

    #[test]
    fn estimates_have_as_many_decimals_as_their_error_allows() {
        let elbo = |value, standard_error| Some(Estimate { value, standard_error });
        let made =
            of(RECIPE, |_, _| FitRecord { elbo: elbo(-185.2137, 0.034), guards: 3, ..in_state(FitState::Moving) });
        let expected = ["In progress.", "ELBO −185.214 ± 0.034.", &format!("3 steps {GUARDED}.")];
        assert_eq!(said(&made), expected);
        assert_eq!(heads(&made), ["in progress", "ELBO −185.214 ± 0.034"]);
        let two = of(Recipe { chains: 2, ..RECIPE }, |_, chain| FitRecord {
            elbo: elbo(-1.0 - chain as f64, 0.0),
            ..in_state(FitState::Moving)
        });
        assert_eq!(heads(&two), ["2 of 2 in progress", "mean ELBO −1.500"]);
        let nothing =
            of(RECIPE, |_, _| FitRecord { elbo: elbo(f64::NEG_INFINITY, 0.0), ..in_state(FitState::NotAPeak) });
        assert_eq!(heads(&nothing), ["no mode found"]);
    }

    /// A single draw per step: the error of an average of 50 steps comes from their spread, (−1)^step here.
    #[test]
    fn steps_without_a_standard_error_are_averaged() {
        let noisy = |step: u64, _| FitRecord {
            elbo: Some(Estimate {
                value: -3.0 + if step.is_multiple_of(2) { 1.0 } else { -1.0 },
                standard_error: f64::INFINITY,
            }),
            ..in_state(FitState::Moving)
        };
        let made = of(Recipe { steps: 100, total: 200, ..RECIPE }, noisy);
        let (found, _) = recent_elbo(made.runs[0].fits.as_ref().unwrap()).unwrap();
        let expected = (50.0 / 49.0 / 50.0_f64).sqrt();
        assert!((found.value + 3.0).abs() < 1e-12 && (found.standard_error - expected).abs() < 1e-12, "{found:?}");
        assert_eq!(heads(&made)[1], "ELBO −3.00 ± 0.14");
        let young = of(Recipe { steps: 3, ..RECIPE }, noisy);
        assert_eq!(heads(&young)[1], "ELBO ≈ −4, standard error unknown");
    }

    /// The readout keeps the newest value of quadrature; the header does the same, instead of the noise of a step.
    #[test]
    fn the_header_agrees_with_the_readout_while_the_run_goes_on() {
        let elbo = Some(Estimate { value: -3.1, standard_error: 0.4 });
        let mut made = of(RECIPE, |_, _| FitRecord { elbo, ..in_state(FitState::Moving) });
        assert_eq!(heads(&made)[1], "ELBO −3.10 ± 0.40");
        let measure = Measure { key: "elbo", value: Some(-3.2137), floor: None, reason: "" };
        let fit = FitAnalysis { measures: vec![measure], overlap: None };
        made.runs[0].analysis = Arc::new(Analysis { step: 7, fit, ..Analysis::default() });
        assert_eq!(heads(&made)[1], "ELBO −3.214");
    }

    #[test]
    fn an_unknown_standard_error_is_not_zero() {
        for standard_error in [f64::INFINITY, f64::NAN] {
            assert_eq!(estimate(Estimate { value: -187.2137, standard_error }), "≈ −187, standard error unknown");
        }
        assert_eq!(estimate(Estimate { value: -187.2137, standard_error: 0.0 }), "−187.214");
    }

    /// The bound of coordinate ascent on a mixture is not the ELBO from quadrature.
    #[test]
    fn a_bound_with_latent_assignments_is_named() {
        let elbo = Some(Estimate { value: -187.2, standard_error: 0.0 });
        let mut made = of(RECIPE, |_, _| FitRecord { elbo, ..in_state(FitState::Moving) });
        let measure = Measure { key: "elbo", value: Some(-185.1), floor: None, reason: "" };
        let fit = FitAnalysis { measures: vec![measure], overlap: None };
        made.runs[0].analysis = Arc::new(Analysis { step: 9, fit, ..Analysis::default() });
        assert_eq!(heads(&made)[1], "ELBO −185.100");
        let cavi = METHODS.iter().find(|kind| kind.name == "cavi").unwrap();
        let method = samplers::methods::build(&Settings::defaults(cavi)).unwrap();
        Arc::get_mut(&mut made.runs[0].plan).unwrap().segments[0].method = method;
        assert_eq!(heads(&made)[1], "ELBO −185.100", "a target without latent variables");
        let mixture = TARGETS.iter().find(|kind| kind.name == "bivariate-mixture").unwrap();
        made.target = models::targets::build(&Settings::defaults(mixture), Path::new(".")).unwrap();
        assert_eq!(heads(&made)[1], "bound −187.200 with latent assignments");
    }

    #[test]
    fn overlapping_components_give_a_warning() {
        let mut made = of(Recipe { chains: 2, ..RECIPE }, |_, _| in_state(FitState::Converged));
        let whole = made.target.info().log_normaliser;
        let fits = made.runs[0].fits.as_mut().unwrap();
        let claim = |claims: [f64; 2]| {
            let component =
                |(claim, x)| Component { weight: 0.5, distribution: distribution(x), log_evidence: Some(claim) };
            let components = claims.into_iter().zip([0.0, 1.0]).map(component).collect();
            Fit::new(2, fits.coordinates, components).map(Arc::new)
        };
        let halves = whole - 2f64.ln();
        fits.fit = claim([halves, halves]);
        assert!((evidence(fits).unwrap() - whole).abs() < 1e-12);
        fits.fit = claim([whole, whole]);
        let mut told = |coefficient: f64, excess: f64| {
            let overlap = Some(Overlap { coefficient, excess: Some(excess) });
            let fit = FitAnalysis { measures: Vec::new(), overlap };
            let analysis = Analysis { step: 9, fit, ..Analysis::default() };
            made.runs[0].analysis = Arc::new(analysis);
            said(&made).last().cloned().unwrap()
        };
        assert!(told(0.9, 2f64.ln()).ends_with(", 0.69 above log Z."));
        for (coefficient, excess) in [(0.9, 0.0), (0.0, 0.69), (0.9, -1.0)] {
            assert!(!told(coefficient, excess).contains("overlap"));
        }
    }

    #[test]
    fn the_component_under_the_pointer_is_found_and_described() {
        let made = of(Recipe { chains: 2, ..RECIPE }, |_, chain| FitRecord {
            distribution: Some(distribution(10.0 * chain as f64)),
            ..FitRecord::default()
        });
        let fit = made.runs[0].fits.as_ref().unwrap().fit.clone().unwrap();
        assert_eq!(nearest(&fit, Point::new(9.0, 1.0)).map(|found| found.distribution), Some(distribution(10.0)));
        assert_eq!(nearest(&fit, Point::new(5.0, 0.0)), None);
        let covariance = Matrix::new(0.25, -0.2, -0.2, 1.0);
        let words = moments(made.target.info(), &Gaussian { mean: Point::new(0.5, -1.0), covariance });
        assert_eq!(words, "mean (0.5, −1), sd (0.5, 1), correlation −0.4");
        assert_eq!(
            moments(Fake::beta().info(), &Gaussian { mean: Point::new(0.5, 0.0), covariance }),
            "mean 0.5, sd 0.5"
        );
    }
}
