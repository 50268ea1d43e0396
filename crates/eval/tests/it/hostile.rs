//! Programs that demand too many resources: each ends in an error or an answer, soon, and on a small stack.

use std::sync::Arc;
use std::time::Duration;

use marotte_eval::{Effect, Effects, Interpreter, Limits, NoRequests, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_pcore::format::interpolated;
use marotte_syntax::{Mode, parse};
use rustix::time::{ClockId, clock_gettime};

/// The processor time that a program may take without optimization: several times that of the slowest program, since
/// shared processors are slow at times.
const TIME: Duration = Duration::from_secs(6);
/// The stack size of all threads of marotte.
const STACK: usize = 16 << 20;
/// The expectation for a program that only needs to terminate.
const ANYTHING: &str = "*";

/// Discards effects.
struct Nowhere;

impl Effects for Nowhere {
    fn emit(&mut self, _: Effect) {}
}

/// The text of a program's value, or the issue of its error. The memory limit is lower than usual, so that it is
/// reached soon.
fn answer(program: &str) -> String {
    let parsed = parse(program, Mode::default());
    if let Some(error) = parsed.errors.first() {
        return format!("syntax-error: {error:?}");
    }
    let unit = Unit {
        lowered: Arc::new(lower(&parsed.program)),
        source: UnitSource::Text("hostile".into(), program.into()),
    };
    let limits = Limits {
        string_size: 1 << 20,
        collection_size: 100_000,
        value_size: 8 << 20,
        iterations: 200_000,
        copies: 1_000_000,
        ..Limits::default()
    };
    let settings = Settings { limits, ..Settings::default() };
    let dialect = settings.dialect;
    let mut nowhere = Nowhere;
    let mut interpreter = Interpreter::new(settings, &NoRequests, &mut nowhere);
    match interpreter.run_unit(&unit) {
        Ok(value) => interpolated(dialect, &value),
        Err(error) => format!("{}: {error}", error.issue),
    }
}

/// The answer of a program with its processor time. None if it does not terminate.
fn measured(program: &str) -> Option<(String, Duration)> {
    let program = program.to_owned();
    let (sender, receiver) = std::sync::mpsc::channel();
    let work = move || {
        let answer = answer(&program);
        let time = clock_gettime(ClockId::ThreadCPUTime);
        let _ = sender.send((answer, Duration::try_from(time).unwrap_or_default()));
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    // By wall-clock time, however busy the machine.
    receiver.recv_timeout(20 * TIME).ok()
}

/// Runs programs, each with the expected beginning of its answer.
fn check(programs: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (program, expected) in programs {
        let Some((answer, time)) = measured(program) else {
            wrong.push(format!("{program}\n    does not end, or not well"));
            continue;
        };
        let short: String = answer.chars().take(200).collect();
        assert!(!short.starts_with("syntax-error"), "{program}\n    {short}");
        if *expected != ANYTHING && !answer.starts_with(expected) {
            wrong.push(format!("{program}\n    gives {short}\n    and not {expected}"));
        }
        if time > TIME {
            wrong.push(format!("{program}\n    takes {time:?} for {short}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Nested almost as deeply as the limit allows.
const DEEP: &str = "$deep = Integer[1, 480].reduce([1]) |$m, $i| { [$m] }\n";
/// 2^18 strings, if shared parts are counted repeatedly.
const SHARED: &str = "$shared = Integer[1, 17].reduce(['a', 'b']) |$m, $i| { [$m, $m] }\n";

#[test]
fn values_are_not_nested_without_end() {
    check(&[
        ("Integer[1, 1000000].reduce([]) |$m, $i| { [$m] }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce({}) |$m, $i| { {'a' => $m} }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce([]) |$m, $i| { {[$m] => 1} }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce([]) |$m, $i| { [] << $m }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce([]) |$m, $i| { [$m].map |$x| { [$x] } }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce(1) |$m, $i| { [Sensitive($m)] }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce(Any) |$m, $i| { Array[$m] }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce(Any) |$m, $i| { Type[$m] }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce(Any) |$m, $i| { Optional[Struct[a => $m]] }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce(Any) |$m, $i| { Callable[[$m], $m] }", "value-"),
        ("Integer[1, 1000000].reduce([1, 2]) |$m, $i| { $m.reverse_each }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce([1, 2]) |$m, $i| { [$m.reverse_each] }", "value-nesting-limit"),
        ("Integer[1, 1000000].reduce([1, 2]) |$m, $i| { [$m].slice(1) }", ANYTHING),
        ("function deeper($value) { deeper([$value]) }\ndeeper(1)", "value-nesting-limit"),
    ]);
}

#[test]
fn the_deepest_values_can_be_used() {
    let uses = [
        ("\"${deep}\"", "[["),
        ("$deep == $deep + []", "true"),
        ("$deep in [$deep]", "true"),
        ("$x = {$deep => 1}\n$x[$deep]", "1"),
        ("String($deep, '%p')", "[["),
        ("String($deep, '%#p')", ANYTHING),
        ("sprintf('%s %p', $deep, $deep)", "[["),
        ("$deep =~ Data", "true"),
        ("$deep =~ RichData", "true"),
        ("$deep =~ Array[Integer]", "false"),
        ("type($deep)", "Tuple"),
        ("type($deep, 'generalized')", "Array"),
        ("String(type($deep), '%p')", ANYTHING),
        ("type($deep) == type($deep)", "true"),
        ("type($deep) < Data", ANYTHING),
        ("$deep.flatten", "[1]"),
        ("[$deep, $deep].unique.length", "1"),
        ("$deep.join(',')", "1"),
        ("$deep - $deep", "[]"),
        ("$deep.tree_each.map |$x| { 1 }.length", ANYTHING),
        ("$deep.convert_to(String)", ANYTHING),
        ("Array($deep)", "[["),
        ("Integer($deep)", "runtime-error"),
        ("assert_type(Hash, $deep)", "runtime-error"),
        ("case $deep { $deep: { 1 } default: { 2 } }", "1"),
        ("function f(Integer $x) { $x }\nf($deep)", "runtime-error"),
        ("notice($deep)", ""),
        ("fail($deep)", ANYTHING),
        ("\"a\" + $deep", ANYTHING),
        ("$deep > 1", ANYTHING),
        ("digest($deep)", ANYTHING),
        ("versioncmp($deep, 1)", ANYTHING),
        ("compare($deep, 1)", ANYTHING),
        ("$deep.dig(0, 0)", "[["),
        ("$deep.index($deep[0])", "0"),
        ("$deep.sort", ANYTHING),
        ("$deep.group_by |$x| { $x }", "{["),
        ("new(Sensitive, $deep)", "Sensitive"),
        ("Hash([[$deep, $deep]])", "{["),
    ];
    let programs: Vec<(String, &str)> = uses.map(|(it, answer)| (format!("{DEEP}{it}"), answer)).into();
    check(&programs.iter().map(|(it, answer)| (&**it, *answer)).collect::<Vec<_>>());
}

#[test]
fn shared_values_are_counted_as_often_as_they_occur() {
    check(&[
        ("Integer[1, 60].reduce([]) |$m, $i| { [$m, $m] }", "value-size-limit"),
        ("Integer[1, 60].reduce({}) |$m, $i| { {a => $m, b => $m} }", "value-size-limit"),
        ("Integer[1, 60].reduce(Any) |$m, $i| { Tuple[$m, $m] }", "value-size-limit"),
        ("Integer[1, 60].reduce(Any) |$m, $i| { Struct[a => $m, b => $m] }", "value-size-limit"),
        ("Integer[1, 60].reduce(1) |$m, $i| { Sensitive([$m, $m]) }", ANYTHING),
    ]);
    let uses = [
        ("\"${shared}\".length", "1048"),
        ("$shared == $shared + []", "true"),
        ("$x = {$shared => 1}\n$x[$shared + []]", "1"),
        ("$shared =~ Data", "true"),
        ("type($shared) =~ Type", "true"),
        ("$shared.flatten.length", "262144"),
        ("$shared.flatten.unique.length", "2"),
    ];
    let programs: Vec<(String, &str)> = uses.map(|(it, _)| (format!("{SHARED}{it}"), ANYTHING)).into();
    check(&programs.iter().map(|(it, answer)| (&**it, *answer)).collect::<Vec<_>>());
}

#[test]
fn nothing_grows_without_end() {
    check(&[
        ("Array(1000000000)", "collection-size-limit"),
        ("Integer[1, 9223372036854775807].map |$x| { 1 }", ANYTHING),
        ("Integer[1, 9223372036854775807].each |$x| { 1 }", "iteration-limit"),
        ("Integer[1, 9223372036854775807].filter |$x| { false }", "iteration-limit"),
        ("Integer[-9223372036854775807, 9223372036854775807].reverse_each.map |$x| { $x }", ANYTHING),
        ("Integer[1, 9223372036854775807].step(2).slice(3)", ANYTHING),
        ("Array(Integer[1, 9223372036854775807])", "collection-size-limit"),
        ("*Integer[1, 9223372036854775807]", ANYTHING),
        ("[*Integer[1, 9223372036854775807]]", ANYTHING),
        ("Integer[1, 9223372036854775807].unique", ANYTHING),
        ("Integer[1, 9223372036854775807].length", ANYTHING),
        ("[1] + Integer[1, 9223372036854775807].step(1)", ANYTHING),
        ("Integer[1, 60].reduce([1]) |$m, $i| { $m + $m }", "collection-size-limit"),
        ("Integer[1, 60].reduce([1]) |$m, $i| { $m << $m }", "value-"),
        ("Integer[1, 60].reduce('x') |$m, $i| { \"${m}${m}\" }", "string-size-limit"),
        ("Integer[1, 60].reduce('x') |$m, $i| { sprintf('%s%s', $m, $m) }", ANYTHING),
        ("Integer[1, 60].reduce('x') |$m, $i| { regsubst($m, 'x', 'xx', 'G') }", ANYTHING),
        ("Integer[1, 60].reduce('x') |$m, $i| { [$m, $m].join($m) }", ANYTHING),
        ("Integer[1, 60].reduce('x') |$m, $i| { String([$m, $m], '%p') }", ANYTHING),
        (
            "inline_epp('<% Integer[1, 150000].each |$x| { %>a text, and again, and again<% } %>')",
            "string-size-limit",
        ),
        ("sprintf('%1000000000d', 1)", "runtime-error"),
        ("sprintf('%.1000000000f', 1.0)", "runtime-error"),
        ("'abc'.step(9223372036854775807).map |$x| { $x }", "[a]"),
        ("Array(100000).slice(9223372036854775807).length", ANYTHING),
        ("Integer[1, 100].reduce(2) |$m, $i| { $m * $m }", ANYTHING),
        ("1 << 9223372036854775807", ANYTHING),
        ("Hash([[[100000000000], 1]], 'tree')", ANYTHING),
        ("Hash([[[0, 100000000000], 1]], 'hash_tree')", ANYTHING),
        ("Integer[1, 20000].reduce({}) |$m, $i| { $m + {$i => 1} }.length", "20000"),
        ("Integer[1, 100000].reduce([]) |$m, $i| { $m + [$i] }", "copy-limit"),
        ("Integer[1, 100000].reduce([]) |$m, $i| { [*$m, $i] }", "copy-limit"),
        (
            "Integer[1, 100000].reduce('') |$m, $i| { \"${m} and one more, and one more, and one more\" }",
            "copy-limit",
        ),
        ("Integer[1, 100000].reduce(Array(Integer[1, 1000])) |$m, $i| { $m.flatten }", "copy-limit"),
        (
            "$h = Hash(Integer[1, 2000])\nInteger[1, 100000].reduce($h) |$m, $i| { $m + {1 => $i} }",
            "copy-limit",
        ),
        ("Timespan(9223372036854775807)", ANYTHING),
        ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ /(a*)*b/", ANYTHING),
        ("'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ /(a+)+\\1b/", ANYTHING),
        ("function f($x) { f($x) }\nf(1)", "call-depth-limit"),
        ("function f($x) { f($x) + f($x) }\nf(1)", "call-depth-limit"),
        ("type A = Array[B]\ntype B = Array[A]\n[[[]]] =~ A", "true"),
        ("type A = A\n1 =~ A", ANYTHING),
        ("type A = Variant[A, B]\ntype B = Variant[A, B]\n1 =~ A", ANYTHING),
    ]);
}

/// A type that can be decomposed in many ways.
const TREE: &str = "type Tree = Variant[Tuple[Tree], Array[Tree], Tuple[Tree, Tree], Array[Tree, 1], Integer]
type Plant = Variant[Tuple[Plant], Array[Plant], Tuple[Plant, Plant], Array[Plant, 1], String]
type Both = Variant[Tuple[Both], Array[Both], Tuple[Both, Both], Array[Both, 1], Integer, String]
$text = Integer[1, 40].reduce('x') |$m, $i| { [$m] }
$texts = Integer[1, 40].reduce(String) |$m, $i| { Tuple[$m] }
";

#[test]
fn types_are_compared_in_bounded_time() {
    let uses = [
        ("$text =~ Tree", "false"),
        ("$text =~ Plant", "true"),
        ("$text =~ Both", "true"),
        ("Both > Tree", "false"),
        ("Plant > Tree", "false"),
        ("Tree == Plant", "true"),
        ("Tree > $texts", "false"),
        ("Plant > $texts", "true"),
        ("Tree > type($text)", "false"),
        ("Array[Tree] > Tuple[Tree, Plant, Both]", "true"),
        ("assert_type(Tree, $text)", "runtime-error"),
        ("function f(Tree $x) { $x }\nf($text)", "runtime-error"),
        ("String(Tree)", "Tree"),
        ("Tree =~ Type[Both]", "true"),
        ("Init[Tree] =~ Type", ANYTHING),
        ("$text =~ Init[Tree]", ANYTHING),
        ("$text =~ Iterable[Tree]", ANYTHING),
        ("Iterable[Tree] > Plant", ANYTHING),
        ("case $text { Tree: { 1 } Plant: { 2 } }", "2"),
    ];
    let programs: Vec<(String, &str)> = uses.map(|(it, answer)| (format!("{TREE}{it}"), answer)).into();
    check(&programs.iter().map(|(it, answer)| (&**it, *answer)).collect::<Vec<_>>());
}

#[test]
fn chains_of_aliases_are_followed() {
    let chain = |count: usize, target: &str, first: &str| {
        let mut program = format!("type T0 = {first}\n");
        for at in 1..=count {
            let target = target.replace('@', &format!("T{}", at - 1));
            program.push_str(&format!("type T{at} = {target}\n"));
        }
        program
    };
    let twice = chain(40, "Tuple[@, @]", "Integer");
    let other = chain(40, "Tuple[@, @]", "Integer").replace('T', "U").replace("Uuple", "Tuple");
    let ways = chain(40, "Variant[Array[@], Tuple[@]]", "Integer");
    let long = chain(20_000, "Array[@]", "Integer");
    let bottom_up: String = (1..20_000).map(|at| format!("$t{at} = T{at}\n")).collect();
    let value = "$text = Integer[1, 40].reduce('x') |$m, $i| { [$m] }\n";
    check(&[
        (&format!("{twice}{other}U40 > T40"), ANYTHING),
        (&format!("{twice}{other}U40 == T40"), ANYTHING),
        (&format!("{twice}T40.generalize"), ANYTHING),
        (&format!("{ways}{value}$text =~ T40"), "false"),
        (&format!("{ways}{value}T40 > type($text)"), ANYTHING),
        (&format!("{ways}{twice}T40 > T40"), ANYTHING),
        (&format!("{long}[] =~ T20000"), "call-depth-limit"),
        (&format!("{long}{bottom_up}[] =~ T20000"), "value-nesting-limit"),
    ]);
}

/// Aliases that each mention the previous one twice stand for more than can be written, and have as many mismatches.
#[test]
fn mismatches_of_types_that_multiply_are_told_soon() {
    let aliases: String =
        (1..=40).map(|it| format!("type T{it} = Variant[Array[T{0}], Tuple[T{0}]]\n", it - 1)).collect();
    let program = format!(
        "type T0 = Integer\n{aliases}$value = Integer[1, 40].reduce('x') |$m, $i| {{ [$m] }}\nassert_type(T40, $value)"
    );
    let (answer, time) = measured(&program).expect("an answer");
    assert!(answer.starts_with("runtime-error"), "{answer:.200}");
    assert!(time < TIME, "{time:?}");
}
