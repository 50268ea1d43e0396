//! Nodes and facts from PuppetDB: the same as from a folder, or a clear error.

#[path = "../../../puppetdb/tests/puppetdb/server.rs"]
mod server;

use serde_json::{Value as Json, json};
use server::{Server, respond, rows};

use crate::support::Folder;

const FILES: [(&str, &[u8]); 6] = [
    ("before/environment.conf", b"modulepath = modules\n"),
    ("before/hiera.yaml", b"version: 5\nhierarchy:\n  - name: role\n    path: \"%{facts.role}.yaml\"\n"),
    ("before/data/web.yaml", b"port: 80\n"),
    ("before/data/db.yaml", b"port: 5432\n"),
    (
        "before/manifests/site.pp",
        b"notify { \"${facts['role']} ${lookup('port')} ${trusted['certname']} ${trusted['authenticated']}\": }\n",
    ),
    ("facts/none", b""),
];

/// The facts of three nodes.
const FACTS: [(&str, &str); 3] =
    [("a.example.com", "web"), ("b.example.com", "db"), ("c.example.com", "web")];

/// A PuppetDB that has these nodes.
fn puppetdb() -> Server {
    Server::start(|request, out| match request.path.as_str() {
        "/pdb/query/v4" => {
            let all: Vec<Json> = FACTS.iter().map(|(name, _)| json!({ "certname": name })).collect();
            rows(out, all.len(), &all)
        }
        "/pdb/query/v4/factsets" => {
            let wanted = request.body["query"][2][1].as_array().unwrap();
            let known = FACTS.iter().filter(|(name, _)| wanted.contains(&json!(name)));
            let facts: Vec<Json> = known.map(|(name, role)| factset(name, role)).collect();
            rows(out, facts.len(), &facts)
        }
        _ => respond(out, "404 Not Found", &[], ""),
    })
}

fn factset(name: &str, role: &str) -> Json {
    let trusted = json!({ "authenticated": "remote", "certname": name, "extensions": { "pp_role": role } });
    let data = json!([{ "name": "role", "value": role }, { "name": "trusted", "value": trusted }]);
    json!({ "certname": name, "facts": { "data": data } })
}

/// The trees, and the same facts in files.
fn folder() -> Folder {
    let folder = Folder::new(&FILES);
    for (name, role) in FACTS {
        folder.write(&format!("facts/{name}.yaml"), format!("role: {role}\n").as_bytes());
    }
    for (path, bytes) in FILES {
        if let Some(rest) = path.strip_prefix("before/") {
            folder.write(&format!("after/{rest}"), bytes);
        }
    }
    folder.write("after/data/web.yaml", b"port: 8080\n");
    folder
}

#[test]
fn facts_of_puppetdb_are_those_of_a_folder() {
    let (folder, server) = (folder(), puppetdb());
    let url = server.url();
    let commands: [&[&str]; 6] = [
        &["compile", "--all", "--environment-dir", "before"],
        &["compile", "b.example.com", "a.example.com", "--environment-dir", "before"],
        &["affected", "--environment-dir", "before", "before/data/web.yaml"],
        &["impact", "--from", "before", "--to", "after"],
        &["impact", "--from", "before", "--to", "after", "--compile-all", "--output-format", "json"],
        &["impact", "--from", "before", "--to", "after", "--node", "b.example.com"],
    ];
    for command in commands {
        let files = folder.marotte(&[command, &["--facts-dir", "facts"]].concat());
        let before = server.requests();
        let served = folder.marotte(&[command, &["--puppetdb", &url]].concat());
        assert_eq!(
            (served.status, &served.stdout),
            (files.status, &files.stdout),
            "{command:?} {}",
            served.stderr
        );
        assert!(files.stdout.contains("b.example.com") || files.stdout.contains("80"), "{}", files.stdout);
        let all = command.contains(&"--all") || !command.contains(&"compile") && !command.contains(&"--node");
        assert_eq!(
            server.requests() - before,
            if all { 2 } else { 1 },
            "{command:?}: everything is asked once"
        );
    }
}

#[test]
fn trusted_facts_are_those_of_the_last_run() {
    let (folder, server) = (folder(), puppetdb());
    folder
        .write("before/manifests/site.pp", b"notice($trusted['extensions']['pp_role'], $facts.keys.sort)\n");
    let run = folder.marotte(&[
        "compile",
        "b.example.com",
        "--environment-dir",
        "before",
        "--puppetdb",
        &server.url(),
    ]);
    let said = "Scope(Class[main]): db [clientcert, clientnoop, clientversion, role]";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn nodes_without_facts_are_named() {
    let (folder, server) = (folder(), puppetdb());
    let url = server.url();
    let run =
        folder.marotte(&["compile", "none.example.com", "--environment-dir", "before", "--puppetdb", &url]);
    let said = format!("PuppetDB at {url} has no facts of none.example.com");
    assert_eq!((run.status, &*run.stdout), (2, ""));
    assert!(run.stderr.contains(&said), "{}", run.stderr);

    // A node whose facts have expired, but which is still active, is a failure and no node less.
    let other = Server::start(move |request, out| match request.path.as_str() {
        "/pdb/query/v4" => {
            rows(out, 2, &[json!({ "certname": "a.example.com" }), json!({ "certname": "d.example.com" })])
        }
        _ => rows(out, 1, &[factset("a.example.com", "web")]),
    });
    let url = other.url();
    let run = folder.marotte(&["compile", "--all", "--environment-dir", "before", "--puppetdb", &url]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("a.example.com (production)"), "{}", run.stdout);
    assert!(
        run.stderr.contains(&format!("PuppetDB at {url} has no facts of d.example.com")),
        "{}",
        run.stderr
    );
    let run = folder.marotte(&["impact", "--from", "before", "--to", "before", "--puppetdb", &url]);
    assert_eq!(run.status, 3, "{}", run.stdout);
    assert!(run.stdout.contains("d.example.com"), "{}", run.stdout);
}

#[test]
fn what_puppetdb_does_not_tell_is_no_result() {
    let folder = folder();
    let broken = Server::start(|request, out| match request.path.as_str() {
        "/pdb/query/v4" => rows(out, 1, &[json!({ "certname": "a.example.com" })]),
        _ => respond(out, "500 Server Error", &[], "<html><title>Oops</title></html>"),
    });
    let none = Server::start(|_, out| rows(out, 0, &[]));
    let url = format!("http://me:secret@{}", broken.host());
    for (url, shown, said) in [
        (&url, broken.url(), "answered with status 500: a page in HTML: Oops"),
        (&none.url(), none.url(), "has no nodes for `nodes[certname] { node_state = \"active\" }`"),
    ] {
        let commands: [&[&str]; 3] = [
            &["compile", "--all", "--environment-dir", "before"],
            &["impact", "--from", "before", "--to", "after"],
            &["affected", "--environment-dir", "before", "before/data/web.yaml"],
        ];
        for command in commands {
            let run = folder.marotte(&[command, &["--puppetdb", url]].concat());
            assert_eq!((run.status, &*run.stdout), (2, ""), "{command:?}");
            assert!(run.stderr.contains(&format!("PuppetDB at {shown} {said}")), "{}", run.stderr);
            assert!(!run.stderr.contains("secret"), "{}", run.stderr);
        }
    }
}

#[test]
fn unusable_options_are_refused() {
    let folder = folder();
    folder.write("empty", b"\n");
    for (options, said) in [
        (&["--puppetdb", "me:secret@pdb"][..], "the address of PuppetDB is a URL"),
        (&["--puppetdb", "https://pdb.example:8081"], "`--puppetdb-ca FILE`"),
        (&["--puppetdb", "https://pdb.example:8081", "--puppetdb-ca", "none"], "cannot read none"),
        (
            &["--puppetdb", "https://pdb.example:8081", "--puppetdb-ca", "empty"],
            "empty has no certificate in PEM",
        ),
        (
            &["--puppetdb", "http://127.0.0.1:1", "--puppetdb-token-file", "empty"],
            "the token for PuppetDB is empty",
        ),
        (&["--puppetdb", "http://me:secret@pdb.example"], "not in the clear"),
        (&["--puppetdb-ca", "empty"], "--puppetdb <URL>"),
        (&["--puppetdb", "http://127.0.0.1:1", "--puppetdb-cert", "empty"], "--puppetdb-key <FILE>"),
        (&["--nodes-query", "nodes[certname] {}"], "--puppetdb <URL>"),
    ] {
        let run = folder.marotte(&[&["compile", "--all", "--environment-dir", "before"], options].concat());
        assert_eq!((run.status, &*run.stdout), (2, ""), "{options:?}");
        assert!(run.stderr.contains(said), "{}", run.stderr);
        assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    }
    let run = folder.marotte(&["compile", "--environment-dir", "before", "--puppetdb", "http://127.0.0.1:1"]);
    assert!(run.stderr.contains("`--puppetdb` has the facts of nodes: name a node, or compile `--all`"));
    let run = folder.marotte(&["compile", "--all", "--environment-dir", "before"]);
    assert!(run.stderr.contains("no nodes are named"), "{}", run.stderr);
}
