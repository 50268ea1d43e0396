//! The list of what an evaluation has read, which outlives the process: each request of the interpreter as a [`Question`], whose
//! answers can be compared by digests.
//!
//! The list of requests is closed, so the questions are all that an evaluation depends on. Whether they would be answered in the
//! same way now is found out by asking them again: what nobody asked for may change, and so may what doesn't change an answer,
//! such as a comment in code, or another key of a file of data.

mod answer;
mod digest;
mod question;
mod recorder;

pub use answer::{meaning, shortcut};
pub use digest::Digest;
pub use question::Question;
pub use recorder::Asked;

pub(crate) use recorder::Recorder;
