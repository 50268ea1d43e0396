//! The modules of Puppet in which its classes are.

use crate::native::NativeClass;

macro_rules! namespaces {
    ($($static:ident $name:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`")]
            pub(super) static $static: NativeClass = NativeClass { name: $name, ..NativeClass::EMPTY };
        )*
    };
}

namespaces! {
    PUPPET "Puppet"
    PARSER "Puppet::Parser"
    POPS "Puppet::Pops"
    POPS_FUNCTIONS "Puppet::Pops::Functions"
    POPS_TYPES "Puppet::Pops::Types"
    POPS_EVALUATOR "Puppet::Pops::Evaluator"
    POPS_TIME "Puppet::Pops::Time"
    POPS_LOADER "Puppet::Pops::Loader"
    SEMANTIC_PUPPET "SemanticPuppet"
}
