//! The site: which request gets which answer.

use http_body_util::BodyExt;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{ALLOW, CONNECTION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::http::request::Parts;
use hyper::{Method, Request, StatusCode};
use tokio::time::timeout;

use super::answers;
use super::checks::path_of;
use super::connections::Connection;
use super::files;
use super::head::{Answer, JSON, answer, refusal};
use super::jobs::{Job, JobResult, Jobs};
use super::limits::{MAX_BODY, MAX_IGNORED, READ_TIME};
use super::table_request::TableRequest;
use super::token::Token;

/// The pages and answers at one address.
pub(super) struct Site {
    port: u16,
    token: Token,
    jobs: Jobs,
}

impl Site {
    /// # Errors
    ///
    /// If the system gives no secret, or does not tell which program this is.
    pub(super) fn new(port: u16) -> anyhow::Result<Self> {
        Ok(Self { port, token: Token::random()?, jobs: Jobs::new()? })
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token.text())
    }

    /// Answers a request.
    pub(super) async fn answer(&self, request: Request<Incoming>, connection: &Connection) -> Answer {
        let (head, body) = request.into_parts();
        let path = match path_of(&head, self.port, &self.token) {
            Ok(path) => path.to_owned(),
            Err(refused) => return closed(refusal(refused.status, refused.why)),
        };
        if let Some(name) = path.strip_prefix("api/") {
            return self.computed(name, &head, body, connection).await;
        }
        let Some(file) = files::find(&path) else {
            return closed(refusal(StatusCode::NOT_FOUND, "there is no such page"));
        };
        match head.method {
            Method::GET | Method::HEAD => answer(StatusCode::OK, file.kind, file.content),
            _ => closed(wrong_method("GET, HEAD")),
        }
    }

    /// An answer that is computed.
    async fn computed(&self, name: &str, head: &Parts, body: Incoming, connection: &Connection) -> Answer {
        if name != TableRequest::NAME && !answers::is_known(name) {
            return closed(refusal(StatusCode::NOT_FOUND, "there is no such request"));
        }
        if head.method != Method::POST {
            return closed(wrong_method("POST"));
        }
        // Forms of other sites cannot send this type.
        if head.headers.get(CONTENT_TYPE).is_none_or(|kind| kind != JSON) {
            return closed(refusal(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected the content type application/json",
            ));
        }
        let input = match timeout(READ_TIME, read(body)).await {
            Ok(Ok(input)) => input,
            Ok(Err((status, why))) => return closed(refusal(status, why)),
            Err(_) => {
                return closed(refusal(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time"));
            }
        };
        let job = if name == TableRequest::NAME {
            match TableRequest::job(&input) {
                Ok(job) => job,
                Err(why) => return refusal(StatusCode::UNPROCESSABLE_ENTITY, &why),
            }
        } else {
            Job { args: vec![answers::COMMAND.to_owned(), name.to_owned()], input, kind: JSON }
        };
        connection.begin_answer();
        let kind = job.kind;
        match self.jobs.run(job).await {
            JobResult::Done(output) => answer(StatusCode::OK, kind, output),
            JobResult::Refused(why) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &why),
            JobResult::Failed(why) => refusal(StatusCode::INTERNAL_SERVER_ERROR, &why),
            JobResult::TooLong => refusal(
                StatusCode::SERVICE_UNAVAILABLE,
                "the answer is out of reach: it takes more time or memory than a page may use",
            ),
            JobResult::Busy => {
                let mut busy = refusal(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "the judge is busy with other requests; try again in a moment",
                );
                busy.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
                busy
            }
        }
    }
}

/// The body of a request. One that is too large is read to its end, or for a while, and forgotten.
async fn read(mut body: Incoming) -> Result<Bytes, (StatusCode, &'static str)> {
    let mut kept = Vec::new();
    let announced = body.size_hint().lower();
    let (mut is_too_large, mut ignored) = (announced > MAX_BODY as u64, 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| (StatusCode::BAD_REQUEST, "the request is not whole"))?;
        let Ok(data) = frame.into_data() else { continue };
        is_too_large |= kept.len() + data.len() > MAX_BODY;
        if is_too_large {
            ignored += data.len();
            if ignored > MAX_IGNORED {
                break;
            }
        } else {
            kept.extend_from_slice(&data);
        }
    }
    if is_too_large {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, "expected a request of at most 1 MiB"));
    }
    Ok(kept.into())
}

fn wrong_method(allowed: &'static str) -> Answer {
    let mut answer = refusal(StatusCode::METHOD_NOT_ALLOWED, &format!("expected the method {allowed}"));
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    answer
}

/// An answer after which the connection is closed: what follows on it may be the rest of a refused request.
fn closed(mut answer: Answer) -> Answer {
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    answer
}
