//! The server: HTTP/1.1 on one thread. Whatever clients do, it holds a bounded number of connections, of each address a part of them
//! ([`super::connections`]), each with a bounded request and a bounded time; the bytes of the page are shared by all.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context, anyhow};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::answers::Answers;
use super::connections::{Client, ConnectionLimit};

/// Largest head of a request, in bytes; those of browsers have less than 1 kB.
const HEAD: usize = 16 << 10;

/// How long the head of a request may take, also the next one on a connection that is kept.
const HEAD_TIME: Duration = Duration::from_secs(10);

/// How long a client may take nothing of an answer.
const STALLED: Duration = Duration::from_secs(20);

/// How long a connection may last: the page and its largest font, in a class of a hundred that shares ten megabits a second.
const CONNECTION_TIME: Duration = Duration::from_secs(10 * 60);

/// Time before the next try where the system refuses a connection, for instance for want of file descriptors.
const PAUSE: Duration = Duration::from_millis(50);

/// Answers requests at an address, where port 0 stands for any that is free. `announce` is told the address in use, before the first
/// request is answered. A signal ends it.
///
/// # Errors
/// If nobody can listen there, or `announce` has failed.
pub fn run<E: From<anyhow::Error>>(
    address: SocketAddr,
    answers: Answers,
    announce: impl FnOnce(SocketAddr) -> Result<(), E>,
) -> Result<Infallible, E> {
    let runtime = Builder::new_current_thread().enable_io().enable_time().build().context("the server")?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(|error| refused(address, error))?;
        announce(listener.local_addr().context("the server")?)?;
        Ok(listen(&listener, &Arc::new(answers)).await)
    })
}

/// Why nobody can listen at an address, and what to do.
fn refused(address: SocketAddr, error: io::Error) -> anyhow::Error {
    let port = address.port();
    match error.kind() {
        ErrorKind::AddrInUse => {
            anyhow!("port {port} is taken by another program; name another one, or --port 0 for any that is free")
        }
        ErrorKind::AddrNotAvailable => {
            anyhow!("{} is no address of this computer; --bind 0.0.0.0 listens at all that it has", address.ip())
        }
        ErrorKind::PermissionDenied => {
            anyhow!("port {port} is not for everyone: {error}; name a port from 1024 to 65535 with --port")
        }
        _ => anyhow::Error::new(error).context(format!("cannot listen at {address}")),
    }
}

async fn listen(listener: &TcpListener, answers: &Arc<Answers>) -> Infallible {
    let limit = Arc::<Mutex<ConnectionLimit<TcpStream>>>::default();
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                let client = Client::of(address.ip());
                // One that finds no place is kept there, or closed.
                let Some(stream) = locked(&limit).enter(client, stream) else { continue };
                tokio::spawn(serve_in_turn((client, stream), limit.clone(), answers.clone()));
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Answers a connection, and then those that get its place after it.
async fn serve_in_turn(
    first: (Client, TcpStream),
    limit: Arc<Mutex<ConnectionLimit<TcpStream>>>,
    answers: Arc<Answers>,
) {
    let mut next = Some(first);
    while let Some((client, stream)) = next {
        converse(stream, answers.clone()).await;
        next = locked(&limit).leave(client);
    }
}

fn locked(limit: &Mutex<ConnectionLimit<TcpStream>>) -> MutexGuard<'_, ConnectionLimit<TcpStream>> {
    limit.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers the requests of one connection, to its end.
async fn converse(stream: TcpStream, answers: Arc<Answers>) {
    // Only a matter of speed.
    stream.set_nodelay(true).ok();
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(STALLED));
    let answer = service_fn(move |request| {
        let answer = answers.to(&request);
        async move { Ok::<_, Infallible>(answer) }
    });
    let mut http = http1::Builder::new();
    // A client that has no more to ask, and says so, still gets the whole answer.
    http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(HEAD).half_close(true);
    let conversation = http.serve_connection(TokioIo::new(Box::pin(stream)), answer);
    // A connection that breaks, or takes too long, is nothing to report: browsers close theirs at any moment.
    timeout(CONNECTION_TIME, conversation).await.ok();
}
