//! Named pipes in place of stdin and stdout, as managers of CMS get them: two for each process of the bot.

use std::fs::{self, File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use nix::sys::stat::Mode;
use rustix::fs::OFlags;

use crate::pipes::limit_capacity;
use crate::proc::children;

/// Two named pipes between the judge and one program, one for each direction.
#[derive(Clone, Debug)]
pub struct Fifos {
    paths: [PathBuf; 2],
}

impl Fifos {
    /// Makes named pipes with these names in `folder`. The first is the one that the program reads by default.
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
    pub(super) fn open(&self) -> io::Result<(PipeWriter, PipeReader)> {
        let [read, written] = &self.paths;
        Ok((open_both(read)?.into(), open_to_read(written)?.into()))
    }

    /// Opens both for a program below the process `warden` of which it is not known yet which one it reads.
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
    pub(super) fn decide(self, read: usize) -> io::Result<(PipeWriter, PipeReader)> {
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
        Ok((stdin.into(), stdout.into()))
    }

    /// Returns the index of the named pipe that the program or one of its processes reads, by the files that they have open;
    /// `None` if they have opened neither. Systems other than Linux do not show the files of a process: there the program has
    /// to use the pipes in the order of CMS.
    pub(super) fn read_by_program(&self) -> Option<usize> {
        if !cfg!(target_os = "linux") {
            return Some(0);
        }
        let mut processes = children(self.warden).ok()?;
        while let Some(id) = processes.pop() {
            processes.extend(children(id).unwrap_or_default());
            let open = fs::read_dir(format!("/proc/{id}/fd"));
            let read = open.into_iter().flatten().flatten().find_map(|file| {
                let target = file.path().read_link().ok()?;
                let place = self.fifos.paths.iter().position(|fifo| *fifo == target)?;
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
    limit_capacity(&fifo);
    Ok(fifo.into())
}
