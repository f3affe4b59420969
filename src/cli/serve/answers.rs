//! Answers to requests, as a function of the page: no network, no clock, nothing that a request could change.

use http_body_util::Full;
use hyper::body::{Body, Bytes};
use hyper::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
    HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH, LOCATION, REFERRER_POLICY, VARY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use hyper::{Method, Request, Response, StatusCode};

use super::hosts::Hosts;
use super::page::{FIRST, Form, Page, PageFile};

/// What stands in every answer. A browser asks whether its copy is the newest one, which costs a few bytes. The page loads nothing from
/// elsewhere, runs no script but its own, stands in no frame of another page, and tells nobody where a person comes from.
const ALWAYS: [(HeaderName, &str); 5] = [
    (CACHE_CONTROL, "no-cache"),
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src \
         'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // For browsers that do not know frame-ancestors.
    (X_FRAME_OPTIONS, "DENY"),
];

/// An answer as it is sent.
pub type Answer = Response<Full<Bytes>>;

/// The page, where browsers that ask for `/` are sent, and the names under which the page is there.
#[derive(Clone, Debug)]
pub struct Answers {
    page: Page,
    start: Option<HeaderValue>,
    hosts: Hosts,
}

impl Answers {
    /// The answers with this page. Whoever asks for `/` is sent to the experiment in this fragment of a link; to none if it cannot stand
    /// in a header, which those of [`crate::app::files::link`] can.
    #[must_use]
    pub fn new(page: Page, fragment: Option<&str>, hosts: Hosts) -> Self {
        let start = fragment.and_then(|fragment| HeaderValue::try_from(format!("{FIRST}#{fragment}")).ok());
        Self { page, start, hosts }
    }

    /// The answer to a request. What stands behind `?` is ignored.
    #[must_use]
    pub fn to<B: Body>(&self, request: &Request<B>) -> Answer {
        let has_body = !request.body().is_end_stream();
        let mut answer = match request.method() {
            _ if !self.hosts.allow(request.uri(), request.headers()) => {
                refusal(StatusCode::MISDIRECTED_REQUEST, Hosts::ALLOWED)
            }
            &Method::GET | &Method::HEAD if has_body => {
                refusal(StatusCode::PAYLOAD_TOO_LARGE, "A request has no body here.")
            }
            &Method::GET | &Method::HEAD => self.to_reading(request.uri().path(), request.headers()),
            _ => {
                let mut answer = refusal(StatusCode::METHOD_NOT_ALLOWED, "This page can only be read.");
                answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
                answer
            }
        };
        let headers = answer.headers_mut();
        for (name, value) in ALWAYS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        if has_body {
            // Nobody reads the body: what comes next on this connection would be taken for a request.
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        answer
    }

    fn to_reading(&self, path: &str, asked: &HeaderMap) -> Answer {
        let name = match (path, &self.start) {
            ("/", Some(start)) => {
                let mut answer = words(StatusCode::FOUND, "The experiment is in the page.");
                answer.headers_mut().insert(LOCATION, start.clone());
                return answer;
            }
            ("/", None) => Some(FIRST),
            _ => path.strip_prefix('/'),
        };
        match name.and_then(|name| self.page.file(name)) {
            Some(file) => file_as_asked(file, asked),
            None => refusal(StatusCode::NOT_FOUND, "There is no such file here. The page is at /."),
        }
    }
}

/// A status with words that people can read.
fn words(status: StatusCode, text: &str) -> Answer {
    let mut answer = Response::new(format!("{text}\n").into());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}

fn refusal(status: StatusCode, why: &str) -> Answer {
    words(status, &format!("{status}. {why}"))
}

/// A file in the form that the browser can read with the fewest bytes, or the news that it has it already.
fn file_as_asked(file: &PageFile, asked: &HeaderMap) -> Answer {
    let (form, coding) = chosen(file, asked);
    let is_known = items(asked, &IF_NONE_MATCH).any(|tag| tag == "*" || tag.trim_start_matches("W/") == form.tag);
    let mut answer = Response::new(if is_known { Bytes::new() } else { form.bytes.clone() }.into());
    let headers = answer.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(ETAG, form.tag.clone());
    if is_known {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        return answer;
    }
    headers.insert(CONTENT_TYPE, file.content_type.clone());
    if let Some(coding) = coding {
        headers.insert(CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    answer
}

/// The form that is sent, and the name of its coding: the one with the largest weight in Accept-Encoding (RFC 9110, section 12.5.3), of
/// equal ones Brotli, gzip, plain. A browser that accepts nothing gets it plain.
fn chosen<'a>(file: &'a PageFile, asked: &HeaderMap) -> (&'a Form, Option<&'static str>) {
    let weight = |coding| stated_weight(asked, coding).or_else(|| stated_weight(asked, "*"));
    let coded = [("gzip", &file.gzip), ("br", &file.brotli)];
    let accepted = coded.into_iter().filter_map(|(coding, form)| Some((form.as_ref()?, coding, weight(coding)?)));
    let best = accepted.max_by(|left, right| left.2.total_cmp(&right.2));
    let plain = stated_weight(asked, "identity").unwrap_or(0.0);
    match best {
        Some((form, coding, weight)) if weight > 0.0 && weight >= plain => (form, Some(coding)),
        _ => (&file.plain, None),
    }
}

/// The weight of a coding in Accept-Encoding, from 0 to 1; 1 if it is named alone, 0 if the weight cannot be read, `None` if it is not named.
fn stated_weight(asked: &HeaderMap, coding: &str) -> Option<f32> {
    items(asked, &ACCEPT_ENCODING).find_map(|item| {
        let (name, parameters) = item.split_once(';').unwrap_or((item, "q=1"));
        let weight = || {
            let number = parameters.trim().strip_prefix(['q', 'Q'])?.trim_start().strip_prefix('=')?;
            number.trim().parse::<f32>().ok().filter(|weight| (0.0..=1.0).contains(weight))
        };
        name.trim_end().eq_ignore_ascii_case(coding).then(|| weight().unwrap_or(0.0))
    })
}

/// The items of a header that is a list, in all its lines.
fn items<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    headers.get_all(name).iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(',')).map(str::trim)
}
