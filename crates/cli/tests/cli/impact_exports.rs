//! Resources that nodes export for others, in `marotte impact`.

use serde_json::Value;

use crate::support::{Folder, Run};

const SITE: &str = "\
node 'db1' {
  $secret = Sensitive('hunter2')
  @@file { '/srv/backup/db1': mode => '0600', content => $secret }
  @@notify { 'db1': message => '192.0.2.1' }
  file { '/own': mode => '0600' }
}
node 'backup' { File <<| |>> }
node default { }
";

fn impact(edit: (&str, &str), options: &[&str]) -> Run {
    let folder = Folder::new(&[]);
    for node in ["db1", "backup", "web"] {
        folder.write(&format!("facts/{node}.yaml"), b"kernel: Linux\n");
    }
    folder.write("before/manifests/site.pp", SITE.as_bytes());
    let after = SITE.replace(edit.0, edit.1);
    assert_ne!(after, SITE);
    folder.write("after/manifests/site.pp", after.as_bytes());
    let arguments =
        ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts", "--cache", "kept"];
    let arguments = [&arguments[..], options].concat();
    let first = folder.marotte(&arguments);
    let again = folder.marotte(&arguments);
    assert_eq!((first.status, &first.stdout), (again.status, &again.stdout), "{}", again.stderr);
    assert!(!format!("{}{}", first.stdout, first.stderr).contains("hunter2"));
    first
}

fn concise(edit: (&str, &str)) -> Vec<String> {
    let run = impact(edit, &["--output-format", "concise"]);
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn a_node_that_exports_something_else_has_changed() {
    let missing = "Not compared: exported resources of other nodes (there is no `--puppetdb`) on 1 node";
    assert_eq!(
        concise(("backup/db1'", "backup/db2'")),
        [
            "1 node: - File[/srv/backup/db1] (exported) (manifests/site.pp:3, because of manifests/site.pp:3) [db1]",
            "1 node: + File[/srv/backup/db2] (exported) (manifests/site.pp:3, because of manifests/site.pp:3) [db1]",
            missing,
            "3 nodes: 1 changed, 2 unchanged",
        ]
    );
    assert_eq!(
        concise(("192.0.2.1", "192.0.2.2"))[0],
        "1 node: ~ Notify[db1] message: '192.0.2.1' => '192.0.2.2' (exported) (manifests/site.pp:4, because of manifests/site.pp:4) [db1]"
    );
    assert_eq!(
        concise(("Sensitive('hunter2')", "'hunter2'"))[0],
        "1 node: ~ File[/srv/backup/db1] content: (sensitive) => (a value that is not Sensitive) (exported) (manifests/site.pp:3, \
         because of manifests/site.pp:2) [db1]"
    );
}

#[test]
fn a_resource_that_is_exported_instead_is_removed_and_exported() {
    assert_eq!(
        concise(("file { '/own'", "@@file { '/own'"))[..2],
        [
            "1 node: - File[/own] (manifests/site.pp:5, because of manifests/site.pp:5) [db1]",
            "1 node: + File[/own] (exported) (manifests/site.pp:5, because of manifests/site.pp:5) [db1]",
        ]
    );
}

#[test]
fn exported_resources_are_ignored_by_the_same_rules() {
    let run =
        impact(("192.0.2.1", "192.0.2.2"), &["--ignore", "Notify[*]::message", "--output-format", "json"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&json["counts"]["unchanged"], &json["ignored"][0]["changes"]), (&3.into(), &1.into()));

    let run = impact(("192.0.2.1", "192.0.2.2"), &["--output-format", "json"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    let change = &json["groups"][0]["changes"][0];
    assert_eq!(change["containing_class"], "main");
    assert_eq!([&change["kind"], &change["resource"]], ["attribute", "Notify[db1]"]);
    assert_eq!(change["exported"], true);
    assert_eq!(json["not_compared"][0]["nodes"][0], "backup");
}
