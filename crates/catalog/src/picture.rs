//! Catalogs as pictures: graphs in the language of Graphviz. They contain only the names of resources.

use std::fmt::Write as _;

use crate::cycle::references;
use crate::{Catalog, Reference};

/// Returns the catalog as a graph: containment dotted, order solid, notifications dashed.
pub fn dot<P>(catalog: &Catalog<P>) -> String {
    let mut text = format!("digraph {} {{\n  rankdir=LR;\n  node [shape=box];\n", quoted(&catalog.name));
    let completeness = catalog.completeness();
    if !completeness.is_complete() {
        let label = format!("INCOMPLETE: {completeness}");
        let _ = writeln!(text, "  label={};\n  labelloc=t;\n  fontcolor=red;", quoted(&label));
    }
    for it in &catalog.resources {
        let _ = writeln!(text, "  {};", id(&it.reference));
    }
    for edge in &catalog.edges {
        let (source, target) = (id(&edge.source), id(&edge.target));
        let _ = writeln!(text, "  {source} -> {target} [style=dotted, arrowhead=none];");
    }
    for it in &catalog.resources {
        for (name, comes_first, style) in [
            ("before", true, ""),
            ("require", false, ""),
            ("notify", true, " [style=dashed]"),
            ("subscribe", false, " [style=dashed]"),
        ] {
            for other in it.parameters.get(name).map(references).unwrap_or_default() {
                let (first, second) =
                    if comes_first { (&it.reference, &other) } else { (&other, &it.reference) };
                let _ = writeln!(text, "  {} -> {}{style};", id(first), id(second));
            }
        }
    }
    text.push_str("}\n");
    text
}

fn id(reference: &Reference) -> String {
    quoted(&reference.to_string())
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            '\n' => quoted.push_str("\\n"),
            letter if letter.is_control() => quoted.push(' '),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
