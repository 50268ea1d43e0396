//! YAML as the reference's platform has it: the meaning of plain scalars, blanks that version 1.2 wants and 1.1 does not, and
//! a writer of documents, event by event.

mod analysis;
mod blanks;
mod emitter;
mod scalar;
mod style;

pub use blanks::{Blanks, Fault, Spaced, alias_name, quoted_length};
pub use emitter::{Event, Options, Style, emit};
pub use scalar::{DIGIT_LIMIT, Scalar, ScalarError, resolve, tagged_float};
pub use style::text_style;
