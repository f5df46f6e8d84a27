//! A browser without a window: Chromium, driven by `WebDriver`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::support::{TestDir, skip_without};

/// Time limit in milliseconds for each of these: the browser starts, a page loads, an element appears, a condition
/// becomes true. Only a browser or page that hangs reaches the limit.
const TIMEOUT_MS: u32 = 300_000;

/// A running Chromium that can only reach this machine, and its driver.
pub struct Browser {
    driver: Child,
    /// The address of the driver's session.
    session: String,
    _profile: TestDir,
}

impl Browser {
    /// Starts Chromium. Returns `None` without Chromium or its driver, and reports the test as skipped.
    pub fn start() -> Option<Self> {
        let mut driver = Command::new("chromedriver");
        driver.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut driver) = driver.spawn() else {
            skip_without("chromedriver (Debian: chromium-driver)");
            return None;
        };
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port = lines.find_map(|line| Some(line.rsplit_once(" successfully on port ")?.1.to_owned()));
        let port = port.expect("chromedriver prints its port");
        let profile = TestDir::new();
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            &format!("--user-data-dir={}", profile.file("chromium")),
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": args, "browserStartupTimeout": TIMEOUT_MS},
            "goog:loggingPrefs": {"browser": "ALL"},
            // The limit for scripts is longer, so that a condition that does not become true is reported before the
            // script is ended.
            "timeouts": {"implicit": TIMEOUT_MS, "pageLoad": TIMEOUT_MS, "script": 2 * TIMEOUT_MS},
        }}});
        let session = format!("http://127.0.0.1:{}/session", port.trim_end_matches('.'));
        let mut browser = Self { driver, session, _profile: profile };
        let started = browser.post("", &wanted);
        browser.session = format!("{}/{}", browser.session, started["sessionId"].as_str().unwrap());
        Some(browser)
    }

    /// Sends a command and returns the value of the answer.
    #[track_caller]
    fn post(&self, command: &str, body: &Value) -> Value {
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let url = format!("{}{command}", self.session);
        let mut answer = agent.post(&url).content_type("application/json").send(body.to_string()).unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        assert_eq!(answer.status(), 200, "{command} {body}: {text}");
        serde_json::from_str::<Value>(&text).unwrap()["value"].clone()
    }

    pub fn open(&self, path: &str) {
        self.post("/url", &json!({"url": "about:blank"}));
        self.post("/url", &json!({"url": format!("file://{path}")}));
        self.await_frame();
    }

    /// Waits until the page has been drawn in its current state. Until then, the browser drops typed keys.
    #[track_caller]
    pub fn await_frame(&self) {
        let drawn =
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
        assert_eq!(self.value(drawn), true);
    }

    #[track_caller]
    pub fn await_that(&self, condition: &str) {
        let script = format!(
            "new Promise((done) => {{ setTimeout(() => done(document.body.innerText), {TIMEOUT_MS}); const look = () => (({condition}) ? done(true) : setTimeout(look, 10)); look(); }})"
        );
        assert_eq!(self.value(&script), true, "this has not become true on the page: {condition}");
    }

    #[track_caller]
    pub fn value(&self, expression: &str) -> Value {
        self.post("/execute/sync", &json!({"script": format!("return {expression}"), "args": []}))
    }

    /// Returns the text of the first element that a CSS selector matches.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        let text = self.value(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap().to_owned()
    }

    /// Clicks the first element that a CSS selector matches, as soon as the element can be used.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        self.await_that(&format!(
            "((e) => e?.checkVisibility() && !e.matches(':disabled, [aria-disabled=true]'))(document.querySelector({}))",
            json!(selector)
        ));
        let found = self.post("/element", &json!({"using": "css selector", "value": selector}));
        let id = found.as_object().unwrap().values().next().unwrap().as_str().unwrap();
        self.post(&format!("/element/{id}/click"), &json!({}));
    }

    /// Presses keys one after the other: characters, and others as `WebDriver` codes them, in a private area of Unicode.
    #[track_caller]
    pub fn press(&self, keys: &str) {
        self.await_frame();
        let actions =
            |key: char| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        let actions: Vec<Value> = keys.chars().flat_map(actions).collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }

    /// Emulates the colour scheme `colours` (`light` or `dark`), a window of `width` pixels, and a person who wants no
    /// motion. Waits until the page has been drawn with these settings.
    pub fn emulate(&self, colours: &str, width: u32) {
        let command = |name: &str, params: Value| {
            self.post("/goog/cdp/execute", &json!({"cmd": name, "params": params}));
        };
        let features = [("prefers-color-scheme", colours), ("prefers-reduced-motion", "reduce")];
        let features = features.map(|(name, value)| json!({"name": name, "value": value}));
        command("Emulation.setEmulatedMedia", json!({"features": features}));
        let metrics = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        command("Emulation.setDeviceMetricsOverride", metrics);
        self.await_that(&format!(
            "innerWidth === {width} && matchMedia('(prefers-color-scheme: {colours})').matches"
        ));
        self.await_frame();
    }

    /// Returns the new entries in the browser's console: errors of scripts, and actions that the policy of the page
    /// forbids.
    pub fn console(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({"type": "browser"}));
        entries.as_array().unwrap().iter().map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The end of the session makes the driver end the browser.
        let _ = ureq::delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
