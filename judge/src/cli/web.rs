//! `judge web`: serves a local page to play, analyse and replay games.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;
use clap::Args;

use super::subcommand::{Program, Subcommand};
use crate::web::Server;
use common::units::number_in;

/// Open a local page: play, analyse and replay games, draw tables
#[derive(Debug, Args)]
#[command(after_help = "\
The page is served only on this machine, at the address that is printed. Anyone with the full address can use it. \
Ctrl-C ends the server. Nothing is written to disk.

Examples:
  judge web                          prints the address, and opens it
  judge web --no-open --port 8000    always at the same port

Exit codes:
  0  the server was ended by Ctrl-C
  2  wrong usage, or a port that is taken")]
pub(crate) struct WebArgs {
    /// The port of the page [default: any free port]
    #[arg(long, default_value_t = 0, hide_default_value = true, value_name = "PORT", value_parser = number_in(0..=u16::MAX))]
    pub(crate) port: u16,

    /// Do not open the browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

impl Subcommand for WebArgs {
    fn run(&self, _: &Program) -> anyhow::Result<ExitCode> {
        let server = Server::bind(self.port)?;
        let address = server.address();
        server.run(|| {
            let mut out = io::stdout().lock();
            writeln!(out, "{address}").and_then(|()| out.flush()).context("the address cannot be printed")?;
            if !self.no_open && has_display() {
                // A failure is ignored, because the address is already printed.
                open_browser(&address);
            }
            Ok(())
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Opens a page in the browser, with the first program of `OPENERS` that can be started.
fn open_browser(address: &str) {
    const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else {
        &[&["xdg-open"], &["gio", "open"], &["wslview"]]
    };
    for &opener in OPENERS {
        let [program, args @ ..] = opener else { continue };
        let mut command = Command::new(program);
        command.args(args).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ctrl-C must end only the server, not the browser.
        if command.process_group(0).spawn().is_ok() {
            return;
        }
    }
}

/// Returns whether a browser can open a window. Without a display, some systems would open a browser in this terminal.
fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(target_os = "macos") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}
