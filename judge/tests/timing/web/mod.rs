//! `judge web`: its pages in a browser, and clients that it waits for.

mod accessibility;
mod looks;
mod other_pages;
mod play;
mod slow_requests;
mod unplayable;
