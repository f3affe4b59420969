//! `serve` over a network: good clients, and many that are not. What is answered to a request, as a function of the page, is tested in
//! `src/cli/serve/tests.rs`.

use std::fs;
use std::io::{BufRead, ErrorKind};
use std::net::{Shutdown, TcpListener};
use std::time::{Duration, Instant};

use super::cli::{SMALL, call, folder_with, program};
use super::server::{AT_ONCE, Client, FONT, HALF, LIMIT, PROGRAM, Server, bytes, folder, is_cut};

/// Connections that the server holds at once.
const PLACES: usize = 256;

/// Requests for what is not in the page, or not under this name: their targets.
const ELSEWHERE: &str = r"
    /../Cargo.toml /../secret.html /./../secret.html /inside/../../secret.html /page.js/../../secret.html /....//secret.html
    /%2e%2e/secret.html /%2E%2E%2Fsecret.html /..%2fsecret.html /%252e%252e/secret.html /%c0%ae%c0%ae/secret.html /..;/secret.html
    /..\secret.html /..\..\secret.html /..%5csecret.html /\..\secret.html \..\secret.html ../secret.html secret.html etc/passwd
    //secret.html //etc/passwd ///etc/passwd /etc/passwd /C:\Windows\win.ini /C:/Windows/win.ini \\server\share
    http://localhost/../secret.html http://localhost/%2e%2e/secret.html https://localhost//etc/passwd file:///etc/passwd * localhost:80 @ ? # ?/ /‥/secret.html
    /∕etc∕passwd /notes.txt /.hidden.js /inside /inside/ /inside/index.html /inside%2findex.html /. /.. /index.html.br
    /index.html.gz /sampler_lab_bg.wasm.br /index.html%00 /index.html%00.js /secret.html%00.js /index.html/ /index.html. /index.html%20
    /index.html::$DATA /INDEX.HTML /%69ndex.html /ä";

/// The same with bytes that stand in no address.
const NO_ADDRESSES: [&[u8]; 12] = [
    b"",
    b" ",
    b"/secret.html\0",
    b"/index.html\0",
    b"/index.html\0.js",
    b"/\x01",
    b"/page.js\x7f",
    b"/index.html\t",
    b"/ index.html",
    b"/\xff\xfe",
    b"/\xc0\xae\xc0\xae/secret.html",
    b"/index.html\x0b",
];

#[test]
fn no_request_leads_out_of_the_page() {
    let server = Server::start(&[]);
    let outside = server.folder.path().join("secret.html").display().to_string();
    let outside = [format!("/{outside}"), outside];
    let targets = ELSEWHERE.split_whitespace().chain(outside.iter().map(String::as_str)).map(str::as_bytes);
    for target in targets.chain(NO_ADDRESSES) {
        let request = [b"GET ", target, b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"].concat();
        let said = String::from_utf8(server.said_to(request)).unwrap();
        let target = String::from_utf8_lossy(target);
        assert!(
            ["HTTP/1.1 400", "HTTP/1.1 404", "HTTP/1.1 421"].iter().any(|status| said.starts_with(status)),
            "{target:?}: {said}"
        );
        let (_, body) = said.split_once("\r\n\r\n").unwrap();
        // Without a slash at its start a target is the name of another host.
        if body.starts_with("421 Misdirected Request.") {
            continue;
        }
        let allowed = ["", "404 Not Found. There is no such file here. The page is at /.\n"];
        assert!(allowed.contains(&body), "{target:?}: {said}");
    }
    server.end();
}

#[test]
fn what_is_no_request_is_refused() {
    let server = Server::start(&[]);
    for request in [
        "GET /\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "get\0/ HTTP/1.1\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\u{1}\u{3}\u{3} from a browser that wants https",
        "GET / HTTP/1.1\r\nCookie : a\r\n\r\n",
        "GET / HTTP/1.1\r\nCookie: \0\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
        "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
    ] {
        let said = String::from_utf8(server.said_to(request)).unwrap();
        assert!(said.starts_with("HTTP/1.1 400 ") && said.ends_with("\r\n\r\n"), "{request:?}: {said}");
    }
    server.end();
}

#[test]
fn heads_have_a_largest_size() {
    let server = Server::start(&[]);
    let a = |count: usize| "a".repeat(count);
    let fields = |count| (0..count).map(|index| format!("X-{index}: a\r\n")).collect::<String>();
    let get = |path: &str, fields: &str| format!("GET /{path} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n");
    // Those of browsers are far smaller than these.
    assert_eq!(server.client().ask("GET", "/", &format!("Cookie: {}\r\n", a(8000))).status, 200);
    assert_eq!(server.client().ask("GET", "/", &fields(60)).status, 200);
    for (name, request) in [
        ("a long path", get(&a(20_000), "")),
        ("a huge path", get(&a(1 << 20), "")),
        ("a path without end", format!("GET /{}", a(1 << 20))),
        ("a method without end", a(1 << 20)),
        ("a long header", get("", &format!("Cookie: {}\r\n", a(20_000)))),
        ("a huge header", get("", &format!("Cookie: {}\r\n", a(1 << 20)))),
        ("a huge name", get("", &format!("{}: a\r\n", a(1 << 20)))),
        ("many headers", get("", &fields(200))),
        ("a head without end", format!("{HALF}{}", fields(100_000))),
    ] {
        let said = String::from_utf8(server.said_to(request)).unwrap();
        // The answer may be lost where the server does not read all that is sent.
        let is_refused = said.starts_with("HTTP/1.1 4") && said.ends_with("\r\n\r\n");
        assert!(said.is_empty() || is_refused, "{name}: {said}");
        server.serves();
    }
    server.end();
}

#[test]
fn bodies_are_refused_and_not_read() {
    let server = Server::start(&[]);
    for (method, kind, expected) in [
        ("POST", "Content-Length: 100000000", 405),
        ("GET", "Content-Length: 100000000", 413),
        ("PUT", "Content-Length: 100000000\r\nExpect: 100-continue", 405),
        ("POST", "Transfer-Encoding: chunked", 405),
    ] {
        let mut client = server.client();
        let answer = client.ask(method, "/", &format!("{kind}\r\n"));
        assert_eq!((answer.status, answer.header("connection")), (expected, "close"), "{method} {kind}");
        assert_eq!(client.rest(), b"", "{method} {kind}");
        // The system takes a part of the body, the server nothing.
        let mut sent = 0;
        let part = "5\r\nbytes\r\n".repeat(10_000);
        let error = loop {
            match client.send(&part) {
                Ok(()) => sent += part.len(),
                Err(error) => break error,
            }
            assert!(sent < 50_000_000, "{method} {kind}");
        };
        assert!(is_cut(&error), "{method} {kind}: {error}");
    }
    // A body is no request.
    let inner = "GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for kind in [format!("Content-Length: {}", inner.len()), "Transfer-Encoding: chunked".to_owned()] {
        let said = server.said_to(format!("POST / HTTP/1.1\r\nHost: localhost\r\n{kind}\r\n\r\n{inner}"));
        let said = String::from_utf8(said).unwrap();
        assert!(said.starts_with("HTTP/1.1 405 ") && said.matches("HTTP/1.1").count() == 1, "{kind}: {said}");
    }
    server.end();
}

#[test]
fn slow_clients_keep_nobody_waiting() {
    let server = Server::start(&[]);
    let half = server.half_clients(100);
    let mut slow = server.client();
    for byte in HALF.bytes() {
        slow.send([byte]).unwrap();
    }
    for _ in 0..10 {
        server.serves();
    }
    // They get what they ask for in the end.
    for mut client in [slow].into_iter().chain(half) {
        client.send("\r\n").unwrap();
        assert_eq!(client.answer("GET").body, b"these are the bytes of index.html");
    }
    server.end();
}

/// All places are taken: by clients with half a request, by one that sends a byte now and then, and by one that has been served and asks for
/// nothing more.
#[test]
fn a_head_has_ten_seconds_and_then_its_place_is_free() {
    let server = Server::start(&[]);
    let since = Instant::now();
    let mut idle = server.client();
    assert_eq!(idle.ask("GET", "/", "").status, 200);
    let mut slow = server.client();
    slow.send(HALF).unwrap();
    let mut half = server.half_clients(PLACES - 2);
    let mut waiting = server.client();
    waiting.send(format!("{HALF}\r\n")).unwrap();

    waiting.0.get_ref().set_read_timeout(Some(Duration::from_secs(1))).unwrap();
    let error = waiting.0.fill_buf().map(<[u8]>::len).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{error}");
    slow.0.get_ref().set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    loop {
        match slow.0.fill_buf().map(<[u8]>::len) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) => break assert!(is_cut(&error), "{error}"),
            Ok(count) => break assert_eq!(count, 0),
        }
        if let Err(error) = slow.send("a") {
            break assert!(is_cut(&error), "{error}");
        }
        assert!(since.elapsed() < LIMIT);
    }
    let passed = since.elapsed();
    assert!((9.5..15.0).contains(&passed.as_secs_f64()), "{passed:?}");
    waiting.0.get_ref().set_read_timeout(Some(LIMIT)).unwrap();
    assert_eq!(waiting.answer("GET").status, 200);
    half.push(idle);
    assert!(half.iter_mut().all(|client| client.rest().is_empty()));
    server.end();
}

/// One address opens more connections than there are places, and asks for nothing. Another one is served all the same, and the first one again
/// when the head of its requests has taken too long.
#[test]
#[cfg(target_os = "linux")]
fn one_address_leaves_places_for_others() {
    let server = Server::start(&[]);
    let mut half = server.half_clients(PLACES + 50);
    let since = Instant::now();
    for number in 2..10 {
        let mut other = server.client_from(&format!("127.0.0.{number}"));
        assert_eq!(other.ask("GET", "/", "").status, 200);
    }
    assert!(since.elapsed() < AT_ONCE, "{:?}", since.elapsed());
    assert_eq!(server.client().ask("GET", "/", "").status, 200);
    assert!(half.iter_mut().all(|client| client.rest().is_empty()));
    server.end();
}

#[test]
fn a_page_for_this_computer_alone_is_not_there_under_other_names() {
    let server = Server::start(&[]);
    let ask =
        |target: &str, host: &str| server.said_to(format!("GET {target} HTTP/1.1\r\n{host}Connection: close\r\n\r\n"));
    let port = server.address.port();
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), "[::1]".to_owned()] {
        let said = String::from_utf8(ask("/", &format!("Host: {host}\r\n"))).unwrap();
        assert!(said.starts_with("HTTP/1.1 200 "), "{host}: {said}");
    }
    for (target, host) in [
        ("/", format!("Host: evil.example:{port}\r\n")),
        ("/page.js", "Host: 127.0.0.1.evil.example\r\n".to_owned()),
        ("/nothing", "Host: 192.168.1.2\r\n".to_owned()),
        ("http://evil.example/", "Host: localhost\r\n".to_owned()),
        ("/", "Host: localhost\r\nHost: evil.example\r\n".to_owned()),
        ("/", String::new()),
    ] {
        let said = String::from_utf8(ask(target, &host)).unwrap();
        assert!(said.starts_with("HTTP/1.1 4"), "{target} {host}: {said}");
        assert!(!said.contains("these are the bytes of"), "{target} {host}: {said}");
    }
    server.end();
    // Who opens it to a network opens it under the names that the network has for it.
    let open = Server::start(&["--bind", "0.0.0.0"]);
    let said = open.said_to("GET / HTTP/1.1\r\nHost: lab.example\r\nConnection: close\r\n\r\n");
    assert!(said.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&said));
}

#[test]
fn two_hundred_clients_at_once_get_every_byte() {
    let server = Server::start(&[]);
    let ask = |path: &str| {
        let mut client = server.client();
        client.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).unwrap();
        client
    };
    let fonts: Vec<Client> = (0..10).map(|_| ask("/font.otf")).collect();
    let programs: Vec<Client> = (0..190).map(|_| ask("/sampler_lab_bg.wasm")).collect();
    // While nobody takes what is sent, others are served.
    server.serves();
    let all = [(programs, "application/wasm", bytes(PROGRAM)), (fonts, "font/otf", bytes(FONT))];
    for (clients, content_type, expected) in all {
        for mut client in clients {
            let answer = client.answer("GET");
            assert_eq!((answer.status, answer.header("content-type")), (200, content_type));
            assert!(answer.body == expected, "{content_type}");
        }
    }
    server.end();
}

#[test]
fn who_has_no_more_to_ask_still_gets_every_byte() {
    let server = Server::start(&[]);
    for _ in 0..10 {
        let mut client = server.client();
        client.send("GET /font.otf HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        client.0.get_mut().shutdown(Shutdown::Write).unwrap();
        assert!(client.answer("GET").body == bytes(FONT));
    }
    server.end();
}

#[test]
fn one_connection_carries_many_requests() {
    let server = Server::start(&[]);
    let mut client = server.client();
    let forms =
        [("", "", "index.html"), ("gzip", "gzip", "index.html.gz"), ("gzip, deflate, br, zstd", "br", "index.html.br")];
    for (accepted, coding, name) in forms {
        let accept = format!("Accept-Encoding: {accepted}\r\n");
        let head = client.ask("HEAD", "/", &accept);
        let answer = client.ask("GET", "/", &accept);
        assert_eq!((head.status, answer.status), (200, 200));
        assert_eq!(String::from_utf8(answer.body.clone()).unwrap(), format!("these are the bytes of {name}"));
        for answer in [&head, &answer] {
            assert_eq!(answer.header("content-encoding"), coding);
            assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
            assert_eq!(answer.header("vary"), "Accept-Encoding");
        }
        assert_eq!(head.header("content-length"), answer.header("content-length"));
        let known = format!("{accept}If-None-Match: {}\r\n", answer.header("etag"));
        for method in ["GET", "HEAD"] {
            let again = client.ask(method, "/", &known);
            assert_eq!((again.status, again.header("etag")), (304, answer.header("etag")));
        }
        assert_eq!(client.ask("GET", "/", "If-None-Match: \"other\"\r\n").status, 200);
        let refused = client.ask("POST", "/", "");
        assert_eq!((refused.status, refused.header("allow")), (405, "GET, HEAD"));
        assert_eq!(client.ask("GET", "/nothing", "").status, 404);
    }
    // Two requests in one go, two answers in this order.
    client
        .send(["/page.js", "/"].map(|path| format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).concat())
        .unwrap();
    assert_eq!(client.answer("GET").body, b"these are the bytes of page.js");
    assert_eq!(client.answer("GET").body, b"these are the bytes of index.html");
    // Who wants the connection closed gets this.
    assert_eq!(client.ask("GET", "/", "Connection: close\r\n").header("connection"), "close");
    assert_eq!(client.rest(), b"");
    server.end();
}

#[test]
fn the_root_leads_to_the_scenario_that_is_named() {
    let lesson = Server::start(&["authors-code"]);
    let answer = lesson.client().ask("GET", "/", "");
    assert_eq!((answer.status, answer.header("location")), (302, "index.html#authors-code"));
    assert!(lesson.words.contains("\nIt opens: 25 Gaussians"), "{}", lesson.words);
    // Browsers keep what stands behind # for themselves.
    let page = lesson.client().ask("GET", "/index.html", "");
    assert_eq!((page.status, page.body.as_slice()), (200, &b"these are the bytes of index.html"[..]));

    let folder = folder_with("own.toml", SMALL);
    let own = Server::start(&[folder.path().join("own.toml").to_str().unwrap()]);
    let answer = own.client().ask("HEAD", "/", "");
    let fragment = answer.header("location").strip_prefix("index.html#").unwrap();
    assert!(fragment.starts_with("1.") && fragment.len() > 100, "{fragment}");
    // The link leads back to the scenario.
    let (code, out, err) = call(&folder, &["check", &format!("https://example.org/#{fragment}")]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
}

#[test]
fn the_printed_words_say_who_reaches_it() {
    let server = Server::start(&[]);
    let expected = format!(
        "Sampler Lab is at http://{}/\nOnly this computer reaches it; --bind 0.0.0.0 opens it to everyone in the network.\nCtrl-C ends it.\n",
        server.address
    );
    assert_eq!(server.words, expected);
    assert!(server.address.ip().is_loopback() && server.address.port() != 0);
    server.end();
}

#[test]
fn what_cannot_be_served_is_said_in_words() {
    let folder = folder();
    let named =
        SMALL.replace("\"gaussian-grid\"", "\"beta-posterior\"\ndata = { kind = \"csv\", path = \"coin.csv\" }");
    fs::write(folder.path().join("named.toml"), named).unwrap();
    fs::write(folder.path().join("coin.csv"), "1\n0\n1\n").unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::create_dir(folder.path().join("part")).unwrap();
    fs::write(folder.path().join("part/index.html"), "").unwrap();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    let taken = format!("--page page --port {port}");
    let by_whom = format!("port {port} is taken by another program; name another one, or --port 0");
    let cases: [(&str, i32, &[&str]); 9] = [
        ("--page page --port 0 named.toml", 2, &["the scenario names: coin.csv", "Open…"]),
        ("--page page --port 0 nothing.toml", 2, &["nothing.toml: there is no such file"]),
        ("--page nothing --port 0", 2, &["--page: no folder nothing;", "xtask -- web"]),
        ("--page empty --port 0", 2, &["--page: no index.html in empty;", "xtask -- web"]),
        ("--page part --port 0", 2, &["--page: no sampler_lab_bg.wasm in part;", "xtask -- web"]),
        ("--page page/index.html --port 0", 2, &["--page: no folder page/index.html;"]),
        ("--page page --port 0 --bind 192.0.2.1", 1, &["192.0.2.1 is no address of this computer;", "--bind 0.0.0.0"]),
        ("--page page --port 65536", 2, &["allowed: a whole number from 0 to 65535"]),
        (&taken, 1, &[&by_whom]),
    ];
    for (arguments, code, words) in cases {
        let mut program = program();
        program.current_dir(&folder).arg("serve").args(arguments.split(' ')).timeout(LIMIT);
        let output = program.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(code), &b""[..]), "{arguments}: {said}");
        assert!(words.iter().all(|word| said.contains(word)), "{arguments}: {said}");
    }
}

/// A shell reports SIGTERM as 143. Clients are connected, and one is loading.
#[test]
#[cfg(unix)]
fn a_signal_ends_it_at_once() {
    use std::io::Read;
    use std::net::TcpStream;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    for (name, number) in [("-TERM", 15), ("-INT", 2)] {
        let mut server = Server::start(&[]);
        let mut half = server.half_clients(10);
        let mut loading = server.client();
        loading.send("GET /font.otf HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        server.serves();
        let since = Instant::now();
        let process = &mut server.process.0;
        assert!(Command::new("kill").args([name, &process.id().to_string()]).status().unwrap().success());
        let status = process.wait().unwrap();
        assert_eq!(status.signal(), Some(number), "{status}");
        assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
        let mut said = String::new();
        process.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "interrupted\n");
        assert!(half.iter_mut().all(|client| client.rest().is_empty()));
        assert!(loading.rest().len() < FONT as usize);
        assert!(TcpStream::connect_timeout(&server.address, LIMIT).is_err());
    }
}
