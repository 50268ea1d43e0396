//! Text: ranges, line positions, the small shared string, namespaced names, byte order marks, and the notation of floats.
//!
//! The lowest crate. It is independent of files and of salsa, and the only part of Puppet in it is the notation of names.

mod ascii_regex;
mod byte_order_mark;
mod float;
mod line_index;
mod name;

pub use ascii_regex::ascii_regex;
pub use byte_order_mark::ByteOrderMark;
pub use ecow::EcoString as Str;
pub use float::float_text;
pub use line_index::{LineIndex, Position};
pub use name::{first_segment, is_qualified, normalized, split_module, split_namespace, unrooted};
pub use text_size::{TextRange, TextSize};
