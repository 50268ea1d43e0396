//! A catalog as one page for browsers: a searchable list of resources, with their contents and dependencies. The page
//! is self-contained and makes no requests. It contains no sensitive values.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use marotte_pcore::print::expression;

use crate::cycle::references;
use crate::wire::plain;
use crate::{Catalog, Reference, Resource, Site};

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/search.js");

/// The relations of one resource to others.
#[derive(Default)]
struct Links {
    within: Vec<Reference>,
    contains: Vec<Reference>,
    after: Vec<Reference>,
    before: Vec<Reference>,
}

/// Returns the page of one catalog.
pub fn html(catalog: &Catalog) -> String {
    let mut page = start(&catalog.name);
    let _ = writeln!(page, "<h1>{}</h1>", escaped(&catalog.name));
    page.push_str(&description(catalog));
    page.push_str(SEARCH);
    content(catalog, "", &mut page);
    page + &end()
}

/// A page of several catalogs, produced in pieces, because the whole page may not fit into memory.
pub struct Pages;

impl Pages {
    /// Returns the beginning of the page.
    pub fn start() -> String {
        start("Catalogs") + "<h1>Catalogs</h1>\n" + SEARCH
    }

    /// Returns the section of one catalog.
    pub fn section(catalog: &Catalog) -> String {
        let mut page = format!("<h2>{}</h2>\n", escaped(&catalog.name));
        page.push_str(&description(catalog));
        content(catalog, &format!("{}/", catalog.name), &mut page);
        page
    }

    /// Returns the end of the page.
    pub fn end() -> String {
        end()
    }
}

/// The search field of the page.
const SEARCH: &str = "<p><input id=\"search\" type=\"search\" placeholder=\"Search: words that all must occur\" autofocus> <output id=\"count\"></output></p>\n";

fn start(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    )
}

fn end() -> String {
    format!("<script>\n{SCRIPT}</script>\n</body>\n</html>\n")
}

fn description(catalog: &Catalog) -> String {
    let (resources, classes) = (catalog.resources.len(), catalog.classes.len());
    let environment = escaped(&catalog.environment);
    format!("<p>{resources} resources and {classes} classes in the environment {environment}.</p>\n")
}

/// Writes the resources. `prefix` precedes their references in fragment identifiers, which must be unique in a page.
fn content(catalog: &Catalog, prefix: &str, page: &mut String) {
    let links = links(catalog);
    incomplete(catalog, page);
    for it in &catalog.resources {
        resource(it, links.get(&it.reference.to_string()), prefix, page);
    }
}

/// Writes the section about the unknown parts.
fn incomplete(catalog: &Catalog, page: &mut String) {
    let completeness = catalog.completeness();
    if completeness.is_complete() {
        return;
    }
    let _ = write!(
        page,
        "<section class=\"incomplete\">\n<p><strong>INCOMPLETE</strong>: {completeness}.</p>\n<ul>\n"
    );
    for gap in catalog.told_gaps() {
        let reason = gap.reason.as_deref().map(|it| format!(": {}", escaped(it))).unwrap_or_default();
        let _ = write!(page, "<li>{}{reason}", escaped(&gap.cause));
        let places =
            |sites: &[Site]| sites.iter().map(|it| escaped(&it.to_string())).collect::<Vec<_>>().join(", ");
        for (what, sites) in [("asked for at", &gap.asked), ("skips code at", &gap.skipped)] {
            if !sites.is_empty() {
                let _ = write!(page, "<br>\n<small>{what} {}</small>", places(sites));
            }
        }
        page.push_str("</li>\n");
    }
    page.push_str("</ul>\n</section>\n");
}

fn links(catalog: &Catalog) -> BTreeMap<String, Links> {
    let mut links: BTreeMap<String, Links> = BTreeMap::new();
    for edge in &catalog.edges {
        links.entry(edge.source.to_string()).or_default().contains.push(edge.target.clone());
        links.entry(edge.target.to_string()).or_default().within.push(edge.source.clone());
    }
    for it in &catalog.resources {
        for (name, comes_first) in
            [("before", true), ("notify", true), ("require", false), ("subscribe", false)]
        {
            for other in it.parameters.get(name).map(references).unwrap_or_default() {
                let (first, second) =
                    if comes_first { (&it.reference, &other) } else { (&other, &it.reference) };
                links.entry(first.to_string()).or_default().before.push(second.clone());
                links.entry(second.to_string()).or_default().after.push(first.clone());
            }
        }
    }
    links
}

fn resource(it: &Resource, links: Option<&Links>, prefix: &str, page: &mut String) {
    let reference = it.reference.to_string();
    let exported = if it.exported { " <i>exported</i>" } else { "" };
    let place = it.place.as_ref().map(|it| format!("{}:{}", escaped(&it.file), it.line)).unwrap_or_default();
    let _ = write!(
        page,
        "<details id=\"{1}{0}\">\n<summary>{0}{exported} <small>{place}</small></summary>\n<table>\n",
        escaped(&reference),
        escaped(prefix)
    );
    for (name, value) in &it.parameters {
        let value = escaped(&expression(&plain(value)));
        let _ = writeln!(page, "<tr><th>{}</th><td>{value}</td></tr>", escaped(name));
    }
    let Some(links) = links else {
        page.push_str("</table>\n</details>\n");
        return;
    };
    for (label, others) in [
        ("contained in", &links.within),
        ("contains", &links.contains),
        ("comes after", &links.after),
        ("comes before", &links.before),
    ] {
        if others.is_empty() {
            continue;
        }
        let others: Vec<String> = others
            .iter()
            .map(|it| {
                let to = fragment(&format!("{prefix}{it}"));
                format!("<a href=\"#{to}\">{}</a>", escaped(&it.to_string()))
            })
            .collect();
        let _ = writeln!(page, "<tr class=\"link\"><th>{label}</th><td>{}</td></tr>", others.join(", "));
    }
    page.push_str("</table>\n</details>\n");
}

/// Escapes text for HTML, including attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(letter),
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Escapes text for the fragment of a URL: all characters except letters and digits become the numbers of their bytes.
fn fragment(text: &str) -> String {
    let mut fragment = String::new();
    for byte in text.bytes() {
        match byte {
            it if it.is_ascii_alphanumeric() => fragment.push(char::from(it)),
            it => {
                let _ = write!(fragment, "%{it:02X}");
            }
        }
    }
    fragment
}

#[cfg(test)]
mod tests {
    use super::{escaped, fragment};

    #[test]
    fn nothing_of_a_catalog_is_markup() {
        assert_eq!(escaped("<script>\"'&\u{1b}"), "&lt;script&gt;&quot;&#39;&amp;\u{fffd}");
        assert_eq!(fragment("File[/a \"b]"), "File%5B%2Fa%20%22b%5D");
    }
}
