//! Code that is nested as deeply as permitted, many times.

use super::{Family, Tree, repeated};

/// The maximum number of levels that the parser accepts.
const DEEP: usize = 60;

fn nested(count: usize, open: &str, middle: &str, close: &str) -> Tree {
    let one = format!("{}{middle}{}\n", open.repeat(DEEP), close.repeat(DEEP));
    let times = count / DEEP + 1;
    Tree::manifest(repeated(times, |it| format!("$x{it} = {one}")))
}

pub(super) const FAMILIES: &[Family] = &[
    Family { name: "nested-arrays", make: |n| nested(n, "[", "1", "]") },
    Family { name: "nested-hashes", make: |n| nested(n, "{a=>", "1", "}") },
    Family {
        name: "nested-lambdas",
        make: |n| nested(n, "[[1]].map |$v| { $v.map |$w| { [$v,", "1", "] } }"),
    },
    Family { name: "nested-ifs", make: |n| nested(n, "if $a { [", "1", "] } else { 2 }") },
    Family { name: "nested-selectors", make: |n| nested(n, "$a ? { 1 => [", "1", "], default => 2 }") },
    Family { name: "nested-texts", make: |n| nested(n, "\"${", "'a'", "}b\"") },
    Family { name: "nested-types", make: |n| nested(n, "Array[Variant[Undef,", "Integer", "]]") },
    Family { name: "nested-optionals", make: |n| nested(n, "Optional[NotUndef[", "Integer", "]]") },
    Family { name: "nested-callables", make: |n| nested(n, "Callable[Callable[Integer],", "Integer", "]") },
    Family {
        name: "typed-nests",
        make: |n| {
            let of = |open: &str, middle: &str, close: &str| {
                format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP))
            };
            let ty = of("Variant[Integer,Array[", "String", "]]");
            let value = of("[", "1", "]");
            Tree::manifest(repeated(n / DEEP, |it| format!("class x{it}({ty} $p = {value}) {{ }}\n")))
        },
    },
    Family {
        name: "nested-definitions",
        make: |n| {
            Tree::manifest(repeated(n / DEEP + 1, |it| {
                format!(
                    "{}{}\n",
                    repeated(DEEP, |level| format!("class a{it}_{level} {{ ")),
                    "}".repeat(DEEP)
                )
            }))
        },
    },
    Family {
        name: "nested-queries",
        make: |n| {
            let one = format!("{}a == 1{}", "(".repeat(DEEP), " or b == 2)".repeat(DEEP));
            Tree::manifest(repeated(n / DEEP + 1, |_| format!("File <| {one} |>\n")))
        },
    },
];
