//! The interpreter: evaluates bodies as Puppet 8 does.
//!
//! It reads from the outside only through [`Requests`], and its effects on the outside are [`Effect`]s: two closed
//! lists, on which sandboxing, tests without a disk, and incremental evaluation rest.

pub mod catalog;
mod code;
mod denote;
mod effect;
mod error;
mod extension;
pub mod functions;
mod interpreter;
mod known_call;
mod request;
mod ruby;
mod settings;
mod stored;

pub use code::{Code, Origin, Place};
pub use denote::{alias_type, denoted_type};
pub use effect::{Effect, Effects, Level, Log};
pub use error::{EvaluationError, OtherPlaces, Unwind};
pub use extension::{Extension, NoAnswer, RubyCall};
pub use interpreter::{DataFound, DataTrace, Interpreter, Undecided, Unit, UnitSource, binary_operator};
pub use known_call::refusal;
pub use marotte_hiera::{DataSource, ReadError};
pub use request::{
    CommandError, Manifest, NoRequests, NodeInfo, ProgramError, QueryError, Requests, RubyFile, RubyFunction,
    RubySignature, TemplateFile,
};
pub use settings::{Limits, Settings, strictness_of};
pub use stored::{Filter, StoredResource};
