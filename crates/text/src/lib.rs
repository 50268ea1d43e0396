//! Text: ranges, line positions, and the small shared string.
//!
//! The lowest crate. It knows nothing of Puppet, of files or of salsa.

mod line_index;

pub use ecow::EcoString as Str;
pub use line_index::{LineIndex, Position};
pub use text_size::{TextRange, TextSize};
