//! `Enumerable`, for all classes with `each`; arrays, hashes and ranges are iterated over without calling it.

mod iterate;
mod least;
mod order;
mod search;
mod slices;
mod sum;
mod transform;

pub(crate) use iterate::{Flow, Step, each_pair, elements, fold, packed};
use least::Ranking;
pub(super) use order::{extreme_of_literal, minmax, sorted_by};
pub(super) use search::count;
pub(super) use transform::{Joiner, inject_with, to_pair};

use crate::native::NativeClass;

/// `Enumerable`
pub(super) static ENUMERABLE: NativeClass = NativeClass {
    name: "Enumerable",
    methods: &[search::METHODS, transform::METHODS, slices::METHODS, order::METHODS, sum::METHODS],
    ..NativeClass::EMPTY
};
