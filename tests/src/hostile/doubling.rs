//! Variables, functions and classes, each twice as large as the one before.

use super::{Family, Tree, repeated};

/// A chain of variables, each computed from the one before.
fn variables(first: &str, count: usize, next: impl Fn(usize, usize) -> String) -> Tree {
    Tree::manifest(format!("$x0 = {first}\n") + &repeated(count, |it| next(it, it + 1) + "\n"))
}

/// Like [`variables`], in a class with a parameter of which nothing is known.
fn in_class(count: usize, next: impl Fn(usize, usize) -> String) -> Tree {
    let lines = repeated(count, |it| format!("  {}\n", next(it, it + 1)));
    Tree::manifest(format!("class x($a) {{\n  $x0 = 1\n{lines}}}\n"))
}

pub(super) const FAMILIES: &[Family] = &[
    Family { name: "array-sums", make: |n| variables("[1]", n, |a, b| format!("$x{b} = $x{a} + $x{a}")) },
    Family { name: "array-appends", make: |n| variables("[1]", n, |a, b| format!("$x{b} = $x{a} << $x{a}")) },
    Family { name: "array-pairs", make: |n| variables("[1]", n, |a, b| format!("$x{b} = [$x{a}, $x{a}]")) },
    Family {
        name: "hash-pairs",
        make: |n| variables("1", n, |a, b| format!("$x{b} = {{a => $x{a}, b => $x{a}}}")),
    },
    Family {
        name: "hash-sums",
        make: |n| variables("{a => 1}", n, |a, b| format!("$x{b} = $x{a} + {{k{b} => $x{a}}}")),
    },
    Family { name: "texts", make: |n| variables("a", n, |a, b| format!("$x{b} = \"${{x{a}}}${{x{a}}}\"")) },
    Family {
        name: "heredocs",
        make: |n| variables("a", n, |a, b| format!("$x{b} = @(\"E\")\n${{x{a}}}${{x{a}}}\n|E")),
    },
    Family {
        name: "texts-as-keys",
        make: |n| {
            variables("a", n, |a, b| format!("$x{b} = \"${{x{a}}}${{x{a}}}\"\n$y{b} = {{$x{b} => $x{b}}}"))
        },
    },
    Family {
        name: "selectors",
        make: |n| {
            in_class(n, |a, b| {
                format!("$x{b} = $a ? {{ {b} => [$x{a}, $x{a}], default => {{a => $x{a}, b => $x{a}}} }}")
            })
        },
    },
    Family {
        name: "ifs",
        make: |n| {
            in_class(n, |a, b| {
                format!(
                    "if $a == {b} {{ $x{b} = [$x{a}, $x{a}] }} else {{ $x{b} = {{a => $x{a}, b => $x{a}}} }}"
                )
            })
        },
    },
    Family {
        name: "if-values",
        make: |n| in_class(n, |a, b| format!("$x{b} = if $a == {b} {{ [$x{a}] }} else {{ {{a => $x{a}}} }}")),
    },
    Family {
        name: "cases",
        make: |n| {
            in_class(n, |a, b| {
                format!("$x{b} = case $a {{ {b}: {{ [$x{a}] }} default: {{ {{a => $x{a}, b => $x{a}}} }} }}")
            })
        },
    },
    Family {
        name: "alternatives",
        make: |n| in_class(n, |a, b| format!("$x{b} = $a ? {{ {b} => [$x{a}], default => $x{a} }}")),
    },
    Family {
        name: "comparisons",
        make: |n| {
            variables("[1]", n, |a, b| {
                format!("$x{b} = [$x{a}, $x{a}]\n$c{b} = $x{b} == $x{a}\n$i{b} = $x{a} in $x{b}")
            })
        },
    },
    Family {
        name: "passed-values",
        make: |n| {
            let chain = variables("[1]", n, |a, b| {
                format!("$x{b} = [$x{a}, $x{a}]\nf($x{b}) y {{ t{b}: v => $x{b} }}")
            });
            let Tree { files } = chain;
            let definitions = "function f(Array[Array[String]] $x) { $x }\ndefine y(Array[Hash] $v) { }\n";
            Tree {
                files: files.into_iter().map(|(path, text)| (path, definitions.to_owned() + &text)).collect(),
            }
        },
    },
    Family {
        name: "known-calls",
        make: |n| {
            variables("[1]", n, |a, b| {
                format!("$x{b} = [$x{a}, $x{a}]\n$y{b} = flatten($x{b})\n$z{b} = $x{b}.unique.sort")
            })
        },
    },
    Family {
        name: "conversions",
        make: |n| {
            variables("a", n, |a, b| {
                format!("$x{b} = \"${{x{a}}}${{x{a}}}\"\n$y{b} = Array($x{b})\n$z{b} = Integer($x{b})")
            })
        },
    },
    Family {
        name: "functions",
        make: |n| {
            Tree::manifest(
                "function f0() { [1] }\n".to_owned()
                    + &repeated(n, |it| format!("function f{}() {{ [f{it}(), f{it}()] }}\n", it + 1)),
            )
        },
    },
    Family {
        name: "class-variables",
        make: |n| {
            Tree::manifest(
                "class c0 { $x = [1] }\n".to_owned()
                    + &repeated(n, |it| {
                        format!("class c{} {{ $x = [$c{it}::x, $c{it}::x] $y = $x + $x }}\n", it + 1)
                    }),
            )
        },
    },
    Family {
        name: "inherited-variables",
        make: |n| {
            Tree::manifest(
                "class c0 { $x0 = [1] }\n".to_owned()
                    + &repeated(n, |it| {
                        let next = it + 1;
                        format!("class c{next} inherits c{it} {{ $x{next} = [$x{it}, $x{it}] }}\n")
                    }),
            )
        },
    },
    Family {
        name: "lambdas",
        make: |n| {
            variables("[1]", n, |a, b| format!("$x{b} = [$x{a}, $x{a}].map |$v| {{ [$v, $v, $x{a}] }}"))
        },
    },
    Family {
        name: "with-lambdas",
        make: |n| variables("[1]", n, |a, b| format!("$x{b} = with($x{a}) |$v| {{ [$v, $v] }}")),
    },
    Family {
        name: "attribute-hashes",
        make: |n| {
            variables("{mode => '1'}", n, |a, b| {
                format!("$x{b} = $x{a} + {{ k{b} => $x{a} }}\nfile {{ '/{b}': * => $x{b} }}")
            })
        },
    },
    Family {
        name: "formats",
        make: |n| {
            variables("%s", n, |a, b| {
                format!("$x{b} = \"${{x{a}}}${{x{a}}}\"\n$y{b} = sprintf($x{b}, $x{b})")
            })
        },
    },
];
