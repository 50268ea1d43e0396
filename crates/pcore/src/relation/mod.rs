//! Relations between types and values: assignability, instances, equality, order, iteration and calls.

mod accepts;
mod assignable;
mod callable;
mod equal;
mod guard;
mod init;
mod instance;
mod iterable;
mod matches;
mod members;
mod order;
mod proofs;

pub use assignable::assignable;
pub(crate) use assignable::{Comparison, strictly_assignable};
pub use callable::{accepts_arguments, accepts_values, is_callable};
pub use equal::{equal, equal_types, same};
pub(crate) use init::{Constructors, TIMESPAN_PARTS, constructors, passed_on, takes_arguments};
pub use init::{constructor_signatures, is_constructible, named_constructors};
pub use instance::instance_of;
pub use iterable::{element_type, is_iterable};
pub use matches::{match_with, matches};
pub use order::{Incomparable, compare, is_subtype};
