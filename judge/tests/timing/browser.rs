//! A browser without a window: Chromium, which takes commands of the Chrome `DevTools` Protocol from a pipe.

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{TestDir, has_program};

/// A running Chromium that can only reach this machine.
pub struct Browser {
    chromium: Child,
    commands: ChildStdin,
    /// Each message ends with a null byte.
    messages: RefCell<BufReader<ChildStdout>>,
    count: Cell<u64>,
    /// The session of the only tab; null until there is one.
    session: Value,
    /// What the console of the browser has got and nobody has taken.
    console: RefCell<Vec<String>>,
    _profile: TestDir,
}

impl Browser {
    /// Starts Chromium. Returns `None` without Chromium, and reports the test as skipped.
    pub fn start() -> Option<Self> {
        if !has_program("chromium") {
            return None;
        }
        let profile = TestDir::new();
        // Chromium reads commands from the descriptor 3, and writes to 4.
        let mut chromium = Command::new("sh");
        chromium.args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", "chromium"]);
        chromium.args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"]);
        chromium.args(["--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run"]);
        chromium.arg("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1");
        chromium.arg(format!("--user-data-dir={}", profile.file("chromium")));
        let mut chromium = chromium.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let commands = chromium.stdin.take().unwrap();
        let messages = RefCell::new(BufReader::new(chromium.stdout.take().unwrap()));
        let (count, console) = (Cell::new(0), RefCell::default());
        let session = Value::Null;
        let mut browser = Self { chromium, commands, messages, count, session, console, _profile: profile };
        let target = browser.send("Target.createTarget", &json!({"url": "about:blank"}))["targetId"].take();
        let attach = json!({"targetId": target, "flatten": true});
        browser.session = browser.send("Target.attachToTarget", &attach)["sessionId"].take();
        browser.send("Log.enable", &json!({}));
        browser.send("Runtime.enable", &json!({}));
        Some(browser)
    }

    /// Sends a command and returns its result.
    #[track_caller]
    pub fn send(&self, method: &str, params: &Value) -> Value {
        let id = self.count.replace(self.count.get() + 1);
        let mut command = json!({"id": id, "method": method, "params": params});
        if !self.session.is_null() {
            command["sessionId"] = self.session.clone();
        }
        (&self.commands).write_all(format!("{command}\0").as_bytes()).unwrap();
        loop {
            let mut message = Vec::new();
            self.messages.borrow_mut().read_until(0, &mut message).unwrap();
            let mut message: Value = serde_json::from_slice(message.strip_suffix(b"\0").unwrap()).unwrap();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{method} {params}: {message}");
                return message["result"].take();
            }
            if let Some("Log.entryAdded" | "Runtime.exceptionThrown" | "Runtime.consoleAPICalled") =
                message["method"].as_str()
            {
                self.console.borrow_mut().push(message["params"].to_string());
            }
        }
    }

    pub fn open(&self, path: &str) {
        self.send("Page.navigate", &json!({"url": format!("file://{path}")}));
        self.await_that("document.readyState === 'complete'");
        self.await_frame();
    }

    /// Waits until the page has been drawn in its current state. Until then, the browser drops typed keys.
    #[track_caller]
    pub fn await_frame(&self) {
        let drawn =
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
        assert_eq!(self.value(drawn), true);
    }

    /// Waits until a condition is true. Only a page that hangs reaches the limit of five minutes.
    #[track_caller]
    pub fn await_that(&self, condition: &str) {
        let script = format!(
            "new Promise((done) => {{ setTimeout(() => done(document.body.innerText), 300000); const look = () => (({condition}) ? done(true) : setTimeout(look, 10)); look(); }})"
        );
        assert_eq!(self.value(&script), true, "this has not become true on the page: {condition}");
    }

    #[track_caller]
    pub fn value(&self, expression: &str) -> Value {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut evaluated = self.send("Runtime.evaluate", &params);
        assert!(evaluated["exceptionDetails"].is_null(), "{expression}: {evaluated}");
        evaluated["result"]["value"].take()
    }

    /// Returns the text of the first element that a CSS selector matches.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        self.value(&format!("document.querySelector({selector:?}).textContent")).as_str().unwrap().to_owned()
    }

    /// Clicks the first element that a CSS selector matches, which must be visible and enabled.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let can_be_used = "e.checkVisibility() && !e.matches(':disabled, [aria-disabled=true]')";
        let click = format!("((e) => {can_be_used} && !e.click())(document.querySelector({selector:?}))");
        assert_eq!(self.value(&click), true, "{selector}");
    }

    /// Presses a key, which is a character or has a name such as `ArrowLeft`.
    #[track_caller]
    pub fn press(&self, key: &str) {
        self.await_frame();
        for kind in ["rawKeyDown", "keyUp"] {
            self.send("Input.dispatchKeyEvent", &json!({"type": kind, "key": key}));
        }
    }

    /// Emulates the colour scheme `colours` (`light` or `dark`), a window of `width` pixels, and a person who wants no
    /// motion. Waits until the page has been drawn with these settings.
    pub fn emulate(&self, colours: &str, width: u32) {
        let features = [("prefers-color-scheme", colours), ("prefers-reduced-motion", "reduce")];
        let features = features.map(|(name, value)| json!({"name": name, "value": value}));
        self.send("Emulation.setEmulatedMedia", &json!({"features": features}));
        let metrics = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        self.send("Emulation.setDeviceMetricsOverride", &metrics);
        self.await_that(&format!(
            "innerWidth === {width} && matchMedia('(prefers-color-scheme: {colours})').matches"
        ));
        self.await_frame();
    }

    /// Returns the new entries in the browser's console: errors of scripts, and actions that the policy of the page
    /// forbids.
    pub fn console(&self) -> Vec<String> {
        self.await_frame();
        self.console.take()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.chromium.kill();
        let _ = self.chromium.wait();
    }
}
