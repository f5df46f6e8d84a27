//! The processes of the bot that a manager of CMS talks to, and the named pipes between them.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use runner::relay::Fifos;

/// How many processes the bot has, and how they talk with a manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seats {
    pub(crate) count: u8,
    pub(crate) io: BotIo,
}

/// How a process of the bot talks with a manager.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BotIo {
    /// By stdin and stdout
    #[default]
    Std,
    /// By named pipes: its arguments are the path that it reads, and the path that it writes
    Fifo,
}

pub(crate) const MAX_PROCESSES_OF_BOT: u8 = 64;

impl Seats {
    /// One process with stdin and stdout, as in all problems but those of CMS.
    pub(crate) const ONE: Self = Self { count: 1, io: BotIo::Std };

    pub(crate) fn bot_args(self, seat: usize, fifos: &SeatFifos) -> Vec<OsString> {
        let named = fifos.bots.get(seat).map(|fifos| fifos.paths.each_ref().map(OsString::from));
        let index = (self.count > 1).then(|| seat.to_string().into());
        named.into_iter().flatten().chain(index).collect()
    }
}

#[derive(Debug)]
pub(crate) struct SeatFifos {
    pub(crate) manager: Vec<Fifos>,
    /// Empty if the bot uses stdin and stdout.
    pub(crate) bots: Vec<Fifos>,
}

impl SeatFifos {
    pub(crate) fn new(folder: &Path, seats: Seats) -> io::Result<Self> {
        let of_bots = if seats.io == BotIo::Fifo { seats.count } else { 0 };
        let bots = (0..of_bots)
            .map(|seat| Fifos::new(folder, &["to", "from"].map(|way| format!("{way}_bot{seat}"))));
        let manager = (0..seats.count).map(|seat| {
            Fifos::new(folder, &[format!("bot{seat}_to_manager"), format!("manager_to_bot{seat}")])
        });
        Ok(Self { manager: manager.collect::<io::Result<_>>()?, bots: bots.collect::<io::Result<_>>()? })
    }

    /// Returns the arguments of the manager: for each process of the bot the path that it writes and the one that it reads.
    /// If they are shown, `folder` stands in place of the folder of the pipes.
    pub(crate) fn manager_args(&self, folder: Option<&Path>) -> Vec<OsString> {
        let shown = |path: &PathBuf| match folder {
            Some(folder) => folder.join(path.file_name().unwrap_or_default()),
            None => path.clone(),
        };
        self.manager.iter().flat_map(|fifos| &fifos.paths).map(|path| shown(path).into()).collect()
    }
}
