//! What is found between two catalogs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use marotte_catalog::Catalog;
use marotte_catalog::diff::diff;
use marotte_catalog::read::from_json;
use marotte_impact::output::{Format, write};
use marotte_impact::{Ignore, Outcome, ReportBuilder, Verdict, compare};
use serde_json::{Value, json};

/// A catalog with these resources: a reference, tags and parameters.
fn catalog(resources: &[(&str, &[&str], Value)], edges: &[(&str, &str)], skipped: bool) -> Catalog {
    let resources = resources.iter().map(|(reference, tags, parameters)| {
        let (type_name, title) = reference.trim_end_matches(']').split_once('[').unwrap();
        json!({ "type": type_name, "title": title, "tags": tags, "parameters": parameters, "kind": "compilable_type" })
    });
    let edges = edges.iter().map(|(source, target)| json!({ "source": source, "target": target }));
    let mut whole = json!({
        "name": "n", "environment": "production", "tags": [], "classes": [],
        "resources": resources.collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>(),
    });
    if skipped {
        let cause = json!({
            "cause": "the Ruby function 'f'", "reason": null, "unknown_values": 0,
            "asked": [], "skipped": [{ "count": 1 }],
        });
        whole["incomplete"] = json!({ "causes": [cause] });
    }
    from_json(&whole.to_string()).unwrap()
}

/// The changes as text, those that are not certain with a question mark.
fn list(before: &Catalog, after: &Catalog) -> Vec<String> {
    let certain = |it: bool| if it { "" } else { "? " };
    compare(before, after).iter().map(|it| format!("{}{}", certain(it.is_certain), it.change)).collect()
}

fn verdict(before: &Catalog, after: &Catalog) -> Verdict {
    Outcome::of(Ok(before), Ok(after), &Ignore::default()).verdict()
}

#[test]
fn all_that_agents_see_is_compared() {
    let before = catalog(
        &[
            ("A[1]", &["a", "b"], json!({ "x": 1, "gone": true })),
            ("B[1]", &[], json!({ "require": ["A[1]", "C[1]"] })),
            ("C[1]", &[], json!({})),
            ("D[1]", &[], json!({})),
        ],
        &[("A[1]", "C[1]"), ("B[1]", "D[1]")],
        false,
    );
    let after = catalog(
        &[
            ("C[1]", &[], json!({})),
            ("A[1]", &["c", "a"], json!({ "x": 2, "new": [1, "a"] })),
            ("B[1]", &[], json!({ "require": "A[1]", "notify": "C[1]" })),
            ("E[1]", &[], json!({ "y": "z" })),
        ],
        &[("B[1]", "C[1]"), ("C[1]", "E[1]")],
        false,
    );
    assert_eq!(
        list(&before, &after),
        [
            "~ A[1] x: 1 => 2",
            "~ A[1] gone: true => (not set)",
            "~ A[1] new: (not set) => [1, 'a']",
            "~ A[1] tags: -b",
            "~ A[1] tags: +c",
            "- B[1] require: C[1]",
            "+ B[1] notify: C[1] (C[1] restarts when B[1] changes)",
            "- D[1]",
            "+ E[1]",
            "~ C[1] is contained in B[1] rather than A[1]",
            "~ declared at another place in the order: C[1]",
        ]
    );
    assert!(list(&before, &before).is_empty());
    assert_eq!(verdict(&before, &before), Verdict::Unchanged);
}

#[test]
fn lists_of_other_forms_are_a_change_too() {
    let side = |require: Value| {
        catalog(&[("A[1]", &[], json!({ "require": require })), ("B[1]", &[], json!({}))], &[], false)
    };
    let (one, many) = (side(json!("B[1]")), side(json!(["B[1]"])));
    assert_eq!(list(&one, &many), ["~ A[1] require: 'B[1]' => ['B[1]']"]);
}

#[test]
fn what_a_side_may_lack_is_not_certain() {
    let side = |x: i32, skipped| {
        let first = ("A[1]", &["a"] as &[&str], json!({ "x": x, "require": ["B[1]"] }));
        catalog(&[first, ("B[1]", &[], json!({}))], &[("A[1]", "B[1]")], skipped)
    };
    let whole = |skipped| side(1, skipped);
    let part = |skipped| catalog(&[("A[1]", &[], json!({}))], &[], skipped);
    let removed = ["~ A[1] x: 1 => (not set)", "- A[1] require: B[1]", "~ A[1] tags: -a", "- B[1]"];
    assert_eq!(list(&whole(false), &part(false)), removed);
    assert_eq!(list(&whole(false), &part(true)), removed.map(|it| format!("? {it}")));
    assert_eq!(verdict(&whole(false), &part(true)), Verdict::NotFullyKnown);
    // What is missing after is missing, whatever is not known of before.
    assert_eq!(list(&whole(true), &part(false)), removed);
    assert_eq!(verdict(&whole(true), &part(false)), Verdict::Changed);
    let added = list(&part(true), &whole(false));
    assert!(!added.is_empty() && added.iter().all(|it| it.starts_with("? ")), "{added:?}");
    // Nothing is different, and not all is known.
    assert_eq!(verdict(&whole(true), &whole(true)), Verdict::NotFullyKnown);
    assert_eq!(verdict(&whole(false), &whole(true)), Verdict::NotFullyKnown);
    // Another value is another value.
    assert_eq!(verdict(&whole(true), &side(2, true)), Verdict::Changed);
}

#[test]
fn without_changes_the_catalogs_are_equal() {
    let values = [json!(1), json!("1"), json!(null), json!(["B[1]"]), json!({ "a": [1] })];
    let all = values.iter().flat_map(|value| {
        let of = |first: &'static str, second: &'static str| {
            let resources = [(first, &["t"] as &[&str], json!({ "x": value })), (second, &[], json!({}))];
            catalog(&resources, &[(first, second)], false)
        };
        [of("A[1]", "B[1]"), of("B[1]", "A[1]"), of("A[1]", "C[1]")]
    });
    let all: Vec<Catalog> = all.collect();
    for before in &all {
        for after in &all {
            assert_eq!(
                compare(before, after).is_empty(),
                diff(before, after).is_empty(),
                "{before:?}\n{after:?}"
            );
        }
    }
}

#[test]
fn changes_have_the_innermost_class_around_the_resource() {
    let resources = |value: u32| {
        [
            ("Class[Main]", &[] as &[&str], json!({})),
            ("Class[A::B]", &[], json!({ "p": value })),
            ("D[1]", &[], json!({ "p": value })),
            ("File[/x]", &[], json!({ "p": value })),
            ("File[/y]", &[], json!({ "p": value })),
        ]
    };
    let edges = [("Class[Main]", "Class[A::B]"), ("Class[A::B]", "D[1]"), ("D[1]", "File[/x]")];
    let classes: Vec<Option<String>> =
        compare(&catalog(&resources(1), &edges, false), &catalog(&resources(2), &edges, false))
            .into_iter()
            .map(|it| it.origin.class.map(|it| it.to_string()))
            .collect();
    let inner = || Some("A::B".to_owned());
    assert_eq!(classes, [inner(), inner(), inner(), None]);
}

#[test]
fn containment_in_a_circle_has_an_end() {
    let edges = [("D[1]", "D[2]"), ("D[2]", "D[1]")];
    let with = |value: u32| {
        catalog(&[("D[1]", &[], json!({ "p": value })), ("D[2]", &[], json!({}))], &edges, false)
    };
    let found = compare(&with(1), &with(2));
    assert!(found.len() == 1 && found[0].origin.class.is_none(), "{found:?}");
}

#[test]
fn the_graph_of_a_page_is_bounded_and_has_no_markup_of_catalogs() {
    let mut builder = ReportBuilder::new("a".to_owned(), "b".to_owned(), Vec::new());
    for number in 0..30 {
        let class = format!("Class[<i>{number}]");
        let with = |value: u32| {
            catalog(
                &[(&class, &[], json!({})), ("D[1]", &[], json!({ "p": value }))],
                &[(&class, "D[1]")],
                false,
            )
        };
        let outcome = Outcome::of(Ok(&with(0)), Ok(&with(number + 1)), &Ignore::default());
        builder.add(format!("n{number}"), outcome);
    }
    let page = write(Format::Html, &builder.finish());
    let graph = page.split("<svg").nth(1).and_then(|it| it.split("</svg>").next()).unwrap();
    assert_eq!(graph.matches("<rect").count(), 1 + 12 + 12, "one edit, and as many classes and nodes as fit");
    assert!(
        graph.contains(">19 more<") && graph.contains("&lt;i&gt;0<") && !graph.contains("<i>"),
        "{graph}"
    );
}
