//! Characters that few texts contain, and deep nesting in languages other than Puppet.

use super::{Family, Tree, repeated};

/// A module with one file in Ruby, which a manifest uses.
fn ruby(body: String) -> Tree {
    Tree::manifest("m::f()\n").with(
        "modules/m/lib/puppet/functions/m/f.rb",
        format!("Puppet::Functions.create_function(:'m::f') do\n  def f\n{body}\n  end\nend\n"),
    )
}

/// A class that renders an ERB template.
fn erb(text: String) -> Tree {
    Tree::default()
        .with("modules/m/manifests/init.pp", "class m($a = 1) { $x = template('m/t.erb') }\n")
        .with("modules/m/templates/t.erb", text)
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "bidirectional-signs",
        make: |n| Tree::manifest(repeated(n, |it| format!("$x{it} = '\u{202e}\u{2066}' + \u{202d}\n"))),
    },
    Family {
        name: "byte-order-marks",
        make: |n| Tree::manifest(repeated(n, |it| format!("\u{feff}$x{it} = 1\n"))),
    },
    Family { name: "carriage-returns", make: |n| Tree::manifest(repeated(n, |it| format!("$x{it} = )\r"))) },
    Family { name: "zero-bytes", make: |n| Tree::manifest(repeated(n, |it| format!("$x{it}\0 = '\0'\0\n"))) },
    Family {
        name: "similar-letters",
        make: |n| Tree::manifest(repeated(n, |it| format!("$\u{430}bc{it} = \"${{abc{it}}}\"\n"))),
    },
    Family {
        name: "combining-accents",
        make: |n| Tree::manifest(format!("$x = 'a{}' + 1\n", "\u{301}".repeat(n))),
    },
    Family { name: "tabs", make: |n| Tree::manifest(format!("{}$x = )\n", "\t".repeat(n))) },
    Family { name: "mistakes-on-a-line", make: |n| Tree::manifest(repeated(n, |it| format!("$x{it} = ) "))) },
    Family { name: "unknown-escapes", make: |n| Tree::manifest(format!("$x = \"{}\"\n", "\\d".repeat(n))) },
    Family {
        name: "heredoc-tags",
        make: |n| {
            Tree::manifest(repeated(n, |it| {
                format!("$h{it} = @(\"E{it}\"/)\n  ${{x[@(A)]}}\n  a\n  A\n  | E{it}\n")
            }))
        },
    },
    Family {
        name: "splats",
        make: |n| {
            Tree::manifest(
                "$h = { 'message' => 'a' }\n".to_owned()
                    + &repeated(n, |it| format!("notify {{ 'r{it}': * => $h + {{ 'tag' => [*$h] }} }}\n")),
            )
        },
    },
    Family {
        name: "chained-collectors",
        make: |n| Tree::manifest(repeated(n, |_| "Notify<| |> -> ") + "Notify['a']\n"),
    },
    Family {
        name: "ruby-blocks",
        make: |n| ruby(repeated(n, |it| format!("[{it}].each {{ |x{it}| ")) + &"}".repeat(n)),
    },
    Family { name: "ruby-parentheses", make: |n| ruby(format!("x = {}1{}", "(".repeat(n), ")".repeat(n))) },
    Family { name: "ruby-texts", make: |n| ruby(format!("x = {}1{}", "\"#{".repeat(n), "}\"".repeat(n))) },
    Family {
        name: "ruby-heredocs",
        make: |n| ruby(format!("f({})\n{}", "<<A, ".repeat(n), "a\nA\n".repeat(n))),
    },
    Family { name: "ruby-operators", make: |n| ruby(format!("x = {}1", "!-~".repeat(n))) },
    Family { name: "erb-tags", make: |n| erb(repeated(n, |it| format!("<%= @a + @b{it} -%>\n"))) },
    Family { name: "erb-blocks", make: |n| erb("<% if @a %>\n".repeat(n) + &"<% end %>\n".repeat(n)) },
    Family { name: "erb-open-tags", make: |n| erb("<%% <%# ".repeat(n)) },
    Family {
        name: "metadata-nests",
        make: |n| {
            Tree::manifest("class x { }\n").with(
                "metadata.json",
                format!("{{\"name\": \"a-m\", \"dependencies\": {}{}}}", "[".repeat(n), "]".repeat(n)),
            )
        },
    },
    Family {
        name: "puppetfile-loops",
        make: |n| {
            Tree::manifest("class x { }\n").with(
                "Puppetfile",
                repeated(n, |it| format!("[1, 2].each {{ |i| mod \"a/m#{{i}}{it}\", :git => ENV['X'] }}\n")),
            )
        },
    },
];
