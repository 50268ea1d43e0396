//! Broken source and marotte's findings in it: one snapshot each, source and output together, in `snapshots/syntax`.
//!
//! The cases are the slips that people make, mostly newcomers and those who come from other languages. A message is
//! good if a reader who has never seen it knows what to do next.

mod brackets;
mod foreign;
mod grammar;
mod lexical;
mod meaning;

use std::path::Path;

use marotte_syntax::Mode;
use marotte_tests::{marotte, workspace};

/// Declares one test for each piece of source: `name: "source"`, or `name(mode): "source"`. The first line end is dropped.
macro_rules! broken {
    ($($(#[$meta:meta])* $name:ident $(($mode:ident))?: $source:expr;)*) => {
        $($(#[$meta])* #[test] fn $name() { crate::syntax_errors::check(stringify!($name), broken!(@mode $($mode)?), $source); })*
    };
    (@mode) => { marotte_syntax::Mode::default() };
    (@mode epp) => { marotte_syntax::Mode { template: true, ..marotte_syntax::Mode::default() } };
    (@mode tasks) => { marotte_syntax::Mode { tasks: true, ..marotte_syntax::Mode::default() } };
}
use broken;

fn check(name: &str, mode: Mode, source: &str) {
    let source = source.strip_prefix('\n').unwrap_or(source);
    let file = if mode.template { "example.epp" } else { "example.pp" };
    let output = marotte::report(file, source, mode);
    assert!(!output.is_empty(), "nothing is reported about:\n{source}");
    let snapshot =
        format!("{source}{}{}\n{output}", if source.ends_with('\n') { "" } else { "\n" }, "-".repeat(80));
    insta::with_settings!({
        snapshot_path => Path::new(workspace::root()).join("snapshots/syntax"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, snapshot);
    });
}
