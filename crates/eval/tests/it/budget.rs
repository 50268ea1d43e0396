//! Programs that do not terminate, or use too much memory: everything they do counts against one budget.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use marotte_eval::{DataSource, Effect, Effects, Interpreter, Limits, Requests, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_pcore::budget::{Allowance, Memory};
use marotte_syntax::{Mode, parse};

/// Discards effects.
struct Nowhere;

impl Effects for Nowhere {
    fn emit(&mut self, _: Effect) {}
}

/// Requests that count the checks for interruption.
#[derive(Default)]
struct Outside {
    asked: Cell<usize>,
    memory: Option<Memory>,
}

impl DataSource for Outside {}

impl Requests for Outside {
    fn interrupted(&self) {
        self.asked.set(self.asked.get() + 1);
    }

    fn memory(&self) -> Option<Memory> {
        self.memory
    }
}

fn unit(program: &str) -> Unit {
    let parsed = parse(program, Mode::default());
    assert!(parsed.errors.is_empty(), "{program}: {:?}", parsed.errors);
    Unit {
        lowered: Arc::new(lower(&parsed.program)),
        source: UnitSource::Text("budget".into(), program.into()),
    }
}

fn settings(budget: Allowance) -> Settings {
    Settings { limits: Limits { budget, ..Limits::default() }, ..Settings::default() }
}

/// The issue of the error with which a program ends, if it fails.
fn issue(program: &str, budget: Allowance, outside: &Outside) -> Option<&'static str> {
    let mut nowhere = Nowhere;
    let mut interpreter = Interpreter::new(settings(budget), outside, &mut nowhere);
    interpreter.run_unit(&unit(program)).err().map(|it| it.issue.name)
}

const FEW: Allowance = Allowance { steps: 200_000, memory: 1 << 20, time: None };

#[test]
fn whatever_takes_steps_comes_to_their_end() {
    let large = "$a = Array(Integer[1, 2000])\n";
    let endless = "Integer[1, 1000000000].each |$i| {";
    let programs = [
        "function f($x) { if $x > 0 { f($x - 1) + f($x - 1) } else { 1 } }\nf(40)".to_owned(),
        "function f($x) { if $x > 0 { [1, 2].each |$i| { f($x - 1) } } }\nf(40)".to_owned(),
        "unique(Integer[1, 9223372036854775807])".to_owned(),
        "Integer[1, 9223372036854775807].any |$x| { false }".to_owned(),
        "Integer[1, 9223372036854775807].each |$x| { }".to_owned(),
        format!("{endless} }}"),
        format!("{large}{endless} $a == $a + [] }}"),
        format!("{large}{endless} 'x' in $a }}"),
        format!("{large}{endless} $a =~ Array[Integer] }}"),
        format!("{large}{endless} sort($a) }}"),
        format!("{large}{endless} \"${{a}}\" }}"),
        format!("{large}{endless} {{ $a => 1 }} }}"),
        format!("{endless} warning($i) }}"),
        format!("{endless} inline_epp('<%= 1 %>') }}"),
    ];
    for program in programs {
        assert_eq!(issue(&program, FEW, &Outside::default()), Some("step-limit"), "{program}");
    }
}

#[test]
fn short_programs_take_few_steps() {
    let allowance = Allowance { steps: 100_000, ..FEW };
    for program in ["1 + 1", "Integer[1, 1000].map |$i| { \"text ${i}\" }", "Array(Integer[1, 10000]).length"]
    {
        assert_eq!(issue(program, allowance, &Outside::default()), None, "{program}");
    }
}

#[test]
fn what_is_alive_counts_and_what_was_dropped_does_not() {
    thread_local! {
        static HELD: Cell<u64> = const { Cell::new(0) };
    }
    let held = "Integer[1, 100].map |$i| { Array(Integer[1, 100000]) }";
    let steps = 1_000_000_000;
    let grows: Memory = || {
        HELD.set(HELD.get() + (16 << 20));
        Some(HELD.get())
    };
    let allowance = Allowance { steps, ..FEW };
    let outside = Outside { memory: Some(grows), ..Outside::default() };
    assert_eq!(issue(held, allowance, &outside), Some("memory-limit"));
    let steady = Outside { memory: Some(|| Some(1 << 30)), ..Outside::default() };
    assert_eq!(issue(held, allowance, &steady), None);
}

#[test]
fn time_ends_programs_and_somebody_can_interrupt_them() {
    let outside = Outside::default();
    let allowance = Allowance { steps: u64::MAX, memory: u64::MAX, time: Some(Duration::from_millis(50)) };
    let endless = "Integer[1, 9223372036854775807].each |$x| { }";
    assert_eq!(issue(endless, allowance, &outside), Some("time-limit"));
    assert!(outside.asked.get() > 1);
}

#[test]
fn programs_of_one_interpreter_share_a_budget_until_it_is_renewed() {
    let outside = Outside::default();
    let mut nowhere = Nowhere;
    let mut interpreter = Interpreter::new(settings(FEW), &outside, &mut nowhere);
    let half = unit("Integer[1, 20000].each |$i| { $i + 1 }");
    assert!(interpreter.run_unit(&half).is_ok());
    let issues = (0..10).find_map(|_| interpreter.run_unit(&half).err().map(|it| it.issue.name));
    assert_eq!(issues, Some("step-limit"));
    interpreter.renew_budget();
    assert!(interpreter.run_unit(&half).is_ok());
    assert!(interpreter.budget().steps_left() < FEW.steps);
}
