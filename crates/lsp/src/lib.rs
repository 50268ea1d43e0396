//! The language server.
//!
//! [`serve`] implements the protocol over a [`Connection`]. One loop reads messages and does nothing that takes long; each folder
//! has a thread of its own with its project (`analysis`), and a pool of threads answers requests from snapshots of it. An edit
//! cancels computations on the previous state; requests that are still relevant are repeated.
//!
//! The results are computed elsewhere: findings by `marotte_project`, editor features by `marotte_ide`. This crate converts
//! them to the protocol.

mod actions;
mod analysis;
mod answers;
mod client;
mod commands;
mod connection;
mod diagnostics;
mod documents;
mod dump;
mod event;
mod facts;
mod framing;
mod message;
mod peer;
mod pool;
mod position;
mod server;
mod settings;
mod snapshot;
mod uri;

pub use connection::Connection;
pub use dump::dump;
pub use message::{Id, Malformed, Message, Notification, Request, Response, ResponseError};
pub use peer::Peer;
pub use position::{Encoding, Lines};
pub use server::{Exit, Options, serve};
pub use settings::{Configuration, ConfigurationError, FolderSettings, Known, Layout};
pub use uri::{path_of, uri_of};
