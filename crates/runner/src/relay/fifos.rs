//! Named pipes in place of stdin and stdout, as managers of CMS get them: two for each process of the bot.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use nix::sys::stat::Mode;
use rustix::fs::OFlags;

#[cfg(target_os = "linux")]
use crate::descendants::tree::children;

/// Two named pipes between the judge and one program, one for each direction.
#[derive(Clone, Debug)]
pub struct Fifos {
    paths: [PathBuf; 2],
}

impl Fifos {
    /// Makes named pipes with these names in `folder`. The first is the one that the program reads by default.
    ///
    /// # Errors
    ///
    /// If they cannot be made.
    pub fn new(folder: &Path, names: &[String; 2]) -> io::Result<Self> {
        let paths = names.each_ref().map(|name| folder.join(name));
        for path in &paths {
            nix::unistd::mkfifo(path, Mode::S_IRUSR | Mode::S_IWUSR)?;
        }
        Ok(Self { paths })
    }

    pub fn paths(&self) -> &[PathBuf; 2] {
        &self.paths
    }

    /// Opens both for a program that reads the first and writes the second one.
    ///
    /// # Errors
    ///
    /// If they cannot be opened.
    pub(super) fn open(&self) -> io::Result<Ends> {
        let [read, written] = &self.paths;
        Ok(Ends { stdin: open_both(read)?, stdout: open_to_read(written)? })
    }

    /// Opens both for a program below the process `warden` of which it is not known yet which one it reads.
    ///
    /// # Errors
    ///
    /// If they cannot be opened.
    pub(super) fn open_undecided(&self, warden: u32) -> io::Result<UndecidedFifos> {
        let [first, second] = &self.paths;
        Ok(UndecidedFifos { fifos: self.clone(), ends: [open_both(first)?, open_both(second)?], warden })
    }
}

/// The judge's ends of named pipes that a program has not used yet. Both directions are open, so that the program can
/// open them in any order without waiting for the judge.
#[derive(Debug)]
pub(super) struct UndecidedFifos {
    fifos: Fifos,
    pub(super) ends: [OwnedFd; 2],
    /// The process ID of an ancestor of the program.
    warden: u32,
}

impl UndecidedFifos {
    /// Returns the judge's ends if the program reads the named pipe with the index `read`.
    ///
    /// # Errors
    ///
    /// If they cannot be opened again.
    pub(super) fn decide(self, read: usize) -> io::Result<Ends> {
        let Self { fifos, mut ends, .. } = self;
        ends.rotate_left(read);
        let [stdin, both] = ends;
        let written = &fifos.paths[1 - read];
        // The judge's own end for writing would hide the end of the program's output. A reader that is opened while there
        // is no writer sees no end of the output before a writer has come and gone. The first reader keeps what the
        // program has written.
        let kept = open_to_read(written)?;
        drop(both);
        let stdout = open_to_read(written)?;
        drop(kept);
        Ok(Ends { stdin, stdout })
    }

    /// Returns the index of the named pipe that the program or one of its processes reads, by the files that they have open;
    /// `None` if they have opened neither.
    #[cfg(target_os = "linux")]
    pub(super) fn read_by_program(&self) -> Option<usize> {
        use procfs::process::{FDPermissions, FDTarget, Process};

        let mut processes = children(self.warden).ok()?;
        while let Some(id) = processes.pop() {
            processes.extend(children(id).unwrap_or_default());
            let open = Process::new(id).and_then(|process| process.fd());
            let read = open.into_iter().flatten().flatten().find_map(|file| {
                let FDTarget::Path(path) = &file.target else { return None };
                let place = self.fifos.paths.iter().position(|fifo| fifo == path)?;
                Some(if file.mode().contains(FDPermissions::READ) { place } else { 1 - place })
            });
            if read.is_some() {
                return read;
            }
        }
        None
    }

    /// Other systems do not show the files of a process: the program has to use the pipes in the order of CMS.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn read_by_program(&self) -> Option<usize> {
        Some(0)
    }
}

/// The judge's ends of two named pipes.
pub(super) struct Ends {
    /// The end that the judge writes to.
    pub(super) stdin: OwnedFd,
    pub(super) stdout: OwnedFd,
}

fn open_both(path: &Path) -> io::Result<OwnedFd> {
    open(OpenOptions::new().read(true).write(true), path)
}

fn open_to_read(path: &Path) -> io::Result<OwnedFd> {
    open(OpenOptions::new().read(true), path)
}

/// Opens a named pipe without waiting for the program at its other end.
fn open(options: &mut OpenOptions, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fifo: File = options.custom_flags(flags.bits().cast_signed()).open(path)?;
    #[cfg(target_os = "linux")]
    {
        // As for the pipes that the judge makes. This is refused for anything but an empty pipe.
        let _ = rustix::pipe::fcntl_setpipe_size(&fifo, 4096);
    }
    Ok(fifo.into())
}
