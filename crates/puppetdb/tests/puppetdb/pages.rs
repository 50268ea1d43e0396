//! Answers in pages, whole or not.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use marotte_puppetdb::{ACTIVE_NODES, Problem};
use serde_json::{Value as Json, json};

use crate::client;
use crate::server::{Request, Server, recorded, rows};

fn number(request: &Request, key: &str) -> Option<usize> {
    usize::try_from(request.body.get(key)?.as_u64()?).ok()
}

fn name(number: usize) -> String {
    format!("node{number:05}.example.com")
}

/// A PuppetDB with this many nodes, each with a few facts.
fn fleet(nodes: usize) -> Server {
    Server::start(move |request, out| {
        if request.path == "/pdb/query/v4" {
            let (offset, limit) = (number(request, "offset").unwrap(), number(request, "limit").unwrap());
            let page = (offset..nodes.min(offset + limit)).map(|it| json!({ "certname": name(it) }));
            return rows(out, nodes, &page.collect::<Vec<_>>());
        }
        assert_eq!(request.path, "/pdb/query/v4/factsets");
        let names = request.body["query"][2][1].as_array().unwrap();
        let known = names.iter().filter(|it| it.as_str().unwrap() < &*name(nodes));
        let facts: Vec<Json> = known.map(|it| factset(it.as_str().unwrap())).collect();
        rows(out, facts.len(), &facts)
    })
}

fn factset(name: &str) -> Json {
    let data = json!([
        { "name": "networking", "value": { "fqdn": name } },
        { "name": "trusted", "value": { "authenticated": "remote", "certname": name, "extensions": {} } },
    ]);
    json!({ "certname": name, "facts": { "data": data, "href": "/" } })
}

#[test]
fn ten_thousand_nodes_come_in_pages() {
    let server = fleet(10_000);
    let client = client(&server);
    let names = client.names(ACTIVE_NODES).unwrap();
    assert_eq!(names, (0..10_000).map(name).collect::<BTreeSet<_>>());
    assert_eq!(server.requests(), 3, "pages of 5,000 that overlap by one");
    let wanted: Vec<&str> = names.iter().map(String::as_str).collect();
    let facts = client.factsets(&wanted).unwrap();
    assert_eq!((facts.len(), server.requests()), (10_000, 103));
    for (name, it) in facts {
        let facts = it.facts();
        assert_eq!(facts.values.len(), 1);
        let certname = facts.trusted.unwrap().get_str("certname").cloned();
        assert_eq!(certname.as_ref().and_then(|it| it.as_str()), Some(&*name));
    }
}

#[test]
fn nodes_without_facts_are_left_out() {
    let server = fleet(3);
    let facts = client(&server).factsets(&[&name(1), &name(7)]).unwrap();
    assert_eq!(facts.into_keys().collect::<Vec<_>>(), [name(1)]);
}

#[test]
fn queries_with_pages_of_their_own_are_sent_as_they_are() {
    let sent: Arc<Mutex<Vec<Json>>> = Arc::default();
    let noted = Arc::clone(&sent);
    let server = Server::start(move |request, out| {
        noted.lock().unwrap().push(request.body.clone());
        rows(out, 1, &[json!({ "certname": "a" })])
    });
    let client = client(&server);
    for query in
        ["nodes[certname] { limit 1 }", "[\"from\", \"nodes\", [\"limit\", 1]]", "nodes[certname] { }"]
    {
        assert_eq!(client.names(query).unwrap().len(), 1);
    }
    let sent = sent.lock().unwrap();
    assert_eq!(sent[0], json!({ "query": "nodes[certname] { limit 1 }" }));
    assert_eq!(sent[1], json!({ "query": ["from", "nodes", ["limit", 1]] }));
    assert_eq!(sent[2]["limit"], json!(5000));
}

/// Answers to the two pages of a query for two names, in order.
fn two_pages(pages: [(usize, &'static [&'static str]); 2]) -> Problem {
    let asked = AtomicUsize::new(0);
    let server = Server::start(move |_, out| {
        let (total, names) = pages[asked.fetch_add(1, Ordering::SeqCst).min(1)];
        rows(out, total, &names.iter().map(|it| json!({ "certname": it })).collect::<Vec<_>>())
    });
    client(&server).names(ACTIVE_NODES).unwrap_err().problem
}

#[test]
fn pages_that_do_not_fit_are_no_result() {
    assert_eq!(two_pages([(2, &["a"]), (2, &["a"])]), Problem::Incomplete(1, Some(2)));
    assert_eq!(two_pages([(2, &["a"]), (2, &[])]), Problem::Changed, "the first was removed");
    assert_eq!(
        two_pages([(3, &["a", "b"]), (3, &["c", "d"])]),
        Problem::Changed,
        "`a` was removed, `d` is new"
    );
    assert_eq!(two_pages([(3, &["a", "b"]), (4, &["b", "c", "d"])]), Problem::Changed, "another total");
    assert_eq!(two_pages([(1, &["a", "b"]), (1, &[])]), Problem::Incomplete(2, Some(1)));
}

#[test]
fn facts_are_those_of_the_nodes_that_were_asked_for() {
    let answers: [(usize, &[&str], Option<Problem>); 5] = [
        (2, &["a", "b"], None),
        (2, &["a"], Some(Problem::Incomplete(1, Some(2)))),
        (1, &["c"], Some(Problem::Shape("the facts of nodes"))),
        (2, &["a", "a"], Some(Problem::Shape("the facts of nodes"))),
        (0, &[], None),
    ];
    for (total, names, problem) in answers {
        let server = Server::start(move |_, out| {
            rows(out, total, &names.iter().map(|it| factset(it)).collect::<Vec<_>>())
        });
        let found = client(&server).factsets(&["a", "b"]);
        assert_eq!(found.err().map(|it| it.problem), problem, "{names:?}");
    }
}

#[test]
fn answers_of_a_real_puppetdb_are_understood() {
    let server = recorded();
    let client = client(&server);
    let names = client.names("nodes[certname] { certname ~ \"^(db1|time|web1)[.]\" }").unwrap();
    assert!(names.contains("db1.example.com") && names.contains("web1.example.com"));
    assert_eq!(client.names("nodes[certname] { certname ~ '^(db1|time)[.]' limit 1 }").unwrap().len(), 1);
    let facts = client.factsets(&["db1.example.com", "none.example.com"]).unwrap();
    let (name, facts) = facts.into_iter().next().unwrap();
    let facts = facts.facts();
    let kernel = facts.values.get_str("kernel").and_then(|it| it.as_str());
    assert_eq!((&*name, kernel), ("db1.example.com", Some("Linux")));
    let trusted = facts.trusted.unwrap();
    assert_eq!(trusted.get_str("authenticated").and_then(|it| it.as_str()), Some("remote"));
    assert!(facts.values.get_str("trusted").is_none());
    let refused = client.names("nodes[certname] {").unwrap_err().problem;
    assert!(
        matches!(&refused, Problem::Refused(why) if why.starts_with("PQL parse error at line 1")),
        "{refused:?}"
    );
}
