use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use triomphe::{Arc, HeaderSlice, HeaderWithLength, ThinArc};

use super::Value;
use crate::extent::Extent;

/// An array of values. Cheap to clone, and can be shared between threads; stores its [`Extent`].
#[derive(Clone)]
pub struct Array(ThinArc<Extent, Value>);

impl Array {
    /// Returns the nesting depth and the size.
    pub fn extent(&self) -> Extent {
        self.0.header.header
    }

    /// Returns an address that identifies it among living arrays.
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr() as usize
    }

    /// Changes the element at an index; copies all elements first if the array is shared. `None` if the element doesn't exist.
    pub(crate) fn update<R>(&mut self, index: usize, change: impl FnOnce(&mut Value) -> R) -> Option<R> {
        if ThinArc::strong_count(&self.0) > 1 {
            *self = Array::from(&**self);
        }
        self.0.with_arc_mut(|elements| {
            let elements = Arc::get_mut(elements)?;
            let element = elements.slice_mut().get_mut(index)?;
            let before = element.extent();
            let result = change(element);
            let after = element.extent();
            let extent = elements.header_mut();
            *extent = extent.without(before).with(after);
            Some(result)
        })
    }
}

impl Default for Array {
    fn default() -> Array {
        Array::from([])
    }
}

impl Deref for Array {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0.slice
    }
}

impl From<Vec<Value>> for Array {
    fn from(elements: Vec<Value>) -> Array {
        let extent = Extent::around(elements.iter().map(Value::extent));
        let header = HeaderWithLength::new(extent, elements.len());
        let array: Arc<HeaderSlice<_, [Value]>> = Arc::from_header_and_vec(header, elements);
        Array(Arc::into_thin(array))
    }
}

impl<const N: usize> From<[Value; N]> for Array {
    fn from(elements: [Value; N]) -> Array {
        let extent = Extent::around(elements.iter().map(Value::extent));
        Array(ThinArc::from_header_and_iter(extent, elements.into_iter()))
    }
}

impl From<&[Value]> for Array {
    fn from(elements: &[Value]) -> Array {
        let extent = Extent::around(elements.iter().map(Value::extent));
        Array(ThinArc::from_header_and_iter(extent, elements.iter().cloned()))
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Array {
        Array::from(Vec::from_iter(elements))
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.address() == other.address() || **self == **other
    }
}

impl Eq for Array {}

impl Hash for Array {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}
