//! Pieces of code and their layout: one snapshot for each, with source and result, in `snapshots/format`.

mod blocks;
mod collections;
mod comments;
mod definitions;
mod expressions;
mod heredocs;
mod resources;
mod suppressions;
mod templates;
mod widths;

use marotte_format::Options;
use marotte_syntax::Mode;

use crate::support::{formatted, repository};

/// Declares one test for each piece: `name: "source"`, or `name(mode): "source"`. The first line end is dropped.
macro_rules! pieces {
    ($($name:ident $(($mode:ident))?: $source:expr;)*) => {
        $(#[test] fn $name() { crate::pieces::check(stringify!($name), pieces!(@mode $($mode)?), $source, 140); })*
    };
    (@mode) => { crate::support::mode(false, false) };
    (@mode epp) => { crate::support::mode(true, false) };
    (@mode tasks) => { crate::support::mode(false, true) };
}
use pieces;

fn check(name: &str, mode: Mode, source: &str, line_width: u16) {
    let source = source.strip_prefix('\n').unwrap_or(source);
    let options = Options { line_width, ..Options::default() };
    let output = formatted(source, mode, &options).expect("the piece keeps its meaning");
    let output = output.expect("the piece can be read");
    let end = if source.ends_with('\n') { "" } else { "\n" };
    let snapshot = format!("{source}{end}{}\n{output}", "-".repeat(80));
    insta::with_settings!({
        snapshot_path => repository().join("snapshots/format"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(name, snapshot);
    });
}
