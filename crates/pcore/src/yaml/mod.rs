//! YAML like on the reference's platform: the interpretation of plain scalars, blanks that version 1.2 requires and 1.1
//! doesn't, and an emitter that writes documents event by event.

mod analysis;
mod blanks;
mod emitter;
mod scalar;
mod shape;
mod style;

pub use blanks::{Blanks, Fault, Spaced, alias_name, quoted_length};
pub use emitter::{Event, Options, Style, emit};
pub use scalar::{DIGIT_LIMIT, Scalar, ScalarError, resolve, tagged_float};
pub use style::text_style;
