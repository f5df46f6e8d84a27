//! The server of `judge web`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command};
use std::time::Duration;

use super::{command, start};

/// A server of the judge. The server ends with the test.
pub struct Server {
    judge: Child,
    _stdout: BufReader<ChildStdout>,
    /// The server's address, with the secret.
    address: String,
}

impl Server {
    pub fn start() -> Self {
        Self::of(&mut command("web --no-open", &[]))
    }

    /// Starts a server with a command.
    pub fn of(command: &mut Command) -> Self {
        let mut judge = start(command);
        let mut stdout = BufReader::new(judge.stdout.take().unwrap());
        let mut address = String::new();
        stdout.read_line(&mut address).unwrap();
        assert!(address.starts_with("http://127.0.0.1:"), "{address}");
        Self { judge, _stdout: stdout, address: address.trim().to_owned() }
    }

    /// Returns the address of a page. The first page has an empty path.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }

    pub fn host(&self) -> &str {
        self.address.split('/').nth(2).unwrap()
    }

    /// Returns the path of the first page: the secret between slashes.
    pub fn root(&self) -> &str {
        &self.address["http://".len() + self.host().len()..]
    }

    pub fn connect(&self) -> TcpStream {
        TcpStream::connect(self.host()).unwrap()
    }

    /// Sends bytes on a new connection, and returns the status and the whole answer.
    pub fn send(&self, request: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        // The server may refuse the request before it has read all of it.
        let _ = stream.write_all(request);
        answer(stream)
    }

    /// Sends the page's request for the computation `name`, and returns the status and the answer.
    pub fn ask(&self, name: &str, body: &str) -> (u16, String) {
        let (status, answer) = self.send(self.request(name, body).as_bytes());
        (status, answer.split_once("\r\n\r\n").unwrap().1.to_owned())
    }

    pub fn request(&self, name: &str, body: &str) -> String {
        let (root, host, length) = (self.root(), self.host(), body.len());
        format!(
            "POST {root}api/{name} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\nconnection: close\r\n\r\n{body}"
        )
    }

    /// Checks that the server still answers.
    #[track_caller]
    pub fn assert_still_answers(&self) {
        let turn = self.ask("turn", r#"{"game":"square 20","moves":"1 9"}"#);
        assert_eq!(turn.0, 200, "{}", turn.1);
    }

    pub fn id(&self) -> u32 {
        self.judge.id()
    }

    /// Waits for the server's end, and returns the exit code and stderr.
    pub fn end(mut self) -> (Option<i32>, String) {
        let mut stderr = String::new();
        self.judge.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (self.judge.wait().unwrap().code(), stderr)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.judge.kill();
        let _ = self.judge.wait();
    }
}

/// Reads a connection until it is closed, and returns the status and the whole answer.
pub fn answer(mut stream: TcpStream) -> (u16, String) {
    // A server that sends nothing for a minute has failed.
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut answer = Vec::new();
    // After a reset of the connection, use the bytes received before.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).unwrap();
    let status = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    (status.unwrap_or_default(), answer)
}
