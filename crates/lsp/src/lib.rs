//! The language server: what the compiler knows, while somebody types.
//!
//! [`serve`] speaks the protocol over a [`Connection`]. One loop reads messages and does nothing that takes long; each folder has a
//! thread of its own with its project (`analysis`), and a pool of threads answers questions about snapshots of it. An edit
//! cancels what runs on the state before; what still matters then is asked again.
//!
//! What is answered is not decided here: findings come from `marotte_project`, answers about places from `marotte_ide`. Here they
//! are put into the terms of the protocol.

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
