//! `unquoted-option`: what a `case` or a selector compares is a bare word.

use marotte_syntax::ast::{Expr, ExprKind};

use super::Style;

/// The data types of the language.
const DATA_TYPES: [&str; 48] = [
    "Annotation",
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Deferred",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Init",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Object",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
    "Type",
    "TypeAlias",
    "TypeReference",
    "TypeSet",
    "URI",
    "Undef",
    "Unit",
    "Variant",
    "RichDataKey",
];

pub(super) fn check(style: &mut Style<'_>, option: &Expr) {
    if style.is_word(option) {
        let fix = style.quoted(option.range, true);
        style.report("unquoted-option", option.range, "an option has no quotes").fix = Some(fix);
    } else if let ExprKind::Reference(name) = &option.kind
        && !name.contains("::")
        && !is_data_type(name)
    {
        // To Puppet, this is the type of a resource, which no string is.
        let fix = style.quoted(option.range, false);
        let finding = style.report("unquoted-option", option.range, "an option has no quotes");
        finding.label = Some("a type of resources, not a string".to_owned());
        finding.fix = Some(fix);
    }
}

/// Whether a name is that of a data type of the language.
fn is_data_type(name: &str) -> bool {
    DATA_TYPES.contains(&name)
}
