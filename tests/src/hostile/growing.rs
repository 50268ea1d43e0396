//! Items of real code, of which some trees have very many: templates, tasks, dependencies, levels, files, declarations.

use super::{Family, Tree, joined, repeated};

/// Returns a control repository with a module that has these files.
fn module(files: impl IntoIterator<Item = (String, String)>) -> Tree {
    let tree = Tree::default().with("environment.conf", "modulepath = modules\n");
    files.into_iter().fold(tree, |tree, (path, text)| tree.with(format!("modules/m/{path}"), text))
}

/// Returns the same with levels in `hiera.yaml`, and files below `data`.
fn hiera(levels: &str, files: impl IntoIterator<Item = (String, String)>) -> Tree {
    let class = ("manifests/init.pp".to_owned(), "class m(Integer $k0) { $v = lookup('k1') }\n".to_owned());
    let tree = module([class]).with("hiera.yaml", format!("---\nversion: 5\nhierarchy:\n{levels}"));
    files.into_iter().fold(tree, |tree, (path, text)| tree.with(format!("data/{path}"), text))
}

/// Returns a module with a template in ERB that a class renders, which sets these variables.
fn erb(variables: String, template: String) -> Tree {
    module([
        ("manifests/init.pp".to_owned(), format!("class m {{ {variables} $text = template('m/t.erb') }}\n")),
        ("templates/t.erb".to_owned(), template),
    ])
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "references-in-part",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("notify {{ 'title {it} of a': require => Notify[\"title ${{a}} {it}\"] }}\n")
            }))
        },
    },
    Family {
        name: "titles-and-references-in-part",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("notify {{ \"title {it} ${{a}}\": require => Notify[\"titel {it} ${{a}}\"] }}\n")
            }))
        },
    },
    Family {
        name: "cycles-through-one",
        make: |n| {
            Tree::manifest(
                "notify { 'hub': }\n".to_owned()
                    + &repeated(n, |it| {
                        format!("notify {{ 'r{it}': require => Notify['hub'], before => Notify['hub'] }}\n")
                    }),
            )
        },
    },
    Family {
        name: "same-define",
        make: |n| {
            Tree::manifest(
                "define d(Integer $x) { notify { $title: message => $x } }\n".to_owned()
                    + &repeated(n, |it| format!("d {{ 't{it}': x => {it} }}\n")),
            )
        },
    },
    Family {
        name: "same-function",
        make: |n| {
            Tree::manifest(
                "function f(Integer $x) { $x + 1 }\n".to_owned()
                    + &repeated(n, |it| format!("$v{it} = f({it})\n")),
            )
        },
    },
    Family {
        name: "declared-unless-it-fails",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ {} }}\n",
                repeated(n, |it| format!(
                    "if $a == {it} {{ fail('x') }}\nif $b == {it} {{ notify {{ 'x': }} }}\n"
                ))
            ))
        },
    },
    Family {
        name: "perhaps-unset-unless-it-fails",
        make: |n| {
            Tree::manifest(format!(
                "class x($a) {{ {} }}\n",
                repeated(n, |it| {
                    format!("if $c{it} {{ fail('x') }}\nif $a == {it} {{ $v{it} = 1 }}\nf($v{it})\n")
                })
            ))
        },
    },
    Family {
        name: "perhaps-set-once",
        make: |n| {
            Tree::manifest(format!(
                "class x {{ {} f($v) }}\n",
                repeated(n, |it| format!("if $a{it} {{ $v = 1 }}\n"))
            ))
        },
    },
    Family {
        name: "hiera-paths",
        make: |n| {
            let paths = joined(n, ", ", |it| format!("\"p{it}/%{{facts.f}}.yaml\", \"p{it}.yaml\""));
            hiera(&format!("  - name: l\n    paths: [{paths}]\n"), [])
        },
    },
    Family {
        name: "hiera-missing-paths",
        make: |n| {
            hiera(&repeated(n, |it| format!("  - name: l{it}\n    path: common{it}.yaml\n")), [])
                .with("data/commno.yaml", "---\nm::k0: 1\n")
        },
    },
    Family {
        name: "hiera-files",
        make: |n| {
            let levels = "  - name: nodes\n    path: \"nodes/%{facts.f}.yaml\"\n";
            let file = |it| (format!("nodes/n{it}.yaml"), format!("---\nm::k0: {it}\nk1: {it}\n"));
            hiera(levels, (0..n).map(file))
        },
    },
    Family {
        name: "hiera-files-of-levels",
        make: |n| {
            let levels =
                repeated(n, |it| format!("  - name: l{it}\n    path: \"%{{facts.f}}/l{it}.yaml\"\n"));
            let file = |it| (format!("x/l{it}.yaml"), format!("---\nm::k0: {it}\n"));
            hiera(&levels, (0..n).map(file))
        },
    },
    Family {
        name: "erb-reads",
        make: |n| {
            erb(repeated(n, |it| format!("$v{it} = {it} ")), repeated(n, |it| format!("<%= @v{it} %>\n")))
        },
    },
    Family {
        name: "erb-names",
        make: |n| {
            erb(
                repeated(n, |it| format!("$variable_{it} = {it} ")),
                repeated(n, |it| format!("<%= @varaible_{it} %>\n<% x{it} = @variable_{it} -%>\n")),
            )
        },
    },
    Family {
        name: "erb-loops",
        make: |n| {
            erb(
                "$v = [1] ".to_owned(),
                repeated(n, |it| format!("<% @v.each do |x{it}| -%>\n<%= x{it} %>\n<% end -%>\n")),
            )
        },
    },
    Family {
        name: "erb-files",
        make: |n| {
            let calls = repeated(n, |it| format!("$v{it} = template('m/t{it}.erb') "));
            let class = ("manifests/init.pp".to_owned(), format!("class m {{ {calls} }}\n"));
            let file = |it| (format!("templates/t{it}.erb"), format!("<%= @v{it} %>\n"));
            module([class].into_iter().chain((0..n).map(file)))
        },
    },
    Family {
        name: "tasks",
        make: |n| {
            let json = |it| {
                let text = format!("{{\"parameters\": {{\"p{it}\": {{\"type\": \"Integer\"}}}}}}\n");
                (format!("tasks/t{it}.json"), text)
            };
            let script = |it| (format!("tasks/t{it}.sh"), "#!/bin/sh\n".to_owned());
            let plan = repeated(n, |it| format!("run_task('m::t{it}', $nodes, 'p{it}' => {it})\n"));
            let plan = ("plans/init.pp".to_owned(), format!("plan m(TargetSpec $nodes) {{ {plan} }}\n"));
            module((0..n).map(json).chain((0..n).map(script)).chain([plan]))
        },
    },
    Family {
        name: "task-parameters",
        make: |n| {
            let parameters = joined(n, ", ", |it| format!("\"p{it}\": {{\"type\": \"Integer\"}}"));
            module([
                ("tasks/init.json".to_owned(), format!("{{\"parameters\": {{{parameters}}}}}\n")),
                ("tasks/init.sh".to_owned(), "#!/bin/sh\n".to_owned()),
                ("manifests/init.pp".to_owned(), "class m { }\n".to_owned()),
            ])
        },
    },
    Family {
        name: "small-files",
        make: |n| {
            let file = |it| {
                (format!("manifests/c{it}.pp"), format!("class m::c{it} {{ include m::c{} }}\n", it + 1))
            };
            module((0..n).map(file))
        },
    },
    Family {
        name: "small-modules",
        make: |n| {
            (0..n).fold(Tree::default().with("environment.conf", "modulepath = modules\n"), |tree, it| {
                tree.with(
                    format!("modules/m{it}/manifests/init.pp"),
                    format!("class m{it} {{ include m{} }}\n", it + 1),
                )
                .with(
                    format!("modules/m{it}/metadata.json"),
                    format!("{{\"name\": \"a-m{it}\", \"version\": \"1.0.0\"}}\n"),
                )
            })
        },
    },
    Family {
        name: "small-environments",
        make: |n| {
            (0..n).fold(Tree::default(), |tree, it| {
                let folder = format!("environments/e{it}");
                tree.with(format!("{folder}/environment.conf"), "modulepath = modules\n")
                    .with(format!("{folder}/manifests/site.pp"), "include m\n")
            })
        },
    },
];
