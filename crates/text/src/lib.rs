//! Text: ranges, line positions, the small shared string, names in namespaces, byte order marks, and how floats are written.
//!
//! The lowest crate. It knows nothing of files or of salsa, and of Puppet no more than how names are written.

mod byte_order_mark;
mod float;
mod line_index;
mod name;

pub use byte_order_mark::ByteOrderMark;
pub use ecow::EcoString as Str;
pub use float::float_text;
pub use line_index::{LineIndex, Position};
pub use name::{is_qualified, normalized, split_namespace, unrooted};
pub use text_size::{TextRange, TextSize};
