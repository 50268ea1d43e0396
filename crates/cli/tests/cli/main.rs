//! The binary as users and programs run it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod affected;
mod baseline;
mod byte_order_marks;
mod cache;
mod check;
#[cfg(unix)]
mod classifier;
mod compile;
#[cfg(unix)]
mod compile_watch;
mod documents;
mod epp;
mod eval;
mod fix;
mod format;
mod impact;
mod impact_contents;
mod impact_exports;
mod impact_outside;
mod impact_shards;
#[cfg(unix)]
mod integrations;
mod lookup;
mod migrate;
mod other;
mod parse;
mod puppetdb;
mod repl;
#[cfg(unix)]
mod ruby;
mod ruby_changes;
mod ruby_unknown;
mod selection;
mod server;
mod support;
#[cfg(unix)]
mod trust;
#[cfg(unix)]
mod tutorials;
#[cfg(unix)]
mod unread;
mod verify;
#[cfg(unix)]
mod watch;
mod why;
#[cfg(unix)]
mod writes;
