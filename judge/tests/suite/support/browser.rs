//! A browser without a window: Chromium, driven by `WebDriver`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use super::{TestDir, skip};

/// A browser with one page, which has no network and ends with the test.
pub struct Browser {
    driver: Child,
    /// The address of its session.
    session: String,
    _profile: TestDir,
}

impl Browser {
    /// Starts Chromium; where it is not there, or no driver for it, what needs it is skipped with a message.
    pub fn start() -> Option<Self> {
        let mut driver = Command::new("chromedriver");
        driver.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
        let Ok(mut driver) = driver.spawn() else {
            skip(
                "there is no chromedriver: pages are not tried in a browser (apt-get install chromium-driver)",
            );
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
            "--host-resolver-rules=MAP * ~NOTFOUND",
            &format!("--user-data-dir={}", profile.file("chromium")),
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": args}, "goog:loggingPrefs": {"browser": "ALL"},
        }}});
        let address = format!("http://127.0.0.1:{}/session", port.trim_end_matches('.'));
        let mut browser = Self { driver, session: address, _profile: profile };
        let started = browser.post("", &wanted);
        browser.session = format!("{}/{}", browser.session, started["sessionId"].as_str().unwrap());
        Some(browser)
    }

    /// Sends a command, and returns its value.
    #[track_caller]
    fn post(&self, command: &str, body: &Value) -> Value {
        let url = format!("{}{command}", self.session);
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let mut answer = agent.post(&url).content_type("application/json").send(body.to_string()).unwrap();
        let status = answer.status();
        let answer = answer.body_mut().read_to_string().unwrap();
        assert_eq!(status, 200, "{command} {body}: {answer}");
        let value: Value = serde_json::from_str(&answer).unwrap();
        value["value"].clone()
    }

    /// Opens a file.
    pub fn open(&self, path: &str) {
        self.post("/url", &json!({"url": "about:blank"}));
        self.post("/url", &json!({"url": format!("file://{path}")}));
    }

    /// The value of an expression of JavaScript.
    #[track_caller]
    pub fn value(&self, expression: &str) -> Value {
        self.post("/execute/sync", &json!({"script": format!("return {expression}"), "args": []}))
    }

    /// The text of the first element that a selector of CSS matches.
    #[track_caller]
    pub fn text(&self, selector: &str) -> String {
        self.value(&format!("document.querySelector({}).textContent", json!(selector)))
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Clicks at such an element.
    #[track_caller]
    pub fn click(&self, selector: &str) {
        let found = self.post("/element", &json!({"using": "css selector", "value": selector}));
        let id = found.as_object().unwrap().values().next().unwrap().as_str().unwrap();
        self.post(&format!("/element/{id}/click"), &json!({}));
    }

    /// Presses keys, one after the other; some have names in a private area of Unicode.
    #[track_caller]
    pub fn press(&self, keys: &str) {
        let actions =
            |key: char| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        let actions: Vec<Value> = keys.chars().flat_map(actions).collect();
        self.post("/actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }

    /// Lets the page see these colours, `light` or `dark`, and a window of this width.
    pub fn emulate(&self, colours: &str, width: u32) {
        let command = |name: &str, params: Value| {
            self.post("/goog/cdp/execute", &json!({"cmd": name, "params": params}));
        };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": colours}]});
        command("Emulation.setEmulatedMedia", features);
        let metrics = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        command("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// What the page wrote to the browser's console: errors of scripts, and what the policy of the page forbids.
    pub fn console(&self) -> Vec<String> {
        let entries = self.post("/se/log", &json!({"type": "browser"}));
        entries.as_array().unwrap().iter().map(|entry| entry["message"].to_string()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The driver ends the browser with the session.
        let _ = ureq::delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
