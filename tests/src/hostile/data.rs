//! Data, its configuration, and the metadata of modules.

use super::{Family, Tree, joined, repeated};

const HIERA: &str = "---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n";

/// Returns a control repository with this data, which a class reads.
fn data(text: String) -> Tree {
    Tree::default()
        .with("environment.conf", "modulepath = modules\n")
        .with("hiera.yaml", HIERA)
        .with("data/common.yaml", text)
        .with(
            "modules/m/manifests/init.pp",
            "class m(Array[Array[String]] $k0, Hash $k1 = lookup('m::k1')) { $v = lookup('k0', Array[Integer]) }\n",
        )
}

/// Returns a module with this file.
fn module(path: &str, text: String) -> Tree {
    Tree::default().with("manifests/init.pp", "class m { }\n").with(path, text)
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "yaml-aliases",
        make: |n| {
            data(format!(
                "---\na0: &a0 ['x']\n{}m::k0: *a{n}\nk0: *a{n}\n",
                repeated(n, |it| format!("a{0}: &a{0} [*a{it}, *a{it}]\n", it + 1))
            ))
        },
    },
    Family {
        name: "yaml-merges",
        make: |n| {
            data(format!(
                "---\na0: &a0 {{x: 1}}\n{}m::k1: *a{n}\n",
                repeated(n, |it| format!("a{0}: &a{0} {{<<: [*a{it}, *a{it}], y{0}: *a{it}}}\n", it + 1))
            ))
        },
    },
    Family {
        name: "yaml-nests",
        make: |n| data(format!("---\nm::k0: {}{}\n", "[".repeat(n), "]".repeat(n))),
    },
    Family {
        name: "yaml-keys",
        make: |n| data("---\n".to_owned() + &repeated(n, |it| format!("m::k{it}: 1\n"))),
    },
    Family { name: "yaml-same-keys", make: |n| data("---\n".to_owned() + &"m::k0: 1\n".repeat(n)) },
    Family {
        name: "yaml-integer",
        make: |n| data(format!("---\nm::k0: {}\nm::k2: 0x{}\n", "9".repeat(n), "f".repeat(n))),
    },
    Family {
        name: "yaml-sexagesimal",
        make: |n| data(format!("---\nm::k0: 1{}\nm::k1: 1{}.5\n", ":59".repeat(n), ":59".repeat(n))),
    },
    Family {
        name: "yaml-float",
        make: |n| data(format!("---\nm::k0: 1.{}\nm::k2: 1e{}\n", "9".repeat(n), "9".repeat(n))),
    },
    Family {
        name: "yaml-complex-keys",
        make: |n| data(format!("---\n{}\n", repeated(n, |it| format!("? [{it}]\n: {it}\n")))),
    },
    Family {
        name: "json-nests",
        make: |n| {
            Tree::manifest("class m { }\n")
                .with("environment.conf", "")
                .with("hiera.yaml", HIERA.replace("yaml\n", "json\n    data_hash: json_data\n"))
                .with("data/common.json", format!("{{\"k0\": {}{}}}", "[".repeat(n), "]".repeat(n)))
        },
    },
    Family {
        name: "hocon-substitutions",
        make: |n| {
            Tree::manifest("class m { }\n")
                .with("environment.conf", "")
                .with("hiera.yaml", HIERA.replace("yaml\n", "conf\n    data_hash: hocon_data\n"))
                .with(
                    "data/common.conf",
                    format!(
                        "a0 = [1]\n{}",
                        repeated(n, |it| format!("a{} = ${{a{it}}} ${{a{it}}}\n", it + 1))
                    ),
                )
        },
    },
    Family {
        name: "interpolations",
        make: |n| {
            data(
                "---\n".to_owned()
                    + &repeated(n, |it| {
                        format!("k{it}: \"%{{lookup('k{0}')}}%{{lookup('k{0}')}}\"\n", it + 1)
                    }),
            )
        },
    },
    Family { name: "many-interpolations", make: |n| data(format!("---\nm::k0: \"{}\"\n", "%{a}".repeat(n))) },
    Family { name: "open-interpolations", make: |n| data(format!("---\nm::k0: \"{}\"\n", "%{a".repeat(n))) },
    Family {
        name: "hiera-levels",
        make: |n| {
            data("---\nm::k0: 1\n".to_owned()).with(
                "modules/m/hiera.yaml",
                format!(
                    "---\nversion: 5\nhierarchy:\n{}",
                    repeated(n, |it| format!("  - name: l{it}\n    path: \"%{{facts.f{it}}}.yaml\"\n"))
                ),
            )
        },
    },
    Family {
        name: "hiera-globs",
        make: |n| {
            data("---\nm::k0: 1\n".to_owned()).with(
                "modules/m/hiera.yaml",
                format!(
                    "---\nversion: 5\nhierarchy:\n  - name: l\n    globs: [\"{}\", \"{{{}}}\"]\n",
                    "**/".repeat(n),
                    joined(n, ",", |it| format!("{{a,b}}{it}"))
                ),
            )
        },
    },
    Family {
        name: "lookup-options",
        make: |n| {
            data(format!(
                "---\nlookup_options:\n{}{}",
                repeated(n, |it| format!("  '^m::(k|k)*{it}$': {{ merge: deep, convert_to: Integer }}\n")),
                repeated(n, |it| format!("m::k{it}: x\n"))
            ))
        },
    },
    Family {
        name: "convert-types",
        make: |n| {
            let nest = format!("{}Integer{}", "Array[".repeat(n.min(60)), "]".repeat(n.min(60)));
            data(format!(
                "---\nlookup_options:\n{}",
                repeated(n / 30 + 1, |it| format!("  m::k{it}: {{ convert_to: \"{nest}\" }}\n"))
            ))
        },
    },
    Family {
        name: "metadata-dependencies",
        make: |n| {
            module(
                "metadata.json",
                format!(
                    "{{\"name\": \"a-m\", \"version\": \"1.0.0\", \"dependencies\": [{}]}}",
                    joined(n, ",", |it| format!(
                        "{{\"name\": \"b/c{it}\", \"version_requirement\": \">=1.0.0 <2.0.0\"}}"
                    ))
                ),
            )
        },
    },
    Family {
        name: "metadata-versions",
        make: |n| {
            module(
                "metadata.json",
                format!(
                    "{{\"name\": \"a-m\", \"version\": \"1.0.0\", \"dependencies\": [{{\"name\": \"b/c\", \"version_requirement\": \"{}\"}}]}}",
                    joined(n, " || ", |it| format!(">={it}.0.0"))
                ),
            )
        },
    },
    Family {
        name: "ignore-patterns",
        make: |n| module(".gitignore", repeated(n, |it| format!("**/{{a,b}}*{it}/**/*\n"))),
    },
    Family { name: "ignore-pattern", make: |n| module(".gitignore", "**/*a".repeat(n) + "\n") },
    Family {
        name: "puppetfile",
        make: |n| {
            Tree::default().with("manifests/x.pp", "include a\n").with(
                "Puppetfile",
                format!(
                    "{}forge '{}'\n",
                    repeated(n, |it| format!("mod 'a/b{it}', '1.0.{it}'\n")),
                    "#{".repeat(50)
                ),
            )
        },
    },
    Family {
        name: "configuration",
        make: |n| {
            module(
                "marotte.toml",
                format!("exclude = [{}]\n", joined(n, ", ", |it| format!("\"**/a{it}-*\""))),
            )
        },
    },
    Family {
        name: "environment-settings",
        make: |n| {
            Tree::default()
                .with("manifests/x.pp", "include a\n")
                .with("environment.conf", format!("modulepath = {}\n", joined(n, ":", |it| format!("m{it}"))))
        },
    },
];
