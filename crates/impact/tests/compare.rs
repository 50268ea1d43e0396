//! What is found between two catalogs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use marotte_catalog::Catalog;
use marotte_catalog::diff::diff;
use marotte_catalog::read::from_json;
use marotte_impact::{Ignore, Outcome, Verdict, compare};
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
