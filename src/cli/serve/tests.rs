//! Tests of what is answered and of what is printed; those over a network are in `tests/it/serve.rs`.

use std::fs;

use http_body_util::{BodyExt, Empty, Full};
use hyper::body::{Body, Bytes};
use hyper::header::{HeaderMap, HeaderName};
use hyper::{Method, Request, StatusCode};
use rqrr::PreparedImage;
use tempfile::TempDir;

use super::addresses::Reached;
use super::answers::{Answer, Answers};
use super::hosts::Hosts;
use super::page::Page;
use super::{blocks, fragment, in_words};
use crate::app::files::qr::Qr;
use engine::scenario::{Lesson, Scenario, read};

const FILES: [(&str, &str); 6] = [
    ("index.html", "<html>"),
    ("index.html.gz", "packed html"),
    ("index.html.br", "html"),
    ("page.js", "plain script"),
    ("page.js.gz", "script"),
    ("sampler_lab_bg.wasm", "program"),
];

fn page() -> (TempDir, Page) {
    let folder = TempDir::new().unwrap();
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let page = Page::read(folder.path()).unwrap();
    (folder, page)
}

fn answers(fragment: Option<&str>) -> Answers {
    Answers::new(page().1, fragment, Hosts::Any)
}

fn request(method: Method, path: &str, headers: &[(&str, &str)]) -> Request<Empty<Bytes>> {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Empty::new()).unwrap()
}

fn get(path: &str, headers: &[(&str, &str)]) -> Answer {
    answers(None).to(&request(Method::GET, path, headers))
}

fn header(headers: &HeaderMap, name: &str) -> String {
    let name: HeaderName = name.parse().unwrap();
    headers.get(name).map_or(String::new(), |value| value.to_str().unwrap().to_owned())
}

fn text(answer: Answer) -> String {
    let body = futures_of_tests::now(answer.into_body().collect()).unwrap().to_bytes();
    String::from_utf8(body.to_vec()).unwrap()
}

/// Bodies in memory are there at once.
mod futures_of_tests {
    use std::future::Future;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    pub fn now<F: Future>(future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => output,
            Poll::Pending => panic!("not there at once"),
        }
    }
}

#[test]
fn the_start_of_the_page_is_at_its_root() {
    for path in ["/", "/index.html", "/?lesson=3", "/index.html?x#y"] {
        let answer = get(path, &[]);
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(header(answer.headers(), "content-type"), "text/html; charset=utf-8");
        assert_eq!(header(answer.headers(), "cache-control"), "no-cache");
        assert_eq!(header(answer.headers(), "vary"), "Accept-Encoding");
        assert_eq!(header(answer.headers(), "x-content-type-options"), "nosniff");
        assert_eq!(text(answer), "<html>");
    }
    assert_eq!(header(get("/sampler_lab_bg.wasm", &[]).headers(), "content-type"), "application/wasm");
}

#[test]
fn nothing_but_the_files_of_the_page_is_there() {
    let paths = [
        "/index.html.br",
        "/index.html/",
        "//index.html",
        "/./index.html",
        "/INDEX.HTML",
        "/%69ndex.html",
        "/../page.js",
        "*",
    ];
    for path in paths {
        let answer = get(path, &[]);
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
        assert_eq!(header(answer.headers(), "x-content-type-options"), "nosniff");
        assert_eq!(header(answer.headers(), "content-type"), "text/plain; charset=utf-8");
        assert!(text(answer).starts_with("404 Not Found. There is no such file"));
    }
}

/// The policy with which the page was tried in browsers, and its companions: in every answer, whatever is asked.
#[test]
fn every_answer_says_what_a_browser_may_do_with_it() {
    let tried = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; \
                 connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'none'";
    let tag = header(get("/", &[]).headers(), "etag");
    let local = Answers::new(page().1, None, Hosts::Local).to(&request(Method::GET, "/", &[("host", "evil.example")]));
    assert_eq!(local.status(), StatusCode::MISDIRECTED_REQUEST);
    let others = [
        get("/", &[]),
        get("/nothing", &[]),
        get("/", &[("if-none-match", &tag)]),
        answers(Some("authors-code")).to(&request(Method::GET, "/", &[])),
        answers(None).to(&request(Method::POST, "/", &[])),
    ];
    for answer in [local].into_iter().chain(others) {
        let (status, headers) = (answer.status(), answer.headers());
        assert_eq!(header(headers, "content-security-policy"), tried, "{status}");
        assert_eq!(header(headers, "referrer-policy"), "no-referrer", "{status}");
        assert_eq!(header(headers, "x-frame-options"), "DENY", "{status}");
        assert_eq!(header(headers, "x-content-type-options"), "nosniff", "{status}");
    }
}

#[test]
fn a_request_for_another_name_gets_no_file() {
    let local = Answers::new(page().1, Some("authors-code"), Hosts::Local);
    for (host, path) in [("evil.example:8000", "/"), ("evil.example", "/index.html"), ("evil.example", "/nothing")] {
        let answer = local.to(&request(Method::GET, path, &[("host", host)]));
        assert_eq!(answer.status(), StatusCode::MISDIRECTED_REQUEST);
        assert_eq!(header(answer.headers(), "location"), "");
        let said = text(answer);
        assert!(said.starts_with("421 Misdirected Request. This page is for this computer alone"), "{said}");
        assert!(!said.contains("evil"), "{said}");
    }
    assert_eq!(local.to(&request(Method::GET, "/", &[("host", "localhost:8000")])).status(), StatusCode::FOUND);
}

#[test]
fn the_smallest_form_that_is_accepted_is_sent() {
    let sent = |path: &str, accepted: &str| {
        let answer = get(path, &[("accept-encoding", accepted)]);
        (header(answer.headers(), "content-encoding"), text(answer))
    };
    let (br, gzip, plain) = (("br", "html"), ("gzip", "packed html"), ("", "<html>"));
    for (accepted, expected) in [
        ("gzip, deflate, br, zstd", br),
        ("gzip, deflate", gzip),
        ("GZIP", gzip),
        ("*", br),
        ("br;q=0.5, gzip;q=0.8", gzip),
        ("br;q=0, *", gzip),
        ("br; q = 0.0 , gzip ; q=1.000", gzip),
        ("br;q=0,gzip;q=0", plain),
        ("gzip;q=0.5, identity", plain),
        ("identity;q=0, gzip;q=0.1", gzip),
        ("identity;q=0", plain),
        ("br;q=2, gzip;q=nan", plain),
        ("br;level=3", plain),
        ("bread", plain),
        ("", plain),
        (",;,q=,", plain),
    ] {
        assert_eq!(sent("/", accepted), (expected.0.to_owned(), expected.1.to_owned()), "{accepted}");
    }
    // A file without a Brotli form, and one without any.
    assert_eq!(sent("/page.js", "br, gzip;q=0.1"), ("gzip".to_owned(), "script".to_owned()));
    assert_eq!(sent("/sampler_lab_bg.wasm", "br, gzip"), (String::new(), "program".to_owned()));
    // A header in two lines is one list.
    let answer = get("/", &[("accept-encoding", "gzip"), ("accept-encoding", "br")]);
    assert_eq!(header(answer.headers(), "content-encoding"), "br");
}

#[test]
fn what_a_browser_has_is_not_sent_again() {
    let first = get("/", &[("accept-encoding", "br")]);
    let tag = header(first.headers(), "etag");
    let ask = |known: &str, accepted: &str| get("/", &[("if-none-match", known), ("accept-encoding", accepted)]);
    let weak = format!("W/{tag}");
    let among = format!("\"other\", {tag}");
    for known in [tag.as_str(), &weak, &among, "*"] {
        let answer = ask(known, "br");
        assert_eq!(answer.status(), StatusCode::NOT_MODIFIED, "{known}");
        assert_eq!(header(answer.headers(), "etag"), tag);
        assert_eq!(header(answer.headers(), "vary"), "Accept-Encoding");
        assert_eq!(header(answer.headers(), "cache-control"), "no-cache");
        assert_eq!(text(answer), "");
    }
    for (known, accepted) in [("\"other\"", "br"), (tag.trim_matches('"'), "br"), (tag.as_str(), "gzip"), ("", "br")] {
        assert_eq!(ask(known, accepted).status(), StatusCode::OK, "{known} {accepted}");
    }
}

#[test]
fn the_page_can_only_be_read() {
    for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::TRACE, Method::PATCH] {
        for path in ["/", "/index.html", "/nothing"] {
            let answer = answers(None).to(&request(method.clone(), path, &[]));
            assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
            assert_eq!(header(answer.headers(), "allow"), "GET, HEAD");
            assert_eq!(header(answer.headers(), "connection"), "");
        }
    }
    let head = answers(None).to(&request(Method::HEAD, "/", &[]));
    assert_eq!((head.status(), head.body().size_hint().exact()), (StatusCode::OK, Some(6)));
}

#[test]
fn a_request_with_a_body_is_refused_and_its_connection_closed() {
    for (method, status) in
        [(Method::GET, StatusCode::PAYLOAD_TOO_LARGE), (Method::POST, StatusCode::METHOD_NOT_ALLOWED)]
    {
        let body = Full::<Bytes>::from("x");
        let request = Request::builder().method(method).uri("/").body(body).unwrap();
        let answer = answers(None).to(&request);
        assert_eq!(answer.status(), status);
        assert_eq!(header(answer.headers(), "connection"), "close");
    }
}

#[test]
fn the_root_leads_to_the_scenario() {
    let answers = answers(Some("1.abc_-"));
    for path in ["/", "/?x"] {
        let answer = answers.to(&request(Method::GET, path, &[]));
        assert_eq!(answer.status(), StatusCode::FOUND);
        assert_eq!(header(answer.headers(), "location"), "index.html#1.abc_-");
        assert_eq!(header(answer.headers(), "cache-control"), "no-cache");
    }
    assert_eq!(answers.to(&request(Method::GET, "/index.html", &[])).status(), StatusCode::OK);
}

#[test]
fn only_scenarios_that_fit_into_a_link_are_served() {
    let lesson = Lesson::find("authors-code").unwrap().scenario().unwrap();
    assert_eq!(fragment(&lesson).unwrap(), "authors-code");
    let title = (0..9000_u32).map(|index| char::from_u32(0x4E00 + index * 7919 % 20_000).unwrap()).collect();
    let told = fragment(&Scenario { title, ..lesson }).unwrap_err().lines().join("\n");
    assert!(told.contains("too large for a link") && told.contains("Open…"), "{told}");

    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("coin.csv"), "1\n0\n1\n").unwrap();
    let with = |event: &str| {
        let text = format!(
            "format = 1\ntitle = \"Coin\"\n[target]\nkind = \"beta-posterior\"\ndata = {{ kind = \"counts\", ones = 5, n = 10 }}\n\
             [[run]]\nname = \"a\"\nmethod = \"sgld\"\nsteps = 10\nstep_size = {{ kind = \"constant\", value = 1e-5 }}\n{event}"
        );
        read(&text, "coin.toml", folder.path()).unwrap()
    };
    assert!(fragment(&with("")).unwrap().starts_with("1."));
    let event =
        "[[event]]\nstep = 5\ntarget = { kind = \"beta-posterior\", data = { kind = \"csv\", path = \"coin.csv\" } }\n";
    let failure = fragment(&with(event)).unwrap_err();
    let told = failure.lines().join("\n");
    assert!(told.contains("the scenario names: coin.csv") && told.contains("Open…"), "{told}");
    assert_eq!(format!("{:?}", failure.code()), format!("{:?}", std::process::ExitCode::from(super::super::USAGE)));
}

#[test]
fn what_is_printed_says_who_reaches_the_page() {
    let told = |bound: &str, places: &[(&str, &str)]| {
        let reached = |(address, interface): &(&str, &str)| Reached {
            address: address.parse().unwrap(),
            interface: (*interface).to_owned(),
        };
        let places: Vec<Reached> = places.iter().map(reached).collect();
        in_words(bound.parse().unwrap(), Some("Two modes"), &places).join("\n")
    };
    let local = told("127.0.0.1:8000", &[]);
    assert!(local.contains("http://127.0.0.1:8000/\n") && local.contains("--bind 0.0.0.0"), "{local}");
    let room = told("0.0.0.0:80", &[("192.168.1.23", "wlan0"), ("172.17.0.1", "docker0")]);
    assert!(room.starts_with("Sampler Lab is at http://192.168.1.23:80/  (wlan0)\n"), "{room}");
    assert!(room.contains("\n  http://172.17.0.1:80/  (docker0)\n") && !room.contains("0.0.0.0"), "{room}");
    assert!(told("[2001:db8::1]:8000", &[]).contains("http://[2001:db8::1]:8000/ for everyone"));
    assert!(told("0.0.0.0:8000", &[]).contains("in no network"));
    for text in [local, room] {
        assert!(text.ends_with("It opens: Two modes\nCtrl-C ends it."), "{text}");
    }
}

/// Titles come from files of others: whatever is in them, they take one line.
#[test]
fn a_title_adds_no_line_to_what_is_printed() {
    let title = "Class\nSampler Lab is at http://evil.example/\r\u{1b}[2J\u{2028}\u{85}\u{202e}end";
    let lines = in_words("127.0.0.1:8000".parse().unwrap(), Some(title), &[]);
    let printed = lines.join("\n");
    assert_eq!(printed.lines().count(), lines.len());
    assert!(printed.lines().filter(|line| line.starts_with("Sampler Lab is at")).count() == 1, "{printed}");
    assert!(!printed.chars().any(|c| c != '\n' && (c.is_control() || "\u{2028}\u{202e}".contains(c))), "{printed:?}");
}

/// Another program reads the code from the characters that a terminal shows, in the colours that they are given.
#[test]
fn the_code_in_a_terminal_can_be_read() {
    let address = "http://192.168.1.23:8000/";
    let lines = blocks(&Qr::of(address).unwrap());
    assert_eq!(lines.len(), 17);
    let rows: Vec<Vec<bool>> = lines
        .iter()
        .flat_map(|line| {
            let cells = line.strip_prefix("\x1b[38;5;16;48;5;231m").unwrap().strip_suffix("\x1b[0m").unwrap();
            ["█▀", "█▄"].map(|dark| cells.chars().map(|cell| dark.contains(cell)).collect())
        })
        .collect();
    let mut picture = PreparedImage::prepare_from_bitmap(33 * 4, 34 * 4, |x, y| rows[y / 4][x / 4]);
    assert_eq!(picture.detect_grids()[0].decode().unwrap().1, address);
}
