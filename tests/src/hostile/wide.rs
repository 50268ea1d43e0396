//! Many adjacent items, which must not be compared pairwise.

use super::{Family, Tree, joined, repeated};

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "case-options",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ case $a {{ {} default: {{ }} }} }}\n",
                repeated(n, |it| format!("{it}: {{}} "))
            ))
        },
    },
    Family {
        name: "case-values",
        make: |n| {
            Tree::manifest(format!("class x($a) {{ case $a {{ {}: {{ }} }} }}\n", joined(n, ", ", |it| it)))
        },
    },
    Family {
        name: "case-regexps",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ case $a {{ {} }} }}\n",
                repeated(n, |it| format!("/^a{it}.*/: {{}} "))
            ))
        },
    },
    Family {
        name: "case-of-known",
        make: |n| {
            Tree::manifest(format!(
                "$a = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'\ncase $a {{ {} }}\n",
                repeated(n, |it| format!("/^(a|a)*{it}$/: {{}} "))
            ))
        },
    },
    Family {
        name: "case-types",
        make: |n| {
            Tree::manifest(format!(
                "class x(Scalar $a) {{ case $a {{ {} }} }}\n",
                repeated(n, |it| format!("Integer[{it}]: {{}} "))
            ))
        },
    },
    Family {
        name: "selector-entries",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ $x = $a ? {{ {}default => 1 }} }}\n",
                repeated(n, |it| format!("{it} => [{it}], "))
            ))
        },
    },
    Family {
        name: "array-elements",
        make: |n| Tree::manifest(format!("$x = [{}]\n", joined(n, ",", |it| it))),
    },
    Family {
        name: "hash-entries",
        make: |n| Tree::manifest(format!("$x = {{ {} }}\n", joined(n, ", ", |it| format!("k{it} => 1")))),
    },
    Family {
        name: "uses-of-a-large-hash",
        make: |n| {
            Tree::manifest(
                format!("$x = {{ {} }}\n", joined(n, ", ", |it| format!("k{it} => 1")))
                    + &repeated(n, |it| format!("$y{it} = $x[q{it}] + $x\n")),
            )
        },
    },
    Family {
        name: "unknown-names",
        make: |n| {
            Tree::manifest(
                repeated(n, |it| format!("class name_{it} {{ }}\n"))
                    + &repeated(n, |it| format!("include nome_{it}\n")),
            )
        },
    },
    Family {
        name: "unknown-variables",
        make: |n| {
            Tree::manifest(format!(
                "class x {{ {} {} }}\n",
                repeated(n, |it| format!("$variable_{it} = 1 ")),
                repeated(n, |it| format!("f($varaible_{it}) "))
            ))
        },
    },
    Family { name: "same-resources", make: |n| Tree::manifest(repeated(n, |_| "notify { 'x': }\n")) },
    Family { name: "same-classes", make: |n| Tree::manifest(repeated(n, |_| "class x { }\n")) },
    Family {
        name: "resource-bodies",
        make: |n| Tree::manifest(format!("notify {{ {} }}\n", repeated(n, |it| format!("'r{it}': ; ")))),
    },
    Family {
        name: "resource-titles",
        make: |n| Tree::manifest(format!("notify {{ [{}]: }}\n", joined(n, ", ", |it| format!("'r{it}'")))),
    },
    Family {
        name: "attributes",
        make: |n| {
            Tree::manifest(format!("notify {{ 'x': {} }}\n", joined(n, ", ", |it| format!("a{it} => 1"))))
        },
    },
    Family {
        name: "parameters",
        make: |n| {
            Tree::manifest(format!(
                "class x({}) {{ }}\nclass {{ 'x': {} }}\n",
                joined(n, ", ", |it| format!("Integer $p{it}")),
                joined(n, ", ", |it| format!("q{it} => 1"))
            ))
        },
    },
    Family {
        name: "arguments",
        make: |n| Tree::manifest(format!("function f(*$x) {{ }}\nf({})\n", joined(n, ",", |it| it))),
    },
    Family {
        name: "nodes",
        make: |n| Tree::manifest(repeated(n, |it| format!("node /^a{it}.*b+$/ {{ }}\n"))),
    },
    Family {
        name: "collectors",
        make: |n| {
            Tree::manifest(
                repeated(n, |it| format!("@notify {{ 'r{it}': tag => t }}\n"))
                    + &repeated(n, |it| format!("Notify <| tag == t and title == 'r{it}' |>\n")),
            )
        },
    },
    Family {
        name: "overrides",
        make: |n| {
            Tree::manifest(
                "notify { 'x': }\n".to_owned()
                    + &repeated(n, |it| format!("Notify['x'] {{ message +> {it} }}\n")),
            )
        },
    },
    Family {
        name: "suppressions",
        make: |n| Tree::manifest(repeated(n, |_| "# lint:ignore:all\n$x = 1 # marotte: ignore\n")),
    },
    Family { name: "comments", make: |n| Tree::manifest("/**/#\n".repeat(n)) },
    Family {
        name: "segments",
        make: |n| Tree::manifest(format!("$x = 'ab'\n$y = \"{}\"\n", "${x}".repeat(n))),
    },
    Family {
        name: "large-segments",
        make: |n| {
            let text = "a".repeat(n);
            Tree::manifest(format!(
                "$x = '{text}'\n$y = \"{}\"\n$z = \"{}\"\n",
                "$x".repeat(n / 3),
                "$y".repeat(n / 3)
            ))
        },
    },
    Family {
        name: "large-elements",
        make: |n| {
            Tree::manifest(format!(
                "$x = [{}]\n$y = [{}]\n$z = [{}]\n$w = $z == $z\n",
                joined(n, ",", |_| "1"),
                joined(n, ",", |_| "$x"),
                joined(n, ",", |_| "$y")
            ))
        },
    },
    Family {
        name: "long-name",
        make: |n| Tree::manifest(format!("include {}\n${} = 1\n", "a".repeat(n), "b".repeat(n))),
    },
    Family {
        name: "long-qualified-name",
        make: |n| Tree::manifest(format!("include a{}\n$x = $a{}::b\n", "::a".repeat(n), "::a".repeat(n))),
    },
    Family {
        name: "long-number",
        make: |n| Tree::manifest(format!("$x = {}\n$y = 1.{}\n", "9".repeat(n), "9".repeat(n))),
    },
    Family {
        name: "regexp-repeats",
        make: |n| {
            Tree::manifest(repeated(n, |it| format!("$r{it} = /(((a{{1,99}}){{1,99}}){{1,99}}){{{it}}}/\n")))
        },
    },
    Family {
        name: "regexp-nests",
        make: |n| Tree::manifest(format!("$x = 'aaaa' =~ /{}a{}/\n", "(".repeat(n), "*)".repeat(n))),
    },
    Family {
        name: "regexp-alternatives",
        make: |n| {
            Tree::manifest(format!(
                "$x = 'aaaaaa' =~ /^(?:{})*\\1(?=b)$/\n",
                joined(n, "|", |it| format!("(a{it}?)"))
            ))
        },
    },
    Family {
        name: "regexp-backtracking",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("$m{it} = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!{it}' =~ /^(a*)*(?!b)\\1(a|aa)+$/\n")
            }))
        },
    },
    Family {
        name: "format-widths",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("$f{it} = sprintf('%99999999{it}d', 1)\n$s{it} = String(1, '%99999999{it}d')\n")
            }))
        },
    },
    Family {
        name: "time-widths",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!(
                    "$f{it} = strftime(Timespan(1), '%99999999{it}H')\n$t{it} = Timestamp('{it}', '%99999N')\n"
                )
            }))
        },
    },
    Family {
        name: "large-ranges",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!(
                    "$r{it} = unique(Integer[1, 922337203685477{it}])\n$s{it} = Array(Integer[0, 99999999{it}])\n"
                )
            }))
        },
    },
    Family {
        name: "shifts",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("$s{it} = 1 << 99999999{it}\n$t{it} = 1 >> -99999999{it}\n")
            }))
        },
    },
    Family {
        name: "epp-tags",
        make: |n| {
            Tree::default()
                .with("modules/m/manifests/init.pp", "class m { $x = epp('m/t.epp', { 'a' => 1 }) }\n")
                .with(
                    "modules/m/templates/t.epp",
                    format!("<%- | $a | -%>\n{}", repeated(n, |it| format!("<%= $a + $b{it} -%>\n"))),
                )
        },
    },
    Family {
        name: "epp-blocks",
        make: |n| {
            Tree::default().with(
                "modules/m/templates/t.epp",
                repeated(n, |it| format!("<% [1].each |$v{it}| {{ %>")) + &"<% } %>".repeat(n),
            )
        },
    },
    Family {
        name: "ruby-nests",
        make: |n| {
            Tree::manifest("m::f([1])\n").with(
                "modules/m/lib/puppet/functions/m/f.rb",
                format!(
                    "Puppet::Functions.create_function(:'m::f') do\n  X0 = [1]\n{}  dispatch :f do\n    param X{n}, :a\n  end\nend\n",
                    repeated(n, |it| format!("  X{} = X{it} + X{it}\n", it + 1))
                ),
            )
        },
    },
    Family {
        name: "ruby-dispatches",
        make: |n| {
            Tree::default()
                .with(
                    "modules/m/lib/puppet/functions/m/f.rb",
                    format!(
                        "Puppet::Functions.create_function(:'m::f') do\n{}end\n",
                        repeated(n, |it| format!(
                            "  dispatch :f do\n    param 'Integer[{it}, {it}]', :a\n  end\n"
                        ))
                    ),
                )
                .with("manifests/x.pp", repeated(n / 4, |it| format!("m::f('a{it}')\n")))
        },
    },
    Family {
        name: "ruby-local-types",
        make: |n| {
            Tree::default().with(
                "modules/m/lib/puppet/functions/m/f.rb",
                format!(
                    "Puppet::Functions.create_function(:'m::f') do\n  local_types do\n{}    type 'T{n} = Integer'\n  end\n  dispatch :f do\n    param 'T0', :a\n  end\nend\n",
                    repeated(n, |it| format!("    type 'T{it} = Variant[T{0}, Array[T{0}]]'\n", it + 1))
                ),
            ).with("manifests/x.pp", "m::f([[[[[['a']]]]]])\n")
        },
    },
];
