//! Questions to a store of exported resources, as PuppetDB is one, and its answers.

use marotte_pcore::value::Value;
use marotte_text::Str;

/// The condition of a collector of exported resources.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// The title, a tag or a parameter has a value. Tags are given in lower case.
    Equal(Str, Value),
    /// The parameter has another value.
    NotEqual(Str, Value),
    /// Both conditions hold.
    And(Box<Filter>, Box<Filter>),
    /// One of the conditions holds.
    Or(Box<Filter>, Box<Filter>),
}

/// A resource that a node exports.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredResource {
    /// The name of the node.
    pub certname: Str,
    /// The title of the resource.
    pub title: Str,
    /// The parameters that are set.
    pub parameters: Vec<(Str, Value)>,
}
