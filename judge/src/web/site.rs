//! The site: chooses the answer to each request.

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ALLOW, CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use tokio::time::timeout;

use super::answers;
use super::checks::Token;
use super::checks::path_of;
use super::connections::Connection;
use super::files;
use super::jobs::{Job, JobResult, Jobs};
use super::table_request::TableRequest;
use super::{Answer, JSON, answer, refusal};
use super::{MAX_BODY, MAX_IGNORED, READ_TIME};

/// The pages and computed answers at one address.
pub(super) struct Site {
    port: u16,
    token: Token,
    jobs: Jobs,
}

impl Site {
    /// Creates the site. Fails if the system provides no random bytes, or if the path of this program is not known.
    pub(super) fn new(port: u16) -> anyhow::Result<Self> {
        Ok(Self { port, token: Token::random()?, jobs: Jobs::new()? })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token.text())
    }

    /// Answers a request. If the request is refused, reads the rest of its body, so that its sender reads the answer,
    /// and closes the connection.
    pub(super) async fn answer(&self, request: Request<Incoming>, connection: &Connection) -> Answer {
        let (head, mut body) = request.into_parts();
        match self.respond(&head, &mut body, connection).await {
            Ok(answer) => answer,
            Err(mut refused) => {
                // Do not wait again for a request that did not arrive in time.
                if refused.status() != StatusCode::REQUEST_TIMEOUT {
                    let _ = timeout(READ_TIME, discard(body)).await;
                }
                refused.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
                refused
            }
        }
    }

    /// Returns the answer. An error is the refusal of a request whose body may not have been read.
    async fn respond(
        &self,
        head: &Parts,
        body: &mut Incoming,
        connection: &Connection,
    ) -> Result<Answer, Answer> {
        let path = path_of(head, self.port, &self.token);
        let path = path.map_err(|refused| refusal(refused.status, refused.why))?;
        if let Some(name) = path.strip_prefix("api/") {
            return self.computed(name, head, body, connection).await;
        }
        let file =
            files::find(path).ok_or_else(|| refusal(StatusCode::NOT_FOUND, "there is no such page"))?;
        match head.method {
            Method::GET | Method::HEAD => Ok(answer(StatusCode::OK, file.kind, file.content)),
            _ => Err(wrong_method("GET, HEAD")),
        }
    }

    /// Computes the answer to the request `name` of a page.
    async fn computed(
        &self,
        name: &str,
        head: &Parts,
        body: &mut Incoming,
        connection: &Connection,
    ) -> Result<Answer, Answer> {
        if name != TableRequest::NAME && !answers::is_known(name) {
            return Err(refusal(StatusCode::NOT_FOUND, "there is no such request"));
        }
        if head.method != Method::POST {
            return Err(wrong_method("POST"));
        }
        // Forms of other sites cannot send this content type.
        if head.headers.get(CONTENT_TYPE).is_none_or(|kind| kind != JSON) {
            let why = "expected the content type application/json";
            return Err(refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, why));
        }
        let late = |_| refusal(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time");
        let input = timeout(READ_TIME, read(body)).await.map_err(late)??;
        let job = if name == TableRequest::NAME {
            TableRequest::job(&input).map_err(|why| refusal(StatusCode::UNPROCESSABLE_ENTITY, &why))?
        } else {
            Job { args: vec![name.to_owned()], input, kind: JSON }
        };
        connection.begin_answer();
        let kind = job.kind;
        Ok(match self.jobs.run(job).await {
            JobResult::Done(output) => answer(StatusCode::OK, kind, output),
            JobResult::Refused(why) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &why),
            JobResult::Failed(why) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &why),
            JobResult::OverLimit => refusal(
                StatusCode::SERVICE_UNAVAILABLE,
                "the answer needs more time or memory than a page may use",
            ),
            JobResult::Busy => busy(),
        })
    }
}

/// Reads the whole body of a request, of at most `MAX_BODY` bytes.
async fn read(body: &mut Incoming) -> Result<Bytes, Answer> {
    let too_large = || refusal(StatusCode::PAYLOAD_TOO_LARGE, "expected a request of at most 1 MiB");
    if body.size_hint().lower() > MAX_BODY as u64 {
        return Err(too_large());
    }
    let mut whole = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| refusal(StatusCode::BAD_REQUEST, "the request is incomplete"))?;
        let Ok(data) = frame.into_data() else { continue };
        if whole.len() + data.len() > MAX_BODY {
            return Err(too_large());
        }
        whole.extend_from_slice(&data);
    }
    Ok(whole.into())
}

/// Reads and ignores the rest of a body, up to about `MAX_IGNORED` bytes.
async fn discard(mut body: Incoming) {
    let mut ignored = 0;
    while let Some(Ok(frame)) = body.frame().await {
        ignored += frame.data_ref().map_or(0, Bytes::len);
        if ignored > MAX_IGNORED {
            return;
        }
    }
}

fn busy() -> Answer {
    let why = "the judge is busy with other requests; try again in a moment";
    let mut answer = refusal(StatusCode::SERVICE_UNAVAILABLE, why);
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    answer
}

fn wrong_method(allowed: &'static str) -> Answer {
    let mut answer = refusal(
        StatusCode::METHOD_NOT_ALLOWED,
        &format!("expected the method {}", allowed.replace(", ", " or ")),
    );
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    answer
}
