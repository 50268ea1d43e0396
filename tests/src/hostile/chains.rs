//! Long chains, each link of which refers to the next.

use super::{Family, Tree, joined, repeated};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "requires",
        make: |n| {
            Tree::manifest(
                "notify { 'r0': }\n".to_owned()
                    + &repeated(n, |it| format!("notify {{ 'r{}': require => Notify['r{it}'] }}\n", it + 1)),
            )
        },
    },
    Family {
        name: "require-cycle",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("notify {{ 'r{it}': require => Notify['r{}'] }}\n", (it + 1) % n.max(1))
            }))
        },
    },
    Family {
        name: "arrow-cycle",
        make: |n| {
            Tree::manifest(
                repeated(n, |it| format!("notify {{ 'r{it}': }}\n"))
                    + &repeated(n, |it| format!("Notify['r{it}'] -> Notify['r{}']\n", (it + 1) % n.max(1))),
            )
        },
    },
    Family {
        name: "edges-of-all-with-all",
        make: |n| {
            let references = joined(n, ", ", |it| format!("Notify['r{it}']"));
            Tree::manifest(
                repeated(n, |it| format!("notify {{ 'r{it}': }}\n"))
                    + &format!("[{references}] -> [{references}]\n"),
            )
        },
    },
    Family {
        name: "inherits",
        make: |n| {
            Tree::manifest(
                "class c0 { }\n".to_owned()
                    + &repeated(n, |it| format!("class c{} inherits c{it} {{ $y = $x }}\n", it + 1)),
            )
        },
    },
    Family {
        name: "inherits-cycle",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("class c{it} inherits c{} {{ $y = $x }}\n", (it + 1) % n.max(1))
            }))
        },
    },
    Family {
        name: "includes",
        make: |n| Tree::manifest(repeated(n, |it| format!("class c{it} {{ include c{} }}\n", it + 1))),
    },
    Family {
        name: "calls",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("function f{it}($x) {{ f{}($x) }}\n", (it + 1) % n.max(1))
            }))
        },
    },
    Family {
        name: "calls-in-a-row",
        make: |n| {
            Tree::manifest(
                repeated(n, |it| format!("function f{it}() {{ f{}() }}\n", it + 1))
                    + &format!("function f{n}() {{ 1 }}\n"),
            )
        },
    },
    Family {
        name: "calls-of-all",
        make: |n| {
            // As many calls in each function as there are functions.
            let count = n.isqrt();
            let calls = joined(count, ", ", |it| format!("f{it}()"));
            Tree::manifest(repeated(count, |it| format!("function f{it}() {{ [{calls}] }}\n")))
        },
    },
    Family {
        name: "variables-in-a-circle",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!(
                    "class c{it} {{ $x = [$c{}::x, $c{}::x] }}\n",
                    (it + 1) % n.max(1),
                    (it * 7) % n.max(1)
                )
            }))
        },
    },
    Family { name: "sums", make: |n| Tree::manifest(format!("$x = {}\n", joined(n, " + ", |_| "1"))) },
    Family {
        name: "text-sums",
        make: |n| Tree::manifest(format!("$x = [{}]\n", joined(n, " + ", |it| format!("[{it}]")))),
    },
    Family {
        name: "narrowing-ands",
        make: |n| Tree::manifest(format!("class x($a) {{ if {} {{ }} }}\n", joined(n, " and ", |_| "$a"))),
    },
    Family {
        name: "narrowing-types",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ if {} {{ }} }}\n",
                joined(n, " or ", |it| format!("$a =~ Integer[{it}]"))
            ))
        },
    },
    Family {
        name: "elsifs",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ if $a {{ }} {} }}\n",
                repeated(n, |it| format!("elsif $a == {it} {{ $v{it} = {it} }} "))
            ))
        },
    },
    Family {
        name: "negations",
        make: |n| Tree::manifest(format!("$x = {}1\n", "!-".repeat(n.min(100)) + &" ".repeat(n))),
    },
    Family { name: "accesses", make: |n| Tree::manifest(format!("$x = [1]\n$y = $x{}\n", "[0]".repeat(n))) },
    Family { name: "methods", make: |n| Tree::manifest(format!("$x = [1]{}\n", ".flatten".repeat(n))) },
    Family {
        name: "reads",
        make: |n| {
            Tree::manifest(
                repeated(n, |it| format!("$v{it} = 1\n")) + &repeated(n, |it| format!("f($v{it})\n")),
            )
        },
    },
    Family {
        name: "branch-variables",
        make: |n| {
            let set = |value: &str| repeated(n, |it| format!("$v{it} = {value} "));
            Tree::manifest(format!("class x($a) {{ if $a {{ {}}} else {{ {}}} }}\n", set("1"), set("'x'")))
        },
    },
    Family {
        name: "files-of-classes",
        make: |n| {
            (0..n).fold(Tree::default(), |tree, it| {
                let next = it + 1;
                tree.with(
                    format!("modules/m{it}/manifests/init.pp"),
                    format!("class m{it} inherits m{next} {{ $x = $m{next}::x }}\n"),
                )
            })
        },
    },
];
