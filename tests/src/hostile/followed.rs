//! Families whose definitions are followed from their uses: titles in variables, aliases in rings, parameters of tasks,
//! interpolations of one text.

use super::{Family, Tree, joined, repeated};

/// Variables of seven levels, each of which holds the one before `times` times, and a resource with the last one as its title.
fn title(first: &str, times: usize) -> Tree {
    let level = |it: usize| format!("$x{} = \"{}\"\n", it + 1, format!("${{x{it}}}").repeat(times));
    Tree::manifest(format!("$x0 = {first}\n{}notify {{ $x7: }}\n", repeated(7, level)))
}

/// Aliases in a ring, and parameters of the first two.
fn ring(count: usize, make: impl Fn(&dyn Fn(usize) -> String, usize) -> String) -> Tree {
    let name = |it: usize| format!("X::A{}", it % count.max(1));
    Tree::manifest(
        repeated(count, |it| format!("type {} = {}\n", name(it), make(&name, it)))
            + "class x(X::A0 $p = [[[[['a']]]]]) { }\nfunction f(X::A0 $p) { }\nfunction g(X::A1 $p) { f($p) }\n",
    )
}

/// A text of data with expressions.
fn scalar(text: &str) -> Tree {
    Tree::default()
        .with("environment.conf", "modulepath = modules\n")
        .with("hiera.yaml", "---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n")
        .with("data/common.yaml", format!("---\nk0: {text}\nk1: x\n"))
}

pub(super) const FAMILIES: &[Family] = &[
    Family { name: "titles-of-texts", make: |n| title(&format!("'{}'", "a".repeat(n)), n / 8 + 1) },
    Family { name: "titles-of-parts", make: |n| title("$facts['a']", n) },
    Family {
        name: "titles-of-arrays",
        make: |n| {
            Tree::manifest(
                "$x0 = 'a'\n".to_owned()
                    + &repeated(n, |it| format!("$x{0} = [$x{it}, $x{it}]\nnotify {{ $x{0}: }}\n", it + 1)),
            )
        },
    },
    Family {
        name: "rings-of-variants",
        make: |n| {
            ring(n, |name, it| {
                format!("Variant[{}, {}, Array[{}]]", name(it + 1), name(it + 2), name(it + 3))
            })
        },
    },
    Family {
        name: "rings-of-tuples",
        make: |n| {
            ring(n, |name, it| {
                format!(
                    "Variant[Tuple[{}, {}], Struct[{{ a => {}, Optional[b] => {} }}], Integer]",
                    name(it + 1),
                    name(it * 5 + 2),
                    name(it * 3 + 1),
                    name(it + 7)
                )
            })
        },
    },
    Family {
        name: "rings-of-parents",
        make: |n| {
            ring(n, |name, it| {
                format!("Object[{{ parent => {}, attributes => {{ a{it} => Integer }} }}]", name(it + 1))
            })
        },
    },
    Family {
        name: "rings-of-attributes",
        make: |n| {
            ring(n, |name, it| {
                format!(
                    "Object[{{ attributes => {{ a => {}, b => Optional[{}] }} }}]",
                    name(it + 1),
                    name(it)
                )
            })
        },
    },
    Family {
        name: "small-rings",
        make: |n| {
            let name = |it: usize, next: usize| format!("X::A{}", it / 32 * 32 + next % 32);
            Tree::manifest(repeated(n, |it| {
                format!(
                    "type X::A{it} = Variant[Array[{}], Tuple[{}, {}], Integer]\nclass c{it}(X::A{it} $p = [[1]]) {{ }}\n",
                    name(it, it + 1),
                    name(it, it * 5 + 2),
                    name(it, it * 3)
                )
            }))
        },
    },
    Family {
        name: "misspelled-task-parameters",
        make: |n| {
            let parameter = |it: usize| {
                format!("\"p{it}\":{{\"type\":\"Variant[Integer,Enum[a{it}]]\",\"description\":\"x\"}}")
            };
            let run = |it: usize| format!("run_task('m::t', 'x', pp{it} => {it})\n");
            Tree::default()
                .with("environment.conf", "modulepath = modules\n")
                .with(
                    "modules/m/tasks/t.json",
                    format!("{{\"parameters\":{{{}}}}}", joined(n, ",", parameter)),
                )
                .with("modules/m/tasks/t.sh", "#")
                .with("modules/m/plans/p.pp", format!("plan m::p() {{ {} }}\n", repeated(n, run)))
        },
    },
    Family {
        name: "interpolations-of-one-text",
        make: |n| scalar(&format!("\"{}\"", repeated(n, |it| format!("%{{::x{it}}}%{{scope('y')}}")))),
    },
    Family {
        name: "interpolations-of-lines",
        make: |n| scalar(&format!("|\n{}", repeated(n, |_| "    %{facts.os.family} %{::x}\n"))),
    },
    Family {
        name: "legacy-facts",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!(
                    "if $::operatingsystem == 'a{it}' {{ }}\n$v{it} = $osfamily\n$w{it} = $trusted['certname']\n"
                )
            }))
        },
    },
    Family {
        name: "unused-parameters",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("# x\nfunction f{it}(Integer $a, String $b = '{it}') >> Integer {{ $a }}\n")
            }))
        },
    },
    Family {
        name: "unused-parameters-below-comments",
        make: |n| {
            let comments = "#\n".repeat(n);
            let parameters = joined(n, ", ", |it| format!("$p{it}"));
            Tree::manifest(format!("# unused\ndefine d(\n{comments}{parameters}) {{ notify {{ 'x': }} }}\n"))
        },
    },
    Family {
        name: "defaults-of-later-parameters",
        make: |n| {
            Tree::manifest(format!(
                "class a({}, $p{n} = 1) {{ }}\ninclude a\n",
                joined(n, ", ", |it| format!("$p{it} = $p{}", it + 1))
            ))
        },
    },
    Family {
        name: "misspelled-documentation",
        make: |n| {
            Tree::manifest(format!(
                "{}class a({}) {{ }}\n",
                repeated(n, |it| format!("# @param q{it} x\n")),
                joined(n, ", ", |it| format!("$p{it}"))
            ))
        },
    },
    Family {
        name: "values-of-ruby-types",
        make: |n| {
            let values = joined(n, ", ", |it| format!(":value{it}"));
            let ruby = format!(
                "Puppet::Type.newtype(:m) do\n  newparam(:name)\n  newparam(:x) do\n    newvalues({values})\n  end\nend\n"
            );
            Tree::manifest(repeated(n, |it| format!("m {{ 'a{it}': x => 'vaule{it}' }}\n")))
                .with("environment.conf", "modulepath = modules\n")
                .with("modules/m/lib/puppet/type/m.rb", ruby)
        },
    },
    Family {
        name: "heredocs-without-end",
        make: |n| Tree::manifest(repeated(n, |it| format!("$x{it} = @(E{it})\n"))),
    },
];
