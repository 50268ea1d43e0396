//! `Time`

use crate::native::NativeClass;
use crate::value::Object;

/// The text of a `Time` in YAML; none for other objects.
pub(super) fn yaml_text(_object: &Object) -> Option<String> {
    None
}

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[];
