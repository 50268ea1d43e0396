//! Catalogs that do not fit into memory: values, tags and edges of resources count against the budget.

use std::cell::Cell;
use std::sync::Arc;

use marotte_catalog::NativeType;
use marotte_eval::{
    DataSource, Effect, Effects, Interpreter, Limits, Manifest, ReadError, Requests, Settings,
};
use marotte_hir::lower;
use marotte_pcore::budget::{Allowance, Memory};
use marotte_syntax::{Mode, parse};

/// Discards effects.
struct Nowhere;

impl Effects for Nowhere {
    fn emit(&mut self, _: Effect) {}
}

/// The requests of a catalog that consists of one manifest. All allocated bytes count as alive.
struct Outside(Manifest);

impl DataSource for Outside {}

impl Requests for Outside {
    fn memory(&self) -> Option<Memory> {
        thread_local! {
            static HELD: Cell<u64> = const { Cell::new(0) };
        }
        Some(|| {
            HELD.set(HELD.get() + (1 << 40));
            Some(HELD.get())
        })
    }

    fn main_manifests(&self) -> Result<Vec<Manifest>, ReadError> {
        Ok(vec![self.0.clone()])
    }

    fn native_type(&self, name: &str) -> Result<Option<Arc<NativeType>>, ReadError> {
        let namevars = Some(vec!["name".into()]);
        let known = NativeType { titles_are_known: true, namevars, ..NativeType::unknown(name) };
        Ok(matches!(name, "notify" | "stage").then(|| Arc::new(known)))
    }
}

/// The errors of a catalog, and the number of steps that were left.
fn compiled(text: &str, budget: Allowance) -> (Vec<String>, u64) {
    let parsed = parse(text, Mode::default());
    assert!(parsed.errors.is_empty(), "{text}: {:?}", parsed.errors);
    let outside = Outside(Manifest { path: "site.pp".into(), lowered: Arc::new(lower(&parsed.program)) });
    let limits = Limits { budget, value_size: 16 << 20, ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let mut nowhere = Nowhere;
    let mut interpreter = Interpreter::new(settings, &outside, &mut nowhere);
    let errors = interpreter.compile().errors;
    let errors = errors.iter().map(|it| format!("{}: {}", it.issue.name, it.message)).collect();
    (errors, interpreter.budget().steps_left())
}

/// The issue of the first error.
fn issue(text: &str, budget: Allowance) -> Option<String> {
    let (errors, _) = compiled(text, budget);
    errors.first().and_then(|it| it.split(':').next().map(str::to_owned))
}

/// A budget that only memory exhausts.
const SMALL: Allowance = Allowance { steps: 1_000_000_000, memory: 4 << 20, time: None };

#[test]
fn copies_of_values_in_parameters_count() {
    let recursive = "define d($x) { d { \"${title}a\": x => [$x, $x] } }\nd { 'a': x => 1 }";
    let hashes = recursive.replace("[$x, $x]", "{ a => $x, b => $x }");
    let unfolded = recursive.replace("x => [$x, $x]", "* => { x => [$x, $x] }");
    let created =
        "define d($x) { create_resources('d', { \"${title}a\" => { x => [$x, $x] } }) }\nd { 'a': x => 1 }";
    for text in [recursive, &hashes, &unfolded, created] {
        assert_eq!(issue(text, SMALL).as_deref(), Some("memory-limit"), "{text}");
    }
}

#[test]
fn copies_of_values_in_defaults_of_parameters_count() {
    let class = |it: usize| {
        let next = it + 1;
        format!("class c{it}($a = [$c{next}::a, $c{next}::a]) inherits c{next} {{ }}\n")
    };
    let mut text: String = (0..40).map(class).collect();
    text += "class c40($a = 1) { }\ninclude c0";
    assert_eq!(issue(&text, SMALL).as_deref(), Some("memory-limit"));
}

#[test]
fn resources_count() {
    let define =
        |it: usize| format!("define d{it} {{ d{} {{ [\"${{title}}a\", \"${{title}}b\"]: }} }}\n", it + 1);
    let mut text: String = (0..12).map(define).collect();
    text += "define d12 { }\nd0 { 'a': }";
    let budget = Allowance { memory: 8 << 20, ..SMALL };
    assert_eq!(issue(&text, budget).as_deref(), Some("memory-limit"));
    assert_eq!(issue(&text, Allowance { memory: 64 << 20, ..SMALL }), None);
}

/// Notifications of these numbers.
fn notifications(count: usize) -> String {
    format!("$a = Array(Integer[1, {count}]).map |$i| {{ \"a${{i}}\" }}\nnotify {{ $a: }}\n")
}

/// A title is found, not searched for among all resources.
#[test]
fn collectors_by_title_do_not_look_at_other_resources() {
    let resource = |it: usize| format!("@notify {{ 'a{it}': tag => t }}\n");
    let collectors = [
        |it: usize| format!("Notify<| title == 'A{it}' |>\n"),
        |it: usize| format!("Notify<| tag == t and title == 'a{it}' |>\n"),
        |it: usize| format!("Notify<| title == 'a{it}' or title == 'a1' |> {{ message => 'x' }}\n"),
    ];
    for collector in collectors {
        let text: String = (0..2_000).map(resource).chain((0..2_000).map(collector)).collect();
        let steps = Allowance { steps: 1_000_000, memory: 1 << 30, time: None };
        assert_eq!(issue(&text, steps), None, "{}", collector(0));
    }
}

#[test]
fn edges_count() {
    let text = notifications(100) + &"Notify[$a] -> Notify[$a]\n".repeat(120);
    assert_eq!(issue(&text, SMALL).as_deref(), Some("memory-limit"));
    let steps = Allowance { steps: 300_000, memory: 1 << 30, time: None };
    assert_eq!(issue(&text, steps).as_deref(), Some("step-limit"));
    let missing = "$a = Array(Integer[1, 100]).map |$i| { \"a${i}\" }\nNotify[$a] -> Notify[$a]";
    let (errors, left) = compiled(missing, steps);
    assert!((1..=300).contains(&errors.len()) && left == 0, "{} errors, {left}", errors.len());
}

#[test]
fn tags_that_resources_take_count() {
    let tags = "Integer[1, 700].each |$i| { tag(\"t${i}\") }\n";
    let text = notifications(700) + tags;
    assert_eq!(issue(&text, SMALL).as_deref(), Some("memory-limit"));
    assert_eq!(issue(&notifications(700), SMALL), None);
}

#[test]
fn values_that_resources_share_take_steps() {
    let large = "$x = Array(Integer[1, 1000])\n";
    let text = format!("{large}{}", notifications(1_000).replace("$a:", "$a: message => $x"));
    let budget = Allowance { steps: 2_000_000, memory: 1 << 30, time: None };
    assert_eq!(issue(&text, budget).as_deref(), Some("step-limit"));
    let nested = "class c { $x = Array(Integer[1, 1000]) }\n\
                  define d { Notify { audit => $c::x } notify { \"${title}\": } }\n\
                  include c\n";
    let text = format!("{nested}{}", notifications(1_000).replace("notify", "d"));
    assert_eq!(issue(&text, budget).as_deref(), Some("step-limit"));
}

#[test]
fn large_catalogs_take_a_part_of_the_budget() {
    let names: Vec<String> = (0..50).map(|it| format!("p{it}")).collect();
    let declared: String = names.iter().map(|it| format!("${it}, ")).collect();
    let given: String = names.iter().map(|it| format!("{it} => \"value of ${{i}} for {it}\", ")).collect();
    let resources = format!(
        "define d({declared}) {{ }}\nInteger[1, 3000].each |$i| {{ d {{ \"number ${{i}}\": {given} }} }}\n"
    );
    let edges = notifications(317) + "Notify[$a] -> Notify[$a]\n";
    for text in [resources, edges] {
        let (errors, left) = compiled(&text, Allowance { time: None, ..Allowance::default() });
        assert_eq!(errors, [""; 0]);
        assert!(left > Allowance::default().steps / 2, "{left} steps are left");
    }
}
