//! Regular expressions whose compilation takes long, or much memory: each is different, so that no cache helps.

use super::{Family, Tree, joined, repeated};

const HIERA: &str = "---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n";

/// A pattern that is refused once its compiled form has reached the limit on the size.
fn too_large(number: usize) -> String {
    format!(r"[\p{{L}}\w]{{1,{}}}", 900 + number)
}

/// A pattern whose compiled form is just below the limit.
fn large(number: usize) -> String {
    format!(".{{1,{}}}", 9_000 + number)
}

/// Returns a control repository whose class reads data with these options.
fn options(text: String) -> Tree {
    Tree::default()
        .with("environment.conf", "modulepath = modules\n")
        .with("hiera.yaml", HIERA)
        .with("data/common.yaml", format!("---\nm::k0: 1\nlookup_options:\n{text}"))
        .with("modules/m/manifests/init.pp", "class m($k0) { $v = lookup('m::k0') }\n")
}

/// Returns a module with a function in Ruby.
fn function(body: &str) -> Tree {
    Tree::manifest("$x = m::f('a')\n").with("environment.conf", "modulepath = modules\n").with(
        "modules/m/lib/puppet/functions/m/f.rb",
        format!("Puppet::Functions.create_function(:'m::f') do\n  def f(x)\n{body}  end\nend\n"),
    )
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "too-large-patterns",
        make: |n| Tree::manifest(repeated(n, |it| format!("$x{it} = 'a' =~ /{}/\n", too_large(it)))),
    },
    Family {
        name: "too-large-patterns-in-strings",
        make: |n| Tree::manifest(repeated(n, |it| format!("$x{it} = 'a' =~ '{}'\n", too_large(it)))),
    },
    Family {
        name: "large-patterns",
        make: |n| Tree::manifest(repeated(n, |it| format!("$x{it} = 'a' =~ '{}'\n", large(it)))),
    },
    Family {
        name: "large-pattern-types",
        make: |n| {
            let patterns = joined(n, ", ", |it| format!("/{}/", too_large(it)));
            Tree::manifest(format!("class x(Pattern[{patterns}] $a) {{ }}\nclass {{ 'x': a => 'b' }}\n"))
        },
    },
    Family {
        name: "sets-without-case",
        make: |n| Tree::manifest(format!("$x = 'a' =~ '(?i:{})'\n", r"[\W]".repeat(n))),
    },
    Family { name: "clusters", make: |n| Tree::manifest(format!("$x = 'a' =~ '{}'\n", r"\X".repeat(n))) },
    Family {
        name: "too-large-patterns-of-options",
        make: |n| options(repeated(n, |it| format!("  '^m::{}': {{ merge: deep }}\n", too_large(it)))),
    },
    Family {
        name: "large-patterns-of-options",
        make: |n| options(repeated(n, |it| format!("  '^x{}': {{ merge: deep }}\n", large(it)))),
    },
    Family {
        name: "large-patterns-in-ruby",
        make: |n| function(&repeated(n, |it| format!("    x =~ /{}/\n", too_large(it)))),
    },
    Family {
        name: "large-patterns-of-titles",
        make: |n| {
            let patterns = joined(n, ", ", |it| format!(r"[/\A{}\z/, [[:name]]]", too_large(it)));
            Tree::manifest("m { 'a': }\n").with("environment.conf", "modulepath = modules\n").with(
                "modules/m/lib/puppet/type/m.rb",
                format!(
                    "Puppet::Type.newtype(:m) do\n  newparam(:name, namevar: true)\n  def self.title_patterns\n    \
                     [{patterns}]\n  end\nend\n"
                ),
            )
        },
    },
];
