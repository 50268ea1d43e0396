//! `cargo xtask puppetdb`: tests marotte with a real PuppetDB. Needs Debian's `puppetdb` and `postgresql`, and `curl`.

mod server;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use serde_json::{Value as Json, json};

use crate::bench::build;
use crate::console::say;
use crate::{Result, files, process};
use server::Server;

/// Start a PuppetDB on the loopback address, fill it with facts of nodes, and compare marotte's results with those for the same
/// facts in files.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of generated nodes, in addition to those of the examples.
    #[arg(long, default_value_t = 250)]
    nodes: usize,
    /// The program to try, instead of a release build.
    #[arg(long)]
    marotte: Option<PathBuf>,
    /// A PuppetDB that runs already on the loopback address, and is empty, instead of one that is started.
    #[arg(long)]
    url: Option<String>,
    /// Write the answers that tests replay into `crates/puppetdb/tests/recorded.json`.
    #[arg(long)]
    record: bool,
}

/// The time at which all facts were sent, for PuppetDB.
const SENT: &str = "2026-01-31T12:00:00.000Z";

/// Runs the command.
///
/// # Errors
/// If the server cannot be started, or if anything is different.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let marotte = match &arguments.marotte {
        Some(path) => path.canonicalize()?,
        None => build::release()?.marotte,
    };
    let folder = std::env::temp_dir().join(format!("marotte-puppetdb-{}", std::process::id()));
    files::make_folder(&folder)?;
    let done = try_all(arguments, &marotte, &folder);
    files::remove_folder(&folder)?;
    done
}

fn try_all(arguments: &Arguments, marotte: &Path, folder: &Path) -> Result<()> {
    let started = Instant::now();
    let server = match &arguments.url {
        Some(_) => None,
        None => Some(Server::start(&folder.join("server"))?),
    };
    let url = arguments.url.clone().unwrap_or_else(|| Server::URL.to_owned());
    if server.is_some() {
        say(&format!("PuppetDB runs after {:.0} s", started.elapsed().as_secs_f64()));
    }
    let tree = folder.join("control-repo");
    copy(&files::repository().join("examples/control-repo"), &tree)?;
    let count = fill(&url, &tree, arguments.nodes)?;
    let on = Side { marotte, tree: &tree, url: &url };
    let started = Instant::now();
    let served = on.compile(&["--puppetdb", &url])?;
    let seconds = started.elapsed().as_secs_f64();
    same("compile --all", &on.compile(&["--facts-dir", "facts"])?, &served)?;
    say(&format!("compile --all: {count} catalogs, equal to those with facts from files; {seconds:.1} s"));
    on.affected()?;
    on.impact()?;
    on.query()?;
    on.failures()?;
    // These nodes have no facts.
    export(&url)?;
    on.exported()?;
    on.running()?;
    if arguments.record { record(&url) } else { Ok(()) }
}

/// Sends the facts of the example's nodes, and of nodes with other names and the same facts, which are written to files, too.
fn fill(url: &str, tree: &Path, more: usize) -> Result<usize> {
    let facts = tree.join("facts");
    let mut known: Vec<(String, Json)> = Vec::new();
    for name in files::names(&facts)? {
        let text = files::read(&facts.join(&name))?;
        let read = marotte_hiera::data::parse_yaml(
            &text,
            marotte_hiera::data::Permitted { symbols: false, classes: &[] },
        );
        let values = marotte_catalog::rich_data::rich_data(&read.map_err(|error| error.to_string())?.value);
        known.push((name.trim_end_matches(".yaml").to_owned(), values));
    }
    let samples = known.clone();
    for number in 0..more {
        let (name, values) = &samples[number % samples.len()];
        let (host, domain) = name.split_once('.').unwrap_or((name, "example.com"));
        let name = format!("{host}-{number:04}.{domain}");
        let mut values = values.clone();
        values["number"] = json!(number);
        files::write(&facts.join(format!("{name}.json")), &values.to_string())?;
        known.push((name, values));
    }
    for (name, values) in &known {
        let mut values = values.clone();
        let (host, domain) = name.split_once('.').unwrap_or((name, ""));
        values["trusted"] = json!({
            "authenticated": "remote", "certname": name, "extensions": {}, "external": {},
            "hostname": host, "domain": domain,
        });
        let payload = json!({
            "certname": name, "environment": "production", "values": values, "producer_timestamp": SENT,
            "producer": "localhost",
        });
        command(url, "replace_facts", 5, name, &payload)?;
    }
    Ok(known.len())
}

/// Sends a command, and waits until it is processed.
fn command(url: &str, name: &str, version: u32, certname: &str, payload: &Json) -> Result<()> {
    let address = format!(
        "{url}/pdb/cmd/v1?command={name}&version={version}&certname={certname}&producer-timestamp={SENT}&secondsToWaitForCompletion=60"
    );
    let answer = send(&address, &payload.to_string())?;
    match serde_json::from_str::<Json>(&answer)?["processed"] {
        Json::Bool(true) => Ok(()),
        _ => Err(format!("PuppetDB does not take {name} of {certname}: {answer}").into()),
    }
}

/// Posts a text in JSON.
fn send(address: &str, body: &str) -> Result<String> {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail-with-body", "--noproxy", "*"]);
    curl.args(["-H", "Content-Type: application/json", "--data-binary", "@-", address]);
    process::filter(&mut curl, body)
}

/// Sends catalogs with exported resources, those of the collectors in `crates/cli/tests/puppetdb/tree`.
fn export(url: &str) -> Result<()> {
    let host = |title: &str, tag: &str, parameters: Json| {
        let tags = ["host", "site", "site::host", tag];
        json!({ "type": "Site::Host", "title": title, "exported": true, "tags": tags, "parameters": parameters })
    };
    let notify = |title: &str, is_exported: bool, parameters: Json| {
        let tags = ["notify"];
        json!({ "type": "Notify", "title": title, "exported": is_exported, "tags": tags, "parameters": parameters })
    };
    let catalogs = [
        (
            "o1.example.com",
            vec![
                host("h1", "web", json!({ "address": "10.0.0.2", "tag": "web" })),
                host("h2", "web", json!({ "address": "10.0.0.3", "port": 81, "tag": "web" })),
                notify("n1", true, json!({ "message": "from o1", "loglevel": "info" })),
                notify("n2", false, json!({ "message": "x" })),
            ],
        ),
        (
            "o2.example.com",
            vec![
                host(
                    "h3",
                    "db",
                    json!({ "address": "10.0.0.4", "port": 5432, "opts": [1, { "a": null, "b": true }] }),
                ),
                notify("n3", true, json!({ "message": "own", "tag": ["extra", "mark"] })),
            ],
        ),
        ("self.example.com", vec![host("own", "web", json!({ "address": "10.9.9.9", "tag": "web" }))]),
    ];
    for (name, mut resources) in catalogs {
        for it in &mut resources {
            (it["aliases"], it["file"], it["line"]) = (json!([]), json!("/site.pp"), json!(3));
        }
        let payload = json!({
            "certname": name, "version": "1", "environment": "production", "producer_timestamp": SENT, "producer": "localhost",
            "transaction_uuid": "11111111-1111-1111-1111-111111111111", "catalog_uuid": "11111111-1111-1111-1111-111111111112",
            "code_id": null, "job_id": null, "resources": resources, "edges": [],
        });
        command(url, "replace_catalog", 9, name, &payload)?;
    }
    // The catalog of Puppet 8.11 for `running`, in the form in which PuppetDB's own terminus sends it.
    let sent = files::read(&files::repository().join("crates/cli/tests/puppetdb/running-v9.json"))?;
    command(url, "replace_catalog", 9, "running.example.com", &serde_json::from_str(&sent)?)
}

/// The path of the recorded answers that tests replay.
const RECORDED: &str = "crates/puppetdb/tests/recorded.json";

/// Writes answers for tests: queries with their status, the header with the number of rows, and the body.
fn record(url: &str) -> Result<()> {
    let exported = |type_name: &str, condition: Json| {
        let query = json!(["and", ["=", "type", type_name], ["=", "exported", true], condition]);
        ("/pdb/query/v4/resources", json!({ "query": query, "include_total": true }))
    };
    let one = |name: &str, value: &str| json!(["=", name, value]);
    let some = "nodes[certname] { certname ~ \"^(db1|time|web1)[.]\" }";
    let page = |offset: u32| {
        json!({
            "query": some, "order_by": [{ "field": "certname" }], "limit": 5000, "offset": offset, "include_total": true,
        })
    };
    let facts = |names: Json| {
        let query = json!(["in", "certname", ["array", names]]);
        ("/pdb/query/v4/factsets", json!({ "query": query, "include_total": true }))
    };
    let queries = [
        ("/pdb/query/v4", page(0)),
        ("/pdb/query/v4", json!({ "query": "nodes[certname] { certname ~ '^(db1|time)[.]' limit 1 }" })),
        facts(json!(["db1.example.com", "none.example.com"])),
        (
            "/pdb/query/v4",
            json!({
                "query": "nodes[certname] {", "order_by": [{ "field": "certname" }], "limit": 5000, "offset": 0, "include_total": true,
            }),
        ),
        exported("Site::Host", json!(["and", one("tag", "web"), ["not", ["=", ["parameter", "port"], 81]]])),
        exported("Notify", json!(["or", one("title", "n1"), ["=", ["parameter", "message"], "own"]])),
        exported("Notify", one("tag", "none")),
        exported("Site::Host", one("title", "h3")),
        exported("Notify", one("title", "both")),
        (
            "/pdb/query/v4/catalogs",
            json!({ "query": ["in", "certname", ["array", ["running.example.com", "new.example.com"]]], "include_total": true }),
        ),
        (
            "/pdb/query/v4",
            json!({ "query": "resources[certname, title] { exported = true and type = \"Site::Host\" order by title }" }),
        ),
    ];
    let mut recorded = Vec::new();
    for (path, query) in queries {
        let mut curl = Command::new("curl");
        curl.args(["--silent", "--show-error", "--noproxy", "*", "-w", "\n%{http_code} %header{x-records}"]);
        curl.args(["-H", "Content-Type: application/json", "--data-binary", "@-", &format!("{url}{path}")]);
        let answer = process::filter(&mut curl, &query.to_string())?;
        let (body, rest) = answer.rsplit_once('\n').ok_or("curl does not say the status")?;
        let (status, total) = rest.split_once(' ').ok_or("curl does not say the number of rows")?;
        let (status, total): (u32, Option<u32>) = (status.parse()?, total.trim().parse().ok());
        recorded
            .push(json!({ "path": path, "query": query, "status": status, "total": total, "body": body }));
    }
    let text = serde_json::to_string_pretty(&recorded)? + "\n";
    files::write(&files::repository().join(RECORDED), &text)
}

/// Copies a folder with all its contents.
fn copy(from: &Path, to: &Path) -> Result<()> {
    process::output(Command::new("cp").arg("-r").arg(from).arg(to)).map(|_| ())
}

/// Fails unless two outputs are equal.
fn same(what: &str, files: &str, served: &str) -> Result<()> {
    let difference = files.lines().zip(served.lines()).find(|(one, other)| one != other);
    match difference {
        _ if files == served => Ok(()),
        Some((one, other)) => Err(format!("{what}: `{one}` with files is `{other}` with PuppetDB").into()),
        None => Err(format!("{what}: one of both has more lines").into()),
    }
}

/// The program, the tree that it compiles, and the server that it queries.
struct Side<'a> {
    marotte: &'a Path,
    tree: &'a Path,
    url: &'a str,
}

impl Side<'_> {
    fn marotte(&self, arguments: &[&str]) -> Result<Output> {
        let mut command = Command::new(self.marotte);
        command.args(arguments).current_dir(self.tree).stdin(Stdio::null());
        Ok(command.output()?)
    }

    /// Runs the program, which has to end with a status. Returns its output.
    fn text(&self, arguments: &[&str], status: i32) -> Result<(String, String)> {
        let output = self.marotte(arguments)?;
        let (out, err) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
        match output.status.code() == Some(status) {
            true => Ok((out, err)),
            false => {
                Err(format!("`marotte {}` ended with {}: {err}", arguments.join(" "), output.status).into())
            }
        }
    }

    fn compile(&self, source: &[&str]) -> Result<String> {
        Ok(self.text(&[&["compile", "--all", "--format", "summary"], source].concat(), 0)?.0)
    }

    /// Files concern the same nodes.
    fn affected(&self) -> Result<()> {
        let of = |source: [&str; 2]| {
            let file = "site-modules/profile/manifests/site.pp";
            self.text(&["affected", "--environment-dir", ".", source[0], source[1], file], 1)
        };
        let served = of(["--puppetdb", self.url])?;
        let (files, counted) = of(["--facts-dir", "facts"])?;
        same("affected", &files, &served.0)?;
        same("affected", &counted, &served.1)?;
        say(&format!("affected: {}", counted.trim()));
        Ok(())
    }

    /// Changes have the same impact.
    fn impact(&self) -> Result<()> {
        let after = self.tree.with_file_name("after");
        copy(self.tree, &after)?;
        let path = after.join("data/common.yaml");
        let text =
            files::read(&path)?.replace("  - 1.pool.ntp.org", "  - 1.pool.ntp.org\n  - time.example.com");
        files::write(&path, &text)?;
        let after = after.to_string_lossy();
        let of = |source: [&str; 2]| {
            self.text(
                &["impact", "--from", ".", "--to", &after, source[0], source[1], "--output-format", "json"],
                1,
            )
        };
        let started = Instant::now();
        let served = of(["--puppetdb", self.url])?.0;
        let seconds = started.elapsed().as_secs_f64();
        same("impact", &of(["--facts-dir", "facts"])?.0, &served)?;
        say(&format!("impact: the same report; {seconds:.1} s"));
        Ok(())
    }

    /// Checks that queries select nodes.
    fn query(&self) -> Result<()> {
        let of = |query: &str| -> Result<usize> {
            let arguments = ["compile", "--all", "--puppetdb", self.url, "--nodes-query", query];
            Ok(self.text(&arguments, 0)?.0.lines().filter(|it| it.contains(" resources, ")).count())
        };
        let (limited, one) =
            (of("nodes[certname] { limit 2 }")?, of("inventory[certname] { certname = 'db1.example.com' }")?);
        let ast = of("[\"from\", \"factsets\", [\"=\", \"certname\", \"db1.example.com\"]]")?;
        match (limited, one, ast) {
            (2, 1, 1) => Ok(()),
            other => Err(format!("queries for 2, 1 and 1 nodes gave {other:?}").into()),
        }
    }

    /// Collectors find what other nodes export: the catalog is that of Puppet 8.11 with PuppetDB's own terminus.
    fn exported(&self) -> Result<()> {
        let tests = files::repository().join("crates/cli/tests/puppetdb");
        let (tree, catalog) = (tests.join("tree"), tests.join("catalog.json"));
        let facts = self.tree.with_file_name("self.yaml");
        files::write(&facts, "kernel: Linux\n")?;
        let (tree, catalog, facts) =
            (tree.to_string_lossy(), catalog.to_string_lossy(), facts.to_string_lossy());
        let more = ["--environment-dir", &*tree, "--against", &*catalog, "--facts", &*facts];
        let said = self.text(&[&["verify", "--puppetdb", self.url], &more[..]].concat(), 0)?.0;
        say(&format!("exported resources: {}", said.trim()));
        Ok(())
    }

    /// Checks that the running catalogs equal those of the same code, except for values that PuppetDB stores as text.
    fn running(&self) -> Result<()> {
        let tree = files::repository().join("crates/cli/tests/puppetdb/running");
        let facts = self.tree.with_file_name("self.yaml");
        let (tree, facts) = (tree.to_string_lossy(), facts.to_string_lossy());
        let arguments =
            ["impact", "--from-puppetdb", "--puppetdb", self.url, "--node", "running.example.com"];
        let said =
            self.text(&[&arguments[..], &["--environment-dir", &*tree, "--facts", &*facts]].concat(), 3)?.0;
        say(&format!("impact --from-puppetdb: {}", said.lines().last().unwrap_or_default()));
        Ok(())
    }

    /// Checks that rejected queries are reported.
    fn failures(&self) -> Result<()> {
        for (url, query, said) in [
            (self.url.to_owned(), "nodes[certname] {", "refuses the query: PQL parse error at line 1"),
            (self.url.to_owned(), "nodes[none] { }", "refuses the query: "),
            (self.url.to_owned(), "environments[name] { }", "refuses the query: "),
            (self.url.to_owned(), "nodes[certname] { certname = 'none' }", "has no nodes for "),
            (format!("{}/elsewhere", self.url), "nodes[certname] { }", "has no queries there"),
            (self.url.replace("http:", "https:"), "nodes[certname] { }", "needs the certificate of the CA"),
        ] {
            let arguments = ["compile", "--all", "--puppetdb", &url, "--nodes-query", query];
            let (out, err) = self.text(&arguments, 2)?;
            if !out.is_empty() || !err.contains(said) {
                return Err(format!("`{query}` at {url}: `{said}` is not in `{err}`").into());
            }
        }
        say("what PuppetDB refuses is said");
        Ok(())
    }
}
