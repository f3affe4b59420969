//! The program while it serves a page, and clients that read what it sends byte by byte.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread::Builder;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// After this time a test fails. Only what hangs takes so long.
pub(super) const LIMIT: Duration = Duration::from_secs(30);

/// Who is not kept waiting by others is served in less time: half of what the head of a request may take.
pub(super) const AT_ONCE: Duration = Duration::from_secs(5);

/// What stands in every file that no client may see.
const SECRET: &str = "secret";

/// A request whose head lacks its end.
pub(super) const HALF: &str = "GET / HTTP/1.1\r\nHost: localhost\r\n";

/// Size of the program of the page, in bytes.
pub(super) const PROGRAM: u32 = 1_000_003;

/// Size of its font, in bytes: larger than what the system takes for a connection, so that it is sent in parts.
pub(super) const FONT: u32 = 6_000_007;

/// That many bytes. Their period, a prime, fits into no block of a network: a block that is lost or comes twice changes them.
pub(super) fn bytes(count: u32) -> Vec<u8> {
    (0..count).map(|index| (index % 251).to_le_bytes()[0]).collect()
}

/// A folder with the folder `page` and secrets, around the page and in it.
pub(super) fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir_all(folder.path().join("page/inside")).unwrap();
    for name in ["Cargo.toml", "secret.html", "page/notes.txt", "page/.hidden.js", "page/inside/index.html"] {
        fs::write(folder.path().join(name), SECRET).unwrap();
    }
    let page = folder.path().join("page");
    for name in ["index.html", "index.html.gz", "index.html.br", "page.js", "page.js.gz", "sampler_lab_bg.wasm.br"] {
        fs::write(page.join(name), format!("these are the bytes of {name}")).unwrap();
    }
    fs::write(page.join("sampler_lab_bg.wasm"), bytes(PROGRAM)).unwrap();
    fs::write(page.join("font.otf"), bytes(FONT)).unwrap();
    folder
}

/// A process that ends with the test.
pub(super) struct Process(pub(super) Child);

impl Drop for Process {
    fn drop(&mut self) {
        // An error means that it has ended already.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// The program while it serves the page of a folder.
pub(super) struct Server {
    pub(super) process: Process,
    pub(super) address: SocketAddr,
    pub(super) words: String,
    pub(super) folder: TempDir,
}

impl Server {
    /// Starts it and reads the address that it prints.
    pub(super) fn start(arguments: &[&str]) -> Self {
        let folder = folder();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sampler-lab"));
        command.args(["serve", "--page", "page", "--port", "0"]).args(arguments).current_dir(&folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = Process(command.spawn().unwrap());
        let printed = BufReader::new(process.0.stdout.take().unwrap());
        let (told, heard) = channel();
        let read = move || {
            let mut words = String::new();
            for line in printed.lines().map_while(Result::ok) {
                words += &format!("{line}\n");
                if line == "Ctrl-C ends it." {
                    break;
                }
            }
            told.send(words).unwrap();
        };
        Builder::new().name("words".to_owned()).spawn(read).unwrap();
        let words = heard.recv_timeout(LIMIT).unwrap();
        let address = words.split_once("http://").and_then(|(_, rest)| rest.split_once('/'));
        let address = address.unwrap_or_else(|| panic!("{words}")).0.parse().unwrap();
        Self { process, address, words, folder }
    }

    pub(super) fn client(&self) -> Client {
        let stream = TcpStream::connect_timeout(&self.address, LIMIT).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        stream.set_write_timeout(Some(LIMIT)).unwrap();
        Client(BufReader::new(stream))
    }

    /// A client with another address of this computer. Elsewhere than on Linux there is only one.
    #[cfg(target_os = "linux")]
    pub(super) fn client_from(&self, address: &str) -> Client {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::new(address.parse().unwrap(), 0)).unwrap();
            socket.connect(self.address).await.unwrap().into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        Client(BufReader::new(stream))
    }

    /// Clients that send half a request and wait.
    pub(super) fn half_clients(&self, count: usize) -> Vec<Client> {
        let half = |_| {
            let mut client = self.client();
            client.send(HALF).unwrap();
            client
        };
        (0..count).map(half).collect()
    }

    /// Everything that is answered to these bytes, up to the end of the connection.
    pub(super) fn said_to(&self, bytes: impl AsRef<[u8]>) -> Vec<u8> {
        let mut client = self.client();
        if let Err(error) = client.send(bytes) {
            assert!(is_cut(&error), "{error}");
        }
        client.rest()
    }

    /// A good client gets the page, and soon.
    pub(super) fn serves(&self) {
        let since = Instant::now();
        let answer = self.client().ask("GET", "/", "");
        assert_eq!((answer.status, answer.body.as_slice()), (200, &b"these are the bytes of index.html"[..]));
        assert!(since.elapsed() < AT_ONCE, "{:?}", since.elapsed());
    }

    /// Checks that it still serves, and that it has never complained.
    pub(super) fn end(mut self) {
        self.serves();
        self.process.0.kill().unwrap();
        let mut complaints = String::new();
        self.process.0.stderr.take().unwrap().read_to_string(&mut complaints).unwrap();
        assert_eq!(complaints, "");
    }
}

/// Whether the other side has ended a connection.
pub(super) fn is_cut(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe)
}

/// A connection to the server.
pub(super) struct Client(pub(super) BufReader<TcpStream>);

/// What the server answers.
pub(super) struct Answer {
    pub(super) status: u16,
    head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// The value of a header, empty if it is not there.
    pub(super) fn header(&self, name: &str) -> &str {
        let fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.filter(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value).next().unwrap_or("")
    }
}

impl Client {
    pub(super) fn send(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.0.get_mut().write_all(bytes.as_ref())
    }

    /// Sends a request and reads the answer; the connection is kept. `fields` are lines of its head.
    pub(super) fn ask(&mut self, method: &str, path: &str, fields: &str) -> Answer {
        self.send(format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n")).unwrap();
        self.answer(method)
    }

    /// Reads the answer to a request of this method, with exactly as many bytes as it says.
    pub(super) fn answer(&mut self, method: &str) -> Answer {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.0.read_line(&mut head).unwrap(), 0, "the connection ends after {head:?}");
        }
        let status = head.strip_prefix("HTTP/1.1 ").unwrap()[..3].parse().unwrap();
        let mut answer = Answer { status, head, body: Vec::new() };
        if method != "HEAD" && status != 304 {
            answer.body = vec![0; answer.header("content-length").parse().unwrap()];
            self.0.read_exact(&mut answer.body).unwrap();
        }
        answer
    }

    /// What comes up to the end of the connection, which the server has to end.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Err(error) = self.0.read_to_end(&mut bytes) {
            assert!(is_cut(&error), "{error}");
        }
        bytes
    }
}
