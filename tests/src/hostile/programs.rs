//! Programs that don't terminate, or exhaust memory, when they are evaluated.

use super::{Tree, repeated};

/// A program, or a tree whose data is looked up.
#[derive(Clone, Debug)]
pub struct Program {
    /// The name, in kebab case.
    pub name: &'static str,
    /// The text to evaluate. Empty if a key is looked up.
    pub text: String,
    /// The tree around the program.
    pub tree: Tree,
}

fn program(name: &'static str, text: impl Into<String>) -> Program {
    Program { name, text: text.into(), tree: Tree::default() }
}

const HIERA: &str = "---\nversion: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n";

/// A tree in which the key `k0` is looked up.
fn lookup(name: &'static str, data: String) -> Program {
    let tree = Tree::default()
        .with("environment.conf", "modulepath = modules\n")
        .with("hiera.yaml", HIERA)
        .with("data/common.yaml", data);
    Program { name, text: String::new(), tree }
}

/// Returns all programs. Each must end with an error that names the limit that it reached.
pub fn programs() -> Vec<Program> {
    let loops = "Integer[1, 1000000000].each |$i| {";
    vec![
        program("recursive-calls", "function f($x) { if $x > 0 { f($x - 1) + f($x - 1) } else { 1 } } f(40)"),
        program("recursive-lambdas", "function f($x) { if $x > 0 { [1, 2].each |$i| { f($x - 1) } } } f(60)"),
        program(
            "recursive-templates",
            "function f($x) { if $x > 0 { inline_epp('<%= f($x - 1) + f($x - 1) %>', { x => $x }) } else { 1 } } f(40)",
        ),
        program(
            "array-doubling",
            "$x0 = [1]\n".to_owned() + &repeated(60, |it| format!("$x{} = $x{it} + $x{it}\n", it + 1)),
        ),
        program(
            "array-pairs",
            "$x0 = [1]\n".to_owned()
                + &repeated(60, |it| format!("$x{} = [$x{it}, $x{it}]\n", it + 1))
                + "notice($x60)",
        ),
        program(
            "text-doubling",
            "$x0 = 'a'\n".to_owned()
                + &repeated(60, |it| format!("$x{} = \"${{x{it}}}${{x{it}}}\"\n", it + 1)),
        ),
        program(
            "held-texts",
            "$t = Integer[1, 20].reduce('0123456789') |$m, $i| { \"${m}${m}\" }\n$x = Integer[1, 1000000].map |$i| { \"${t}${i}\" }",
        ),
        program(
            "held-arrays",
            "$t = Array(Integer[1, 1000000])\n$x = Integer[1, 1000000].map |$i| { $t + [$i] }",
        ),
        program(
            "held-hashes",
            "$t = Hash(Array(Integer[1, 200000]))\n$x = Integer[1, 1000000].map |$i| { $t + { $i => $i } }",
        ),
        program(
            "held-in-frames",
            "$t = Array(Integer[1, 1000000])\nfunction f($x, $n) { f($x + [$n], $n + 1) }\nf($t, 1)",
        ),
        program(
            "too-large-patterns",
            repeated(500, |it| format!("$x{it} = 'a' =~ /[\\p{{L}}\\w]{{1,{}}}/\n", 900 + it)),
        ),
        program("large-patterns", repeated(500, |it| format!("$x{it} = 'a' =~ /.{{1,{}}}/\n", 9_000 + it))),
        program("unique-range", "unique(Integer[1, 9223372036854775807])"),
        program("sort-range", "sort(Array(Integer[1, 9223372036854775807]))"),
        program("array-of-range", "Array(Integer[1, 9223372036854775807])"),
        program("splat-range", "[*Integer[1, 9223372036854775807]]"),
        program("reverse-range", "Array(Integer[1, 9223372036854775807].reverse_each)"),
        program("step-range", "Array(Integer[1, 9223372036854775807].step(1))"),
        program("filter-range", "Integer[1, 9223372036854775807].filter |$x| { false }"),
        program("any-range", "Integer[1, 9223372036854775807].any |$x| { false }"),
        program("reduce-range", "Integer[1, 9223372036854775807].reduce |$m, $x| { $m }"),
        program("max-range", "max(*Integer[1, 9223372036854775807])"),
        program("join-range", "join(Integer[1, 9223372036854775807], ',')"),
        program("flatten-range", "flatten(Integer[1, 9223372036854775807])"),
        program("slice-range", "Integer[1, 9223372036854775807].slice(2)"),
        program("empty-steps", "Integer[1, 9223372036854775807].step(9).step(9).reverse_each.each |$x| { }"),
        program("index-of-range", "9223372036854775807 in Array(Integer[1, 9223372036854775807])"),
        program(
            "equal-arrays",
            format!("$a = Array(Integer[1, 1000000])\n$b = Array(Integer[1, 1000000])\n{loops} $a == $b }}"),
        ),
        program("contained", format!("$a = Array(Integer[1, 1000000])\n{loops} 'x' in $a }}")),
        program("subtracted", format!("$a = Array(Integer[1, 1000000])\n{loops} $a - [0] }}")),
        program("instances", format!("$a = Array(Integer[1, 1000000])\n{loops} $a =~ Array[Integer] }}")),
        program("inferred", format!("$a = Array(Integer[1, 1000000])\n{loops} type($a) }}")),
        program("printed", format!("$a = Array(Integer[1, 1000000])\n{loops} \"${{a}}\" }}")),
        program("sorted", format!("$a = Array(Integer[1, 1000000])\n{loops} sort($a) }}")),
        program("hashed", format!("$a = Array(Integer[1, 1000000])\n{loops} {{ $a => 1 }} }}")),
        program(
            "digested",
            format!(
                "$a = Integer[1, 24].reduce('ab') |$m, $i| {{ \"${{m}}${{m}}\" }}\n{loops} sha256($a) }}"
            ),
        ),
        program(
            "matched",
            format!(
                "$a = Integer[1, 24].reduce('ab') |$m, $i| {{ \"${{m}}${{m}}\" }}\n{loops} $a =~ /b.*c/ }}"
            ),
        ),
        program(
            "substituted",
            format!(
                "$a = Integer[1, 20].reduce('ab') |$m, $i| {{ \"${{m}}${{m}}\" }}\n{loops} regsubst($a, 'a', 'bb', 'G') }}"
            ),
        ),
        program(
            "split",
            format!(
                "$a = Integer[1, 20].reduce('ab') |$m, $i| {{ \"${{m}}${{m}}\" }}\n{loops} split($a, 'a') }}"
            ),
        ),
        program(
            "compared-texts",
            format!(
                "$a = Integer[1, 24].reduce('ab') |$m, $i| {{ \"${{m}}${{m}}\" }}\n{loops} $a == \"${{a}}c\" }}"
            ),
        ),
        program(
            "lengths",
            format!(
                "$a = Integer[1, 26].reduce('ab') |$m, $i| {{ \"${{m}}${{m}}\" }}\n{loops} length($a) }}"
            ),
        ),
        program(
            "upcased",
            format!(
                "$a = Integer[1, 22].reduce('ab') |$m, $i| {{ \"${{m}}${{m}}\" }}\n{loops} upcase($a) }}"
            ),
        ),
        program(
            "backtracking",
            "$a = Integer[1, 10].reduce('a') |$m, $i| { \"${m}${m}\" }\nInteger[1, 1000000].each |$i| { \"${a}!\" =~ /^(a*)*(?!b)\\1$/ }",
        ),
        program(
            "regexps",
            "Integer[1, 100000000].each |$i| { 'a' =~ Regexp(\"((a{1,99}){1,99}){1,${i}}\") }",
        ),
        program("format-width", "sprintf('%999999999d', 1)"),
        program("format-precision", "sprintf('%.999999999f', 1.5)"),
        program("format-widths", "Integer[1, 1000000].map |$i| { sprintf('%9999999d', $i) }"),
        program("string-width", "String(1, '%999999999d')"),
        program("timespan-width", "strftime(Timespan(1), '%999999999H')"),
        program("timestamp-width", "strftime(Timestamp('2020-01-01'), '%999999999Y')"),
        program("large-shift", "1 << 9999999999"),
        program("warnings", format!("{loops} warning(\"${{i}} ${{i}} ${{i}}\") }}")),
        program("defined", format!("{loops} defined('$x') }}")),
        program(
            "type-texts",
            "Integer[1, 100000000].each |$i| { assert_type(Integer, 1) Type(\"Integer[${i}]\") }",
        ),
        program(
            "type-doubling",
            "$x = Integer[1, 60].reduce(Integer) |$m, $i| { Variant[Array[$m], Hash[String, $m]] }\n[[[[1]]]] =~ $x",
        ),
        program(
            "sensitive-nests",
            "$x = Integer[1, 60].reduce(1) |$m, $i| { Sensitive([$m, $m]) }\nnotice($x == $x)",
        ),
        program(
            "object-doubling",
            "type T = Object[{ attributes => { a => Any, b => Any } }]\n$x = Integer[1, 60].reduce(1) |$m, $i| { T($m, $m) }\nnotice(\"${x}\")",
        ),
        program(
            "tree-each",
            "$x = Integer[1, 40].reduce([1]) |$m, $i| { [$m, $m] }\n$x.tree_each.each |$v| { }",
        ),
        program(
            "deep-merges",
            "$x = Integer[1, 40].reduce({}) |$m, $i| { { a => $m, b => $m } }\n$y = $x == $x + {}",
        ),
        lookup(
            "lookups",
            repeated(40, |it| format!("k{it}: \"%{{lookup('k{0}')}}%{{lookup('k{0}')}}\"\n", it + 1))
                + "k40: x\n",
        ),
        lookup(
            "empty-lookups",
            repeated(40, |it| format!("k{it}: \"%{{lookup('k{0}')}}%{{lookup('k{0}')}}\"\n", it + 1))
                + "k40: ''\n",
        ),
        lookup(
            "aliases",
            repeated(40, |it| format!("k{it}: [\"%{{alias('k{0}')}}\", \"%{{alias('k{0}')}}\"]\n", it + 1))
                + "k40: x\n",
        ),
        lookup(
            "large-patterns-of-options",
            "k0: x\nlookup_options:\n".to_owned()
                + &repeated(400, |it| format!("  '^x.{{1,{}}}': {{ merge: deep }}\n", 9_000 + it)),
        ),
        lookup(
            "hiera-calls",
            repeated(40, |it| format!("k{it}: \"%{{hiera('k{0}')}}%{{hiera('k{0}')}}\"\n", it + 1))
                + "k40: ''\n",
        ),
        lookup(
            "variables",
            format!(
                "k0: {{{}}}\n",
                (0..20_000).map(|it| format!("a{it}: \"%{{lookup('k1')}}\"")).collect::<Vec<_>>().join(", ")
            ) + &format!(
                "k1: {{{}}}\n",
                (0..2_000).map(|it| format!("a{it}: \"%{{lookup('k2')}}\"")).collect::<Vec<_>>().join(", ")
            ) + "k2: x\n",
        ),
        lookup(
            "yaml-aliases",
            format!(
                "a0: &a0 ['x']\n{}k0: *a40\n",
                repeated(40, |it| format!("a{0}: &a{0} [*a{it}, *a{it}]\n", it + 1))
            ),
        ),
    ]
}
