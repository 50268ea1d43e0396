//! Iterators with random access to their elements.

use std::num::NonZeroUsize;
use std::sync::Arc;

use num_bigint::BigInt;

use super::saturated;
use crate::extent::Extent;
use crate::types::{IntegerRange, Type, TypeKind};
use crate::value::{Array, Iterate, Value};

/// An iterator over existing values.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) values: Array,
    pub(super) element_type: Type,
    /// Whether the values are `[key, value]` pairs of a hash.
    pub(super) has_entries: bool,
}

impl Iterate for Values {
    fn element_type(&self) -> Type {
        self.element_type.clone()
    }

    fn extent(&self) -> Extent {
        self.values.extent()
    }

    fn size(&self) -> usize {
        self.values.len()
    }

    fn has_entries(&self) -> bool {
        self.has_entries
    }

    fn get(&self, index: usize) -> Option<Value> {
        self.values.get(index).cloned()
    }
}

/// An iterator over integers at equal distances.
#[derive(Debug)]
pub(super) struct Integers {
    first: BigInt,
    distance: BigInt,
    size: usize,
}

impl Integers {
    /// Iterates over a range, in its direction; `None` if the range is open.
    pub(super) fn new(range: &IntegerRange) -> Option<Integers> {
        let (first, last) = (range.from.as_ref()?.to_big(), range.to.as_ref()?.to_big());
        let size = saturated(&(&last - &first + 1_i32));
        Some(match range.descends {
            true => Integers { first: last, distance: BigInt::from(-1), size },
            false => Integers { first, distance: BigInt::from(1), size },
        })
    }

    fn last(&self) -> BigInt {
        &self.first + &self.distance * self.size.saturating_sub(1)
    }
}

impl Iterate for Integers {
    /// The range from the minimum to the maximum.
    fn element_type(&self) -> Type {
        let (first, last) = (self.first.clone(), self.last());
        let (from, to) = if first <= last { (first, last) } else { (last, first) };
        TypeKind::Integer(IntegerRange::ascending(Some(from.into()), Some(to.into()))).into()
    }

    fn extent(&self) -> Extent {
        Extent::LEAF
    }

    fn size(&self) -> usize {
        self.size
    }

    fn get(&self, index: usize) -> Option<Value> {
        (index < self.size).then(|| Value::Integer((&self.first + &self.distance * index).into()))
    }

    fn stepped(&self, step: NonZeroUsize) -> Option<Arc<dyn Iterate>> {
        let size = self.size.div_ceil(step.get());
        let distance = &self.distance * step.get();
        Some(Arc::new(Integers { first: self.first.clone(), distance, size }))
    }

    fn reversed(&self) -> Option<Arc<dyn Iterate>> {
        Some(Arc::new(Integers { first: self.last(), distance: -&self.distance, size: self.size }))
    }
}

/// An iterator over each nth element of another.
#[derive(Debug)]
pub(super) struct Stepped {
    pub(super) inner: Arc<dyn Iterate>,
    pub(super) step: NonZeroUsize,
}

impl Iterate for Stepped {
    fn element_type(&self) -> Type {
        self.inner.element_type()
    }

    fn extent(&self) -> Extent {
        Extent::around([self.inner.extent()])
    }

    fn size(&self) -> usize {
        self.inner.size().div_ceil(self.step.get())
    }

    fn get(&self, index: usize) -> Option<Value> {
        self.inner.get(index.checked_mul(self.step.get())?)
    }
}

/// An iterator over another from its end to its beginning.
#[derive(Debug)]
pub(super) struct Reversed {
    pub(super) inner: Arc<dyn Iterate>,
}

impl Iterate for Reversed {
    fn element_type(&self) -> Type {
        self.inner.element_type()
    }

    fn extent(&self) -> Extent {
        Extent::around([self.inner.extent()])
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn get(&self, index: usize) -> Option<Value> {
        self.inner.get(self.inner.size().checked_sub(index)?.checked_sub(1)?)
    }
}
