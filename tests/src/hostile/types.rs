//! Type aliases that double, chain and recur, and types of many parts.

use super::{Family, Tree, joined, repeated};

/// Aliases in a module, each defined by the next, and a value that is compared with the first.
fn aliases(count: usize, make: impl Fn(usize) -> String) -> Tree {
    let all = |from: usize| format!("type X::A{from} = {}\n", make(from + 1));
    Tree::manifest(
        repeated(count, all)
            + &format!("type X::A{count} = Integer\n")
            + "class x(X::A0 $p = [[[[[['a']]]]]], X::A1 $q = { 'a' => { 'a' => 'b' } }) { $r = [[[[$p]]]] }\n\
               class { 'x': p => [[[[[[[['a']]]]]]]], q => 'a' }\n\
               function f(X::A0 $p) >> X::A1 { $p }\n\
               $v = f([[[[[[['b']]]]]]])\n",
    )
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "alias-variants",
        make: |n| aliases(n, |it| format!("Variant[X::A{it}, Array[X::A{it}]]")),
    },
    Family { name: "alias-tuples", make: |n| aliases(n, |it| format!("Tuple[X::A{it}, X::A{it}]")) },
    Family { name: "alias-hashes", make: |n| aliases(n, |it| format!("Hash[X::A{it}, X::A{it}]")) },
    Family {
        name: "alias-structs",
        make: |n| aliases(n, |it| format!("Struct[{{ a => X::A{it}, Optional[b] => X::A{it} }}]")),
    },
    Family {
        name: "alias-callables",
        make: |n| aliases(n, |it| format!("Callable[[X::A{it}, X::A{it}], X::A{it}]")),
    },
    Family {
        name: "alias-optionals",
        make: |n| aliases(n, |it| format!("Optional[Variant[X::A{it}, NotUndef[X::A{it}]]]")),
    },
    Family {
        name: "alias-types",
        make: |n| aliases(n, |it| format!("Variant[Type[X::A{it}], Sensitive[X::A{it}]]")),
    },
    Family {
        name: "alias-iterables",
        make: |n| aliases(n, |it| format!("Variant[Iterable[X::A{it}], Iterator[X::A{it}]]")),
    },
    Family {
        name: "alias-inits",
        make: |n| aliases(n, |it| format!("Variant[Init[X::A{it}], Array[X::A{it}]]")),
    },
    Family { name: "alias-chain", make: |n| aliases(n, |it| format!("X::A{it}")) },
    Family {
        name: "alias-objects",
        make: |n| {
            aliases(n, |it| format!("Object[{{ attributes => {{ a => X::A{it}, b => Array[X::A{it}] }} }}]"))
        },
    },
    Family {
        name: "object-parents",
        make: |n| {
            Tree::manifest(
                "type X::O0 = Object[{ attributes => { a => Integer } }]\n".to_owned()
                    + &repeated(n, |it| {
                        let next = it + 1;
                        format!(
                            "type X::O{next} = Object[{{ parent => X::O{it}, attributes => {{ a{next} => X::O{it} }} }}]\n"
                        )
                    }),
            )
        },
    },
    Family {
        name: "recursive-aliases",
        make: |n| {
            let count = n.max(1);
            Tree::manifest(
                repeated(count, |it| {
                    let (next, after) = ((it + 1) % count, (it + 7) % count);
                    format!(
                        "type X::A{it} = Variant[Array[X::A{next}], Hash[String, X::A{after}], Integer]\n"
                    )
                }) + "class x(X::A0 $p = [[[['a']]]]) { }\n",
            )
        },
    },
    Family {
        name: "recursive-aliases-of-all",
        make: |n| {
            let all = |outer: &str| joined(n, ", ", |it| format!("{outer}[X::A{it}]"));
            Tree::manifest(
                repeated(6, |it| {
                    format!(
                        "type X::B{it} = Variant[Integer, {}]\n",
                        joined(6, ", ", |k| format!("Tuple[X::B{k}, X::B{}]", (k + it) % 6))
                    )
                }) + &format!("type X::A0 = Variant[{}]\n", all("Array"))
                    + &repeated(n, |it| format!("type X::A{} = Array[X::A{it}]\n", it + 1))
                    + "class x(X::B0 $p, X::B1 $q = [[[[1, 'a'], 1], 1], 1]) { class { 'x': p => $q } }\n",
            )
        },
    },
    Family {
        name: "type-set",
        make: |n| {
            Tree::manifest(format!(
                "type X = TypeSet[{{ pcore_version => '1.0.0', version => '1.0.0', types => {{ {} B{n} => Integer }} }}]\n",
                repeated(n, |it| format!("B{it} => Tuple[B{0}, B{0}], ", it + 1))
            ))
        },
    },
    Family {
        name: "wide-variant",
        make: |n| {
            Tree::manifest(format!(
                "class x(Variant[{}] $p = 'x') {{ if $p =~ Integer {{ }} }}\n",
                joined(n, ", ", |it| format!("Integer[{}, {}]", it * 3, it * 3 + 1))
            ))
        },
    },
    Family {
        name: "wide-variants-of-tuples",
        make: |n| {
            let tuples = |to: &str| joined(n, ", ", |it| format!("Tuple[Integer[{it}], {to}]"));
            Tree::manifest(format!(
                "function f(Variant[{}] $p) {{ }}\nfunction g(Variant[{}] $p) {{ f($p) }}\n",
                tuples("Integer"),
                tuples("Array")
            ))
        },
    },
    Family {
        name: "wide-struct",
        make: |n| {
            Tree::manifest(format!(
                "class x(Struct[{{ {} }}] $p = {{ {} }}) {{ }}\n",
                joined(n, ", ", |it| format!("k{it} => Integer")),
                joined(n, ", ", |it| format!("k{it} => 'a'"))
            ))
        },
    },
    Family {
        name: "wide-enum",
        make: |n| {
            let words = |letter: &str| joined(n, ", ", |it| format!("{letter}{it}"));
            Tree::manifest(format!(
                "class x(Enum[{}] $p, Enum[{}] $q) {{ if $p == $q {{ }} }}\n",
                words("a"),
                words("b")
            ))
        },
    },
    Family {
        name: "wide-pattern",
        make: |n| {
            Tree::manifest(format!(
                "class x(Pattern[{}] $p = 'aaaaaaaaaaaaaaaaaaaaaaaa!') {{ }}\n",
                joined(n, ", ", |it| format!("/^(a+)+{it}$/"))
            ))
        },
    },
    Family {
        name: "wide-versions",
        make: |n| {
            Tree::manifest(format!(
                "class x(SemVer[{}] $p, SemVerRange $r = SemVerRange('{}')) {{ }}\n",
                joined(n, ", ", |it| format!("'>={it}.0.0'")),
                joined(n, " || ", |it| format!(">={it}.0.0"))
            ))
        },
    },
    Family {
        name: "wide-callable",
        make: |n| {
            Tree::manifest(format!(
                "function f(Callable[{}] $p) {{ }}\nf({}) |$x| {{ }}\n",
                joined(n, ", ", |_| "Integer"),
                joined(n, ", ", |_| "1")
            ))
        },
    },
];
