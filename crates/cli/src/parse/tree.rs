//! The tree with ranges, for people: one line for each expression, indented by its depth.

use std::io::{self, Write};

use marotte_diagnostics::{FileId, Sources};
use marotte_syntax::ast::{Expr, Program};

/// The maximum length of shown source text, in characters.
const WIDTH: usize = 60;

/// Writes the kind, range and source of every expression.
///
/// It uses a stack of its own, since only the parser limits the depth of trees.
pub(super) fn write(program: &Program, source: &dyn Sources, out: &mut dyn Write) -> io::Result<()> {
    let mut waiting: Vec<(usize, &Expr)> = Vec::new();
    let mut children = Vec::new();
    program.for_each_child(&mut |child| children.push((0, child)));
    waiting.extend(children.drain(..).rev());
    while let Some((depth, expr)) = waiting.pop() {
        writeln!(out, "{:indent$}{}", "", line(expr, source), indent = depth * 2)?;
        expr.for_each_child(&mut |child| children.push((depth + 1, child)));
        waiting.extend(children.drain(..).rev());
    }
    Ok(())
}

fn line(expr: &Expr, source: &dyn Sources) -> String {
    let file = FileId(0);
    let lines = source.line_index(file);
    let (start, end) = (lines.position(expr.range.start()), lines.position(expr.range.end()));
    let place = format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column);
    let text = source.text(file).get(std::ops::Range::<usize>::from(expr.range)).unwrap_or_default();
    let first = text.lines().next().unwrap_or_default().trim_end();
    let mut shown: String = first.chars().take(WIDTH).collect();
    if shown.len() < text.trim_end().len() {
        shown.push('…');
    }
    format!("{}  {place}  {shown}", expr.label())
}
