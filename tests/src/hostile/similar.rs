//! Many names, titles and words that are compared with many similar ones.

use super::{Family, Tree, joined, repeated};

/// Returns a module with a file for each number.
fn files(count: usize, manifest: String, file: impl Fn(usize) -> (String, String)) -> Tree {
    (0..count).map(file).fold(Tree::manifest(manifest), |tree, (path, text)| tree.with(path, text))
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "unknown-facts",
        make: |n| Tree::manifest(repeated(n, |it| format!("$fact_{it} = $facts['fcat_{it}']\n"))),
    },
    Family {
        name: "custom-facts",
        make: |n| {
            files(n, repeated(n, |it| format!("$v{it} = $facts['fcat_{it}']\n")), |it| {
                let text = format!("Facter.add(:fact_{it}) do\n  setcode {{ 1 }}\nend\n");
                (format!("modules/m/lib/facter/fact_{it}.rb"), text)
            })
        },
    },
    Family {
        name: "unknown-functions",
        make: |n| {
            files(n, repeated(n, |it| format!("fnuction_{it}()\n")), |it| {
                let text = format!("Puppet::Functions.create_function(:function_{it}) {{ def f; end }}\n");
                (format!("modules/m/lib/puppet/functions/function_{it}.rb"), text)
            })
        },
    },
    Family {
        name: "unknown-resource-types",
        make: |n| {
            files(n, repeated(n, |it| format!("kidn_{it} {{ 'a': }}\n")), |it| {
                let text = format!("Puppet::Type.newtype(:kind_{it}) {{ newparam(:name) }}\n");
                (format!("modules/m/lib/puppet/type/kind_{it}.rb"), text)
            })
        },
    },
    Family {
        name: "unknown-classes",
        make: |n| {
            files(n, repeated(n, |it| format!("include m::nmae_{it}\n")), |it| {
                (format!("modules/m/manifests/name_{it}.pp"), format!("class m::name_{it} {{ }}\n"))
            })
        },
    },
    Family {
        name: "unknown-class-variables",
        make: |n| {
            Tree::manifest(format!(
                "class p {{ {} }}\nclass x {{ include p {} }}\n",
                repeated(n, |it| format!("$name_{it} = 1 ")),
                repeated(n, |it| format!("$v{it} = $p::nmae_{it} "))
            ))
        },
    },
    Family {
        name: "unknown-titles",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("notify {{ 'long title {it}': require => Notify['long tilte {it}'] }}\n")
            }))
        },
    },
    Family {
        name: "unknown-titles-in-part",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("notify {{ \"long ${{a}} {it}\": require => Notify['long title {it}'] }}\n")
            }))
        },
    },
    Family {
        name: "unknown-keys",
        make: |n| {
            Tree::default()
                .with("environment.conf", "modulepath = modules\n")
                .with("hiera.yaml", "---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n")
                .with("data/common.yaml", "---\n".to_owned() + &repeated(n, |it| format!("key_{it}: 1\n")))
                .with("manifests/x.pp", repeated(n, |it| format!("$v{it} = lookup('kye_{it}')\n")))
        },
    },
    Family {
        name: "attribute-values",
        make: |n| {
            let values = joined(n, ", ", |it| format!(":value_{it}"));
            Tree::manifest(repeated(n, |it| format!("kind {{ 'r{it}': level => vaule_{it} }}\n"))).with(
                "modules/m/lib/puppet/type/kind.rb",
                format!(
                    "Puppet::Type.newtype(:kind) do\n  newparam(:name)\n  newproperty(:level) do\n    newvalues({values})\n  end\nend\n"
                ),
            )
        },
    },
    Family {
        name: "case-words",
        make: |n| {
            Tree::manifest(format!(
                "class x(Enum[{}] $a) {{ case $a {{ {} }} }}\n",
                joined(n, ", ", |it| format!("'word_{it}'")),
                repeated(n, |it| format!("'word_{it}': {{ }} "))
            ))
        },
    },
    Family {
        name: "misspelled-case-words",
        make: |n| {
            Tree::manifest(format!(
                "class x(Enum[{}] $a) {{ case $a {{ {} }} }}\n",
                joined(n, ", ", |it| format!("'word_{it}'")),
                repeated(n, |it| format!("'wrod_{it}': {{ notice({it}) }} "))
            ))
        },
    },
    Family {
        name: "selector-words",
        make: |n| {
            Tree::manifest(format!(
                "class x(Enum[{}] $a) {{ $v = $a ? {{ {} }} }}\n",
                joined(n, ", ", |it| format!("'word_{it}'")),
                repeated(n, |it| format!("'word_{it}' => {it}, "))
            ))
        },
    },
    Family {
        name: "perhaps-unset",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ {} }}\n",
                repeated(n, |it| format!("if $a == {it} {{ $v{it} = 1 }}\nf($v{it})\n"))
            ))
        },
    },
    Family {
        name: "declared-in-alternatives",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ case $a {{ {} default: {{ }} }} }}\n",
                repeated(n, |it| format!("{it}: {{ notify {{ 'same': }} }}\n"))
            ))
        },
    },
    Family {
        name: "function-parameters",
        make: |n| {
            Tree::manifest(format!(
                "function f({}) {{ [{}] }}\n",
                joined(n, ", ", |it| format!("$p{it}")),
                joined(n, ", ", |it| format!("$p{it}"))
            ))
        },
    },
    Family {
        name: "same-parameters",
        make: |n| Tree::manifest(format!("class x({}) {{ }}\n", joined(n, ", ", |_| "$p"))),
    },
    Family {
        name: "suppressed-lines",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("$a{it} = 'x' + {it} # lint:ignore:operator-type lint:ignore:unused-variable\n")
            }))
        },
    },
    Family {
        name: "suppressed-blocks",
        make: |n| {
            Tree::manifest(
                "# lint:ignore:operator-type\n".repeat(n)
                    + &repeated(n, |it| format!("$a{it} = 'x' + {it}\n"))
                    + &"# lint:endignore\n".repeat(n),
            )
        },
    },
];
