//! Facts that calls read by their names: `$facts.dig('os', 'family')`, `fact('os.family')`.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr};
use marotte_resolve::call::NamedCall;
use marotte_resolve::globals::is_facts;

/// The name of the fact that a call reads, and the keys that it extracts, as far as they are literal; each with its expression.
/// Empty if the call doesn't read a fact.
pub(crate) fn fact_path<'b>(body: &'b Body, call: &NamedCall<'_>) -> Vec<(ExprId, &'b str)> {
    let arguments: Vec<ExprId> = call.arguments().collect();
    let text = |id: &ExprId| match body.expr(*id) {
        Expr::String(text) => Some((*id, text.as_str())),
        _ => None,
    };
    match (call.plain_name(), &arguments[..]) {
        ("dig", [of, keys @ ..]) if is_facts(body, *of) => keys.iter().map_while(text).collect(),
        ("get", [of, path, ..]) if is_facts(body, *of) => text(path).map_or_else(Vec::new, segments),
        ("getvar", [path, ..]) => {
            let of_facts = text(path).and_then(|(id, path)| Some((id, path.strip_prefix("facts.")?)));
            of_facts.map_or_else(Vec::new, segments)
        }
        ("fact", [path]) => text(path).map_or_else(Vec::new, segments),
        _ => Vec::new(),
    }
}

/// The parts of `a.b.c`. Paths with quotes aren't split.
fn segments((id, path): (ExprId, &str)) -> Vec<(ExprId, &str)> {
    match path.contains(['\'', '"']) {
        true => Vec::new(),
        false => path.split('.').map(|it| (id, it)).collect(),
    }
}
