//! Resource types: the declarations by `Puppet::Type.newtype` and `Puppet::ResourceApi.register_type` (F.9).

mod model;
mod read;

pub use model::{
    Addition, Attribute, AttributeKind, Autorelation, Feature, Flags, Matching, Regexp, Relation,
    ResourceType, ResourceTypes, Target, TitlePattern, Value, Values,
};
pub use read::read;
