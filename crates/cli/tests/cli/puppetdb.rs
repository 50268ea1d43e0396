//! Nodes and facts from PuppetDB: the same as from a folder, or a clear error.

#[path = "../../../puppetdb/tests/puppetdb/server.rs"]
mod server;

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value as Json, json};
use server::{Request, Server, recorded, respond, rows};

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
        "/pdb/query/v4/factsets" => respond_with_factsets(request, out),
        _ => respond(out, "404 Not Found", &[], ""),
    })
}

/// Answers a question for the facts of some nodes.
fn respond_with_factsets(request: &Request, out: &mut dyn Write) -> io::Result<()> {
    let wanted = request.body["query"][2][1].as_array().unwrap();
    let known = FACTS.iter().filter(|(name, _)| wanted.contains(&json!(name)));
    let facts: Vec<Json> = known.map(|(name, role)| factset(name, role)).collect();
    rows(out, facts.len(), &facts)
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
        assert!(!files.stdout.is_empty(), "{}", files.stderr);
        let all = command.contains(&"--all") || !command.contains(&"compile") && !command.contains(&"--node");
        assert_eq!(
            server.requests() - before,
            if all { 2 } else { 1 },
            "{command:?}: everything is asked once"
        );
    }
}

#[test]
fn parts_of_the_nodes_of_puppetdb_are_merged() {
    static IS_LATER: AtomicBool = AtomicBool::new(false);
    // Later, it has one node less.
    let known = || if IS_LATER.load(Ordering::Relaxed) { &FACTS[1..] } else { &FACTS[..] };
    let server = Server::start(move |request, out| match request.path.as_str() {
        "/pdb/query/v4" => {
            let all: Vec<Json> = known().iter().map(|(name, _)| json!({ "certname": name })).collect();
            rows(out, all.len(), &all)
        }
        _ => respond_with_factsets(request, out),
    });
    let (folder, url) = (folder(), server.url());
    let command = ["impact", "--from", "before", "--to", "after", "--puppetdb", &url];
    let whole = folder.marotte(&command);
    assert_eq!(whole.status, 1, "{}", whole.stderr);
    for (shard, file) in [("1/2", "part-1"), ("2/2", "part-2")] {
        let run = folder.marotte(&[&command[..], &["--shard", shard, "--output", file]].concat());
        assert_eq!((run.status, &*run.stdout), (0, ""), "{}", run.stderr);
    }
    let merged = folder.marotte(&["impact", "--merge", "part-2", "part-1"]);
    assert_eq!((merged.status, merged.stdout), (whole.status, whole.stdout), "{}", merged.stderr);

    IS_LATER.store(true, Ordering::Relaxed);
    let run = folder.marotte(&[&command[..], &["--shard", "2/2", "--output", "part-2"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let merged = folder.marotte(&["impact", "--merge", "part-1", "part-2"]);
    assert_eq!((merged.status, &*merged.stdout), (2, ""));
    assert!(merged.stderr.contains("nodes"), "{}", merged.stderr);
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

/// The tree, in the repository.
const TREE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/puppetdb/tree");

/// The catalog is that of Puppet 8.11 with PuppetDB's own terminus, for the same answers of a real PuppetDB.
#[test]
fn collectors_find_what_other_nodes_export() {
    let (folder, server) = (Folder::new(&[("facts.yaml", b"kernel: Linux\n")]), recorded());
    let catalog = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/puppetdb/catalog.json");
    let url = server.url();
    let arguments = ["--environment-dir", TREE, "--facts", "facts.yaml", "--puppetdb", &url];
    let run = folder.marotte(&[&["verify", "--against", catalog], &arguments[..]].concat());
    assert_eq!(
        (run.status, &*run.stdout),
        (0, "self.example.com: the same, all 14 resources\n"),
        "{}",
        run.stderr
    );
    assert_eq!(run.stderr, "", "there is no warning");
    assert_eq!(server.requests(), 5, "each query is sent once");

    // Without a store, exported resources are neither collected nor found, and the answers to queries are not known.
    let run = folder.marotte(&[&["compile", "self.example.com"], &arguments[..4]].concat());
    assert!(run.stderr.contains("You cannot collect exported resources without storeconfigs being set"));
    let gap = "a query of PuppetDB: it asks PuppetDB; `--puppetdb` says where that is";
    assert!(run.stderr.contains(gap), "{}", run.stderr);
}

#[test]
fn answers_of_puppetdb_are_recorded_and_replayed() {
    let code: &[u8] = b"Notify <<| title == 'n1' or message == 'own' |>>
        notify { 'x': message => puppetdb_query('resources[certname, title] { exported = true and type = \"Site::Host\" order by title }') }";
    let folder = Folder::new(&[("facts.yaml", b"kernel: Linux\n"), ("manifests/site.pp", code)]);
    let server = recorded();
    let url = server.url();
    let own = ["compile", "self.example.com", "--environment-dir", ".", "--facts", "facts.yaml"];
    let first = folder.marotte(&[&own[..], &["--puppetdb", &url, "--record", "record.json"]].concat());
    assert_eq!((first.status, &*first.stderr), (0, ""));
    let asked = server.requests();
    let replayed = folder.marotte(&[&own[..], &["--replay", "record.json"]].concat());
    assert_eq!((replayed.status, &*replayed.stdout), (0, &*first.stdout), "{}", replayed.stderr);
    assert_eq!(server.requests(), asked, "a replay asks nobody");

    // Those of the facts are not.
    let facts = ["compile", "self.example.com", "--environment-dir", ".", "--puppetdb", &url];
    let refused = folder.marotte(&[&facts[..], &["--record", "r.json"]].concat());
    assert!(refused.stderr.contains("`--record` does not have the facts of PuppetDB"), "{}", refused.stderr);
    let refused = folder.marotte(&[&facts[..], &["--replay", "record.json"]].concat());
    assert!(refused.stderr.contains("`--replay` has the answers"), "{}", refused.stderr);

    // Another query was not recorded; without a catalog, that is an error.
    folder.write("manifests/site.pp", b"notify { 'x': message => puppetdb_query('nodes { }') }");
    let other = folder.marotte(&[&own[..], &["--replay", "record.json"]].concat());
    assert_eq!(other.status, 3, "{}", other.stderr);
    assert!(other.stderr.contains("this query of PuppetDB was not recorded in"), "{}", other.stderr);
    let eval = folder.marotte(&["eval", "-e", "puppetdb_query('nodes { }')", "--replay", "record.json"]);
    assert!(eval.stderr.contains("this query of PuppetDB was not recorded in"), "{}", eval.stderr);
}

/// The server of the catalog may have a back end of Hiera that comes with PuppetDB.
#[test]
fn data_of_puppetdb_are_unknown_without_it() {
    let hiera = "version: 5\nhierarchy:\n  - { name: pdb, lookup_key: puppetdb_lookup_key }\n  - { name: own, path: own.yaml }\n";
    let folder = Folder::new(&[
        ("facts.yaml", b"kernel: Linux\n"),
        ("hiera.yaml", hiera.as_bytes()),
        ("data/own.yaml", b"k: own\n"),
        ("manifests/site.pp", b"notify { 'x': message => lookup('k') }"),
    ]);
    let run = folder.marotte(&["compile", "a", "--environment-dir", ".", "--facts", "facts.yaml"]);
    assert_eq!(run.status, 3, "{}", run.stderr);
    assert!(run.stderr.contains("'puppetdb_lookup_key', lookup_key of the level 'pdb'"), "{}", run.stderr);
}

/// The names of nodes, and the titles of what they export.
type Rows = &'static [(&'static str, &'static str)];

/// A server with exported resources, or an answer with an error.
fn exporting(rows_of: Rows) -> Server {
    Server::start(move |_, out| match rows_of {
        [] => respond(out, "500 Server Error", &[], "broken"),
        _ => {
            let resource =
                |(node, title): &(&str, &str)| json!({ "certname": node, "title": title, "parameters": {} });
            let all: Vec<Json> = rows_of.iter().map(resource).collect();
            rows(out, all.len(), &all)
        }
    })
}

#[test]
fn collectors_that_cannot_collect_are_errors() {
    let folder = Folder::new(&[("facts.yaml", b"kernel: Linux\n"), ("manifests/none", b"")]);
    let duplicate = "A duplicate resource was found while collecting exported resources, with the type and title Notify[a]";
    let cases: [(&str, Rows, &str); 5] = [
        ("Notify <<| |>>", &[("x", "a"), ("y", "a")], duplicate),
        ("notify { 'a': } Notify <<| |>>", &[("x", "a")], duplicate),
        ("@@notify { 'a': } Notify <<| |>>", &[("x", "a")], duplicate),
        ("Notify <<| |>>", &[], "answered with status 500: broken"),
        ("$t = ['a'] Notify <<| tag == $t |>>", &[("x", "a")], "is compared with a String"),
    ];
    for (code, found, said) in cases {
        let server = exporting(found);
        folder.write("manifests/site.pp", code.as_bytes());
        let url = server.url();
        let arguments = ["--environment-dir", ".", "--facts", "facts.yaml", "--puppetdb", &url];
        let run = folder.marotte(&[&["compile", "self"], &arguments[..]].concat());
        assert_eq!((run.status, &*run.stdout), (1, ""), "{code}");
        assert!(run.stderr.contains(said), "{code}: {}", run.stderr);
    }
    // Two collectors may find the same resource, and that of the own node is there already.
    let server = exporting(&[("x", "a"), ("self", "b")]);
    folder.write("manifests/site.pp", b"Notify <<| |>> @@notify { 'b': } Notify <<| title == 'a' |>>");
    let url = server.url();
    let arguments = ["--environment-dir", ".", "--facts", "facts.yaml", "--puppetdb", &url];
    let run = folder.marotte(&[&["compile", "self"], &arguments[..]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stdout.contains("Notify[a]\n") && run.stdout.contains("Notify[b] (exported)"),
        "{}",
        run.stdout
    );
}

/// The catalog that PuppetDB has is that of Puppet 8.11, as PuppetDB's own terminus has sent it.
#[test]
fn what_runs_is_compared_as_far_as_puppetdb_keeps_it() {
    const RUNNING: [(&str, &[u8]); 4] = [
        ("facts.yaml", b"kernel: Linux\n"),
        ("manifests/site.pp", include_bytes!("../puppetdb/running/manifests/site.pp")),
        (
            "modules/role/manifests/init.pp",
            include_bytes!("../puppetdb/running/modules/role/manifests/init.pp"),
        ),
        (
            "modules/role/manifests/part.pp",
            include_bytes!("../puppetdb/running/modules/role/manifests/part.pp"),
        ),
    ];
    let (folder, server) = (Folder::new(&RUNNING), recorded());
    let url = server.url();
    let impact = |folder: &Folder| {
        folder.marotte(&[
            "impact",
            "--from-puppetdb",
            "--puppetdb",
            &url,
            "--environment-dir",
            ".",
            "--facts",
            "facts.yaml",
            "--node",
            "running.example.com",
            "--node",
            "new.example.com",
            "--output-format",
            "concise",
        ])
    };
    let run = impact(&folder);
    assert!(run.stdout.contains("PuppetDB has no catalog of new.example.com"), "{}", run.stdout);
    let text = "values that PuppetDB keeps as text";
    assert!(run.stdout.contains(text) && run.stdout.contains("1 not fully known"), "{}", run.stdout);

    let code = String::from_utf8(RUNNING[2].1.to_vec()).unwrap();
    for (from, to, changes) in [
        ("'0644'", "'0600'", &["~ File[/etc/a] mode: '0644' => '0600'"][..]),
        (
            "Integer $number = 3",
            "Integer $number = 4",
            &[
                "- Notify[part one 3]",
                "~ Class[Role] number: 3 => 4",
                "~ Role::Part[one] number: 3 => 4",
                "+ Notify[part one 4]",
            ],
        ),
        ("['b', 'a']]", "['a', 'b']]", &[]),
        ("tag     => ['z', 'y']", "tag     => ['y', 'z']", &[]),
        (
            "require => [Package['b', 'a']]",
            "require => Package['b']",
            &["- File[/etc/a] require: Package[a]"],
        ),
        // What is sensitive is not known to PuppetDB, and not shown.
        ("'hidden'", "'other'", &[]),
        ("message => 'elsewhere'", "message => 'there'", &[]),
        ("'here, too'", "'here'", &["~ Notify[both] message: 'here, too' => 'here'"]),
        ("SemVer('1.2.3')", "SemVer('1.2.4')", &[]),
        ("'c' => 'ä€'", "'c' => 'ä'", &["~ Notify[nested] message: "]),
        ("uid => 12", "uid => 13", &["~ User[me] uid: 12 => 13"]),
        ("package { ['a', 'b']: ensure => installed }", "package { ['b', 'a']: ensure => installed }", &[]),
        ("mode    => '0644'", "mode    => Sensitive('0644')", &[]),
    ] {
        folder.write("modules/role/manifests/init.pp", code.replace(from, to).as_bytes());
        let run = impact(&folder);
        for change in changes {
            assert!(run.stdout.contains(change), "{to}: {}", run.stdout);
        }
        let is_change =
            |it: &&str| ["1 node: -", "1 node: +", "1 node: ~"].iter().any(|sign| it.starts_with(sign));
        assert_eq!(run.stdout.lines().filter(is_change).count(), changes.len(), "{to}: {}", run.stdout);
        assert!(code.contains(from) && run.stdout.contains("PuppetDB has no catalog of new.example.com"));
        assert!(!run.stdout.contains("hidden"), "{}", run.stdout);
        assert_eq!(run.status, 1, "{}", run.stderr);
    }
    let user = "user { 'me': name => 'me2', uid => 12 }";
    assert!(code.contains(user));
    let part = |shard: &str, file: &str| {
        let running = ["impact", "--from-puppetdb", "--puppetdb", &url, "--environment-dir", "."];
        let nodes = ["--facts", "facts.yaml", "--node", "running.example.com", "--node", "new.example.com"];
        let run = folder.marotte(&[&running[..], &nodes, &["--shard", shard, "--output", file]].concat());
        assert_eq!((run.status, &*run.stdout), (0, ""), "{}", run.stderr);
    };
    // The recorded PuppetDB knows the question for both nodes.
    part("1/1", "part");
    let merged = folder.marotte(&["impact", "--merge", "part", "--output-format", "concise"]);
    let whole = impact(&folder);
    assert_eq!((merged.status, merged.stdout), (whole.status, whole.stdout), "{}", merged.stderr);

    folder.write("modules/role/manifests/init.pp", code.replace(user, "").as_bytes());
    let site = String::from_utf8(RUNNING[1].1.to_vec()).unwrap();
    folder.write("manifests/site.pp", format!("{site}\n{user}\n").as_bytes());
    let run = impact(&folder);
    let moved = "1 node: ~ User[me] is contained in Class[main] rather than Class[Role]";
    assert!(run.stdout.contains(moved), "{}", run.stdout);
}
