//! Control groups: the kernel itself counts and limits the usage of a warden and its programs.
//!
//! A group is about a dozen small files in kernel folders. This module reads and writes these files itself, because
//! the existing crates depend on D-Bus and on a whole container runtime.
//!
//! Both versions of the interface work, even side by side: version 2 keeps all resources in one folder, version 1 has
//! a tree of folders for each resource.

mod folder;
mod group;
mod meter;
mod place;

pub(crate) use group::ControlGroup;
