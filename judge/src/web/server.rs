//! The server: accepts connections on the loopback interface until a signal ends it.

use std::convert::Infallible;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use hyper::StatusCode;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::closing;
use super::connections::{Connection, Connections};
use super::site::Site;
use super::{MAX_HEAD, READ_TIME};
use common::signals::was_ignored;

/// How long to wait after a connection could not be accepted, for example because too many files are open.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// A server that is bound to its port.
pub(crate) struct Server {
    listener: TcpListener,
    site: Site,
}

impl Server {
    /// Binds a port of the loopback interface. Port 0 means any free port.
    ///
    /// # Errors
    ///
    /// If the port is taken or not allowed.
    pub(crate) fn bind(port: u16) -> anyhow::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = listener.with_context(|| {
            format!(
                "port {port} cannot be used; choose another with --port, or leave --port out to use any free \
                 port"
            )
        })?;
        let port = listener.local_addr().context("the port is not known")?.port();
        Ok(Self { listener, site: Site::new(port)? })
    }

    /// Returns the address of the first page, with the secret.
    pub(crate) fn address(&self) -> String {
        self.site.address()
    }

    /// Answers requests until one of `Signals` arrives. Calls `ready` when the server listens for signals and
    /// connections.
    pub(crate) fn run(self, ready: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        // Dropping the runtime closes all connections, and kills the processes that compute answers.
        runtime.context("the server cannot be started")?.block_on(self.serve(ready))
    }

    async fn serve(self, ready: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
        self.listener.set_nonblocking(true).context("the port cannot be used")?;
        let listener = tokio::net::TcpListener::from_std(self.listener).context("the port cannot be used")?;
        let mut signals = Signals::new()?;
        ready()?;
        let (site, connections) = (Arc::new(self.site), Arc::new(Connections::default()));
        loop {
            tokio::select! {
                () = signals.any() => return Ok(()),
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => accept(stream, &connections, &site),
                    Err(_) => tokio::time::sleep(ACCEPT_RETRY_DELAY).await,
                },
            }
        }
    }
}

/// Serves a connection in its own task, or refuses it if too many wait for an answer.
fn accept(stream: TcpStream, connections: &Arc<Connections>, site: &Arc<Site>) {
    // A second handle of the connection writes a refusal after hyper has dropped `stream`.
    let Ok(mut second_handle) = stream.as_fd().try_clone_to_owned().map(std::net::TcpStream::from) else {
        return;
    };
    let Some(connection) = connections.add() else {
        let _ =
            second_handle.write_all(&closing(StatusCode::SERVICE_UNAVAILABLE, "too many requests at a time"));
        return;
    };
    let (connections, site) = (connections.clone(), site.clone());
    tokio::spawn(async move {
        let is_late = serve_connection(stream, &connection, &site).await;
        if is_late && !connection.has_answered() {
            let why = "the request did not arrive in time, or there were too many connections";
            let _ = second_handle.write_all(&closing(StatusCode::REQUEST_TIMEOUT, why));
        }
        connections.remove(&connection);
    });
}

/// Answers the requests of a connection until it ends. Returns whether the connection ended because a request did not
/// arrive in time, or because it was closed for a newer connection.
async fn serve_connection(stream: TcpStream, connection: &Arc<Connection>, site: &Arc<Site>) -> bool {
    let service = service_fn(|request| {
        let (site, connection) = (site.clone(), connection.clone());
        async move {
            let answer = site.answer(request, &connection).await;
            connection.end_answer();
            Ok::<_, Infallible>(answer)
        }
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(READ_TIME)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        ended = serving => ended.is_err_and(|error| error.is_timeout()),
        () = connection.closing() => true,
    }
}

/// The signals that end the server: SIGINT (Ctrl-C), SIGTERM, and SIGHUP unless the judge was started by `nohup`.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Option<Signal>,
}

impl Signals {
    fn new() -> anyhow::Result<Self> {
        let listen = |kind| signal(kind).context("cannot listen for Ctrl-C");
        // `nohup` ignores SIGHUP, so that the judge continues when the terminal is closed.
        let hangup = !was_ignored(SignalKind::hangup().as_raw_value());
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hangup: hangup.then(|| listen(SignalKind::hangup())).transpose()?,
        })
    }

    /// Waits for one of the signals.
    async fn any(&mut self) {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => drop(hangup.recv().await),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = hangup => {}
        }
    }
}
