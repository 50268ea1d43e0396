//! The types that exist before a program defines any, so that no alias can have their names (A67).

use super::name::named;
use crate::dialect::Dialect;

/// The kind of type that has a name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// A type of the language itself.
    BuiltIn,
    /// An alias, an `Object` type or a resource type that is always loaded.
    Loaded,
}

/// Returns the kind of type that has this name before a program defines any. `None` if the name is free. `Error` is free
/// in the main manifest of a catalog, which the reference reads before that type.
pub fn taken(dialect: &Dialect, name: &str, in_catalog: bool) -> Option<Taken> {
    let name = &*name.to_lowercase();
    // The types of types came with the latest dialects.
    let of_the_platform =
        || dialect.type_names.absent.is_empty() && OF_THE_PLATFORM.binary_search(&name).is_ok();
    match name {
        "error" if in_catalog => None,
        _ if named(dialect, name).is_none() => {
            (RESOURCE_TYPES.contains(&name) || of_the_platform()).then_some(Taken::Loaded)
        }
        _ if LOADED_BY_NAME.contains(&name) => Some(Taken::Loaded),
        _ => Some(Taken::BuiltIn),
    }
}

/// Types that programs can name, and that the reference's type system does not create itself.
const LOADED_BY_NAME: &[&str] = &[
    "annotation",
    "data",
    "deferred",
    "error",
    "puppet::lookupcontext",
    "puppet::lookupkey",
    "puppet::lookupvalue",
    "richdata",
    "richdatakey",
];

/// The resource types of every environment.
const RESOURCE_TYPES: &[&str] = &[
    "component",
    "exec",
    "file",
    "filebucket",
    "group",
    "node",
    "notify",
    "package",
    "resources",
    "schedule",
    "service",
    "stage",
    "tidy",
    "user",
    "whit",
];

/// The types of types, and of the language's own model, in order. Programs can't use them.
const OF_THE_PLATFORM: &[&str] = &[
    "pcore",
    "pcore::abstracttimedatatype",
    "pcore::anytype",
    "pcore::arraytype",
    "pcore::binarytype",
    "pcore::booleantype",
    "pcore::callabletype",
    "pcore::catalogentrytype",
    "pcore::classtype",
    "pcore::collectiontype",
    "pcore::defaulttype",
    "pcore::enumtype",
    "pcore::floattype",
    "pcore::hashtype",
    "pcore::inittype",
    "pcore::integertype",
    "pcore::iterabletype",
    "pcore::iteratortype",
    "pcore::membername",
    "pcore::notundeftype",
    "pcore::numerictype",
    "pcore::objecttype",
    "pcore::objecttypeextentype",
    "pcore::optionaltype",
    "pcore::patterntype",
    "pcore::qref",
    "pcore::regexptype",
    "pcore::resourcetype",
    "pcore::runtimetype",
    "pcore::scalardatatype",
    "pcore::scalartype",
    "pcore::semverrangetype",
    "pcore::semvertype",
    "pcore::sensitivetype",
    "pcore::simpletypename",
    "pcore::stringtype",
    "pcore::structelement",
    "pcore::structtype",
    "pcore::timespantype",
    "pcore::timestamptype",
    "pcore::tupletype",
    "pcore::typealiastype",
    "pcore::typename",
    "pcore::typereferencetype",
    "pcore::typesettype",
    "pcore::typetype",
    "pcore::undeftype",
    "pcore::unittype",
    "pcore::uri",
    "pcore::uri_rx",
    "pcore::uritype",
    "pcore::varianttype",
    "puppet::ast",
    "puppet::ast::abstractattributeoperation",
    "puppet::ast::abstractresource",
    "puppet::ast::accessexpression",
    "puppet::ast::andexpression",
    "puppet::ast::applyblockexpression",
    "puppet::ast::applyexpression",
    "puppet::ast::arithmeticexpression",
    "puppet::ast::assignmentexpression",
    "puppet::ast::attributeoperation",
    "puppet::ast::attributesoperation",
    "puppet::ast::binaryexpression",
    "puppet::ast::blockexpression",
    "puppet::ast::booleanexpression",
    "puppet::ast::callexpression",
    "puppet::ast::callfunctionexpression",
    "puppet::ast::callmethodexpression",
    "puppet::ast::callnamedfunctionexpression",
    "puppet::ast::caseexpression",
    "puppet::ast::caseoption",
    "puppet::ast::collectexpression",
    "puppet::ast::comparisonexpression",
    "puppet::ast::concatenatedstring",
    "puppet::ast::definition",
    "puppet::ast::eppexpression",
    "puppet::ast::exportedquery",
    "puppet::ast::expression",
    "puppet::ast::functiondefinition",
    "puppet::ast::heredocexpression",
    "puppet::ast::hostclassdefinition",
    "puppet::ast::ifexpression",
    "puppet::ast::inexpression",
    "puppet::ast::keyedentry",
    "puppet::ast::lambdaexpression",
    "puppet::ast::literal",
    "puppet::ast::literalboolean",
    "puppet::ast::literaldefault",
    "puppet::ast::literalfloat",
    "puppet::ast::literalhash",
    "puppet::ast::literalinteger",
    "puppet::ast::literallist",
    "puppet::ast::literalnumber",
    "puppet::ast::literalregularexpression",
    "puppet::ast::literalstring",
    "puppet::ast::literalundef",
    "puppet::ast::literalvalue",
    "puppet::ast::locator",
    "puppet::ast::matchexpression",
    "puppet::ast::namedaccessexpression",
    "puppet::ast::nameddefinition",
    "puppet::ast::nodedefinition",
    "puppet::ast::nop",
    "puppet::ast::notexpression",
    "puppet::ast::orexpression",
    "puppet::ast::parameter",
    "puppet::ast::parenthesizedexpression",
    "puppet::ast::plandefinition",
    "puppet::ast::popsobject",
    "puppet::ast::positioned",
    "puppet::ast::program",
    "puppet::ast::qrefdefinition",
    "puppet::ast::qualifiedname",
    "puppet::ast::qualifiedreference",
    "puppet::ast::queryexpression",
    "puppet::ast::relationshipexpression",
    "puppet::ast::renderexpression",
    "puppet::ast::renderstringexpression",
    "puppet::ast::reservedword",
    "puppet::ast::resourcebody",
    "puppet::ast::resourcedefaultsexpression",
    "puppet::ast::resourceexpression",
    "puppet::ast::resourceoverrideexpression",
    "puppet::ast::resourcetypedefinition",
    "puppet::ast::selectorentry",
    "puppet::ast::selectorexpression",
    "puppet::ast::textexpression",
    "puppet::ast::typealias",
    "puppet::ast::typedefinition",
    "puppet::ast::typemapping",
    "puppet::ast::unaryexpression",
    "puppet::ast::unaryminusexpression",
    "puppet::ast::unfoldexpression",
    "puppet::ast::unlessexpression",
    "puppet::ast::variableexpression",
    "puppet::ast::virtualquery",
    "puppet::resource::param",
    "puppet::resource::resourcetype3",
    "rubymethod",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_platform_are_in_order() {
        assert!(OF_THE_PLATFORM.is_sorted());
    }

    #[test]
    fn catalogs_and_programs_differ_in_errors() {
        let of = |dialect, name| [true, false].map(|in_catalog| taken(dialect, name, in_catalog));
        let latest = Dialect::puppet8();
        assert_eq!(of(latest, "Integer"), [Some(Taken::BuiltIn); 2]);
        assert_eq!(of(latest, "RichData"), [Some(Taken::Loaded); 2]);
        assert_eq!(of(latest, "Pcore::StringType"), [Some(Taken::Loaded); 2]);
        assert_eq!(of(latest, "File"), [Some(Taken::Loaded); 2]);
        assert_eq!(of(latest, "Cron"), [None; 2]);
        assert_eq!(of(latest, "Error"), [None, Some(Taken::Loaded)]);
    }

    #[test]
    fn each_dialect_has_its_own_names() {
        let old = Dialect::by_name("2014-05").expect("a dialect");
        for (name, expected) in [("Literal", Some(Taken::BuiltIn)), ("Callable", None), ("Pcore", None)] {
            assert_eq!(taken(old, name, false), expected, "{name}");
        }
    }
}
