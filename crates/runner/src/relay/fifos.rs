//! Named pipes in place of stdin and stdout, as managers of CMS get them: two for each process of the bot.

use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use nix::sys::stat;
use rustix::fs::{Mode, OFlags};

use crate::pipes::{Pipes, limit_capacity};
use crate::proc::children;

/// Two named pipes between the judge and one program, one for each direction.
#[derive(Clone, Debug)]
pub struct Fifos {
    pub paths: [PathBuf; 2],
}

impl Fifos {
    /// Makes named pipes with these names in `folder`. The first is the one that the program reads by default.
    pub fn new(folder: &Path, names: &[String; 2]) -> io::Result<Self> {
        let paths = names.each_ref().map(|name| folder.join(name));
        for path in &paths {
            nix::unistd::mkfifo(path, stat::Mode::S_IRUSR | stat::Mode::S_IWUSR)?;
        }
        Ok(Self { paths })
    }

    /// Returns the index of the named pipe that a process below `warden` reads, by the files that the processes have open;
    /// `None` if they have opened neither. Systems other than Linux do not show the files of a process: there the program has
    /// to use the pipes in the order of CMS.
    fn read_by_program(&self, warden: u32) -> Option<usize> {
        if !cfg!(target_os = "linux") {
            return Some(0);
        }
        let mut processes = children(warden).ok()?;
        while let Some(id) = processes.pop() {
            processes.extend(children(id).unwrap_or_default());
            let open = fs::read_dir(format!("/proc/{id}/fd"));
            let read = open.into_iter().flatten().flatten().find_map(|file| {
                let target = file.path().read_link().ok()?;
                let place = self.paths.iter().position(|fifo| *fifo == target)?;
                // The mode of the link shows whether the file is open for reading.
                let is_read = file.metadata().ok()?.mode() & 0o400 != 0;
                Some(if is_read { place } else { 1 - place })
            });
            if read.is_some() {
                return read;
            }
        }
        None
    }
}

impl Pipes {
    /// Opens named pipes in place of stdin and stdout. The program, whose warden has the process ID `warden`, may read either
    /// of them, and writes the other one.
    pub(crate) fn of_fifos(fifos: &Fifos, warden: u32) -> io::Result<Self> {
        // Opens both directions of both, so that the program can open them in any order without waiting for the judge.
        let [stdin, stdout] = [open(&fifos.paths[0], OFlags::RDWR)?, open(&fifos.paths[1], OFlags::RDWR)?];
        let (stdin, stdout) = (Some(stdin.into()), Some(stdout.into()));
        Ok(Self { stdin, stdout, undecided: Some((fifos.clone(), warden)), ..Self::default() })
    }

    /// Finds out which of two named pipes the program reads, if that is not known yet. `is_written` says which one has
    /// bytes of the program. Returns whether it is known.
    pub(crate) fn decide(&mut self, is_written: [bool; 2]) -> io::Result<bool> {
        let Some((fifos, warden)) = &self.undecided else { return Ok(true) };
        let read = match is_written {
            [true, _] => Some(1),
            [_, true] => Some(0),
            // Without bytes for the program, the direction does not matter yet.
            _ if self.outgoing.is_empty() && !self.input_ends => None,
            _ => fifos.read_by_program(*warden),
        };
        let Some(read) = read else { return Ok(false) };
        if let (Some(first), Some(second)) = (self.stdin.take(), self.stdout.take()) {
            let mut ends: [OwnedFd; 2] = [first.into(), second.into()];
            ends.rotate_left(read);
            let [stdin, both] = ends;
            let written = &fifos.paths[1 - read];
            // The judge's own end for writing would hide the end of the program's output. A reader that is opened while
            // there is no writer sees no end of the output before a writer has come and gone. The first reader keeps
            // what the program has written.
            let kept = open(written, OFlags::RDONLY)?;
            drop(both);
            let stdout = open(written, OFlags::RDONLY)?;
            drop(kept);
            (self.stdin, self.stdout) = (Some(stdin.into()), Some(stdout.into()));
        }
        self.undecided = None;
        Ok(true)
    }
}

/// Opens a named pipe without waiting for the program at its other end.
fn open(path: &Path, access: OFlags) -> io::Result<OwnedFd> {
    let fifo = rustix::fs::open(path, access | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    limit_capacity(&fifo);
    Ok(fifo)
}
