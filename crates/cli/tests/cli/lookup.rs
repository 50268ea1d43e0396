//! `marotte lookup`.

use crate::support::Folder;

const FILES: [(&str, &[u8]); 5] = [
    ("environment.conf", b""),
    ("manifests/site.pp", b""),
    ("hiera.yaml", b"version: 5\nhierarchy:\n  - {name: os, path: \"%{facts.os}.yaml\"}\n  - {name: common, path: common.yaml}\n"),
    ("data/debian.yaml", b"list: [1]\n"),
    ("data/common.yaml", b"list: [2]\nport: 80\ntext: \"%{trusted.certname} %{clientcert}\"\n"),
];

#[test]
fn values_are_printed_in_all_formats() {
    let folder = Folder::new(&FILES);
    let printed = |arguments: &[&str]| {
        let run = folder.marotte(&[&["lookup"], arguments].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{arguments:?}");
        run.stdout
    };
    assert_eq!(printed(&["port"]), "--- 80\n");
    assert_eq!(printed(&["none", "port", "--type", "Integer", "--render-as", "json"]), "80\n");
    assert_eq!(printed(&["text", "--render-as", "s", "--node", "n.example"]), "n.example n.example\n");
    assert_eq!(printed(&["none", "--default", "d"]), "--- d\n");
    assert_eq!(printed(&["port", "--environment-dir", "."]), "--- 80\n");
    assert!(printed(&["--explain", "port"]).contains("Found key: \"port\" value: 80"));
}

#[test]
fn facts_choose_levels_and_strategies_merge_them() {
    let mut files = FILES.to_vec();
    files.push(("facts.yaml", b"os: debian\n"));
    let folder = Folder::new(&files);
    let run = folder.marotte(&["lookup", "--facts", "facts.yaml", "--merge", "unique", "list"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "---\n- 1\n- 2\n"));
}

/// A folder of data that is written with the path that it has on the server is the one of the tree.
#[test]
fn the_environments_folder_of_a_server_is_the_tree() {
    let hiera = "version: 5\ndefaults:\n  datadir: /etc/puppetlabs/code/environments/%{environment}/hieradata\n  data_hash: yaml_data\nhierarchy:\n  - {name: common, path: common.yaml}\n";
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"notify { 'port': message => lookup('port') }\n"),
        ("hiera.yaml", hiera.as_bytes()),
        ("hieradata/common.yaml", b"port: 80\n"),
        ("facts/n.yaml", b"os: debian\n"),
    ]);
    let run = folder.marotte(&["lookup", "port"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "--- 80\n"), "{run:?}");
    let run = folder.marotte(&["compile", "n", "--facts-dir", "facts"]);
    assert!(run.status == 0 && run.stdout.contains("80"), "{run:?}");
}

#[test]
fn what_is_not_found_ends_with_status_1() {
    let folder = Folder::new(&FILES);
    let run = folder.marotte(&["lookup", "none"]);
    assert_eq!(run.status, 1);
    assert_eq!(run.stderr, "error: Function lookup() did not find a value for the name 'none'\n");
    let run = folder.marotte(&["lookup", "port", "--merge", "nope"]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("only accepts 'first', 'hash', 'unique', or 'deep'"), "{}", run.stderr);
    assert_eq!(folder.marotte(&["lookup", "port", "--render-as", "xml"]).status, 2);
    let run = folder.marotte(&["lookup", "port", "--environment-dir", "missing"]);
    assert_eq!((run.status, run.stderr.as_str()), (2, "error: there is no folder `missing`\n"));
}

/// Levels in Ruby that are not evaluated only prevent the keys from being found that they are queried for.
#[test]
fn levels_above_one_that_is_not_evaluated_answer() {
    for kind in ["lookup_key", "data_dig", "data_hash"] {
        let hiera = format!(
            "version: 5\nhierarchy:\n  - name: Common\n    path: common.yaml\n  - name: Vault\n    {kind}: vault\n    uri: x\n"
        );
        let folder = Folder::new(&[
            ("environment.conf", b""),
            ("hiera.yaml", hiera.as_bytes()),
            ("data/common.yaml", b"port: 80\n"),
            (
                "modules/m/lib/puppet/functions/vault.rb",
                b"Puppet::Functions.create_function(:vault) do\n  def vault(*args)\n    Socket.gethostname\n  end\nend\n",
            ),
        ]);
        let found = folder.marotte(&["lookup", "port"]);
        assert_eq!((found.status, found.stdout.as_str()), (0, "--- 80\n"), "{kind}: {}", found.stderr);
        let unknown = folder.marotte(&["lookup", "password"]);
        assert_eq!(unknown.status, 1, "{kind}: {}", unknown.stdout);
        assert!(unknown.stderr.contains(&format!("{kind} of the level 'Vault'")), "{}", unknown.stderr);
    }
}

#[test]
fn data_interpolates_variables_of_the_compiled_catalog() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"$role = 'web'\ninclude site\n"),
        ("modules/site/manifests/init.pp", b"class site { $tier = 'one' }\n"),
        (
            "hiera.yaml",
            b"version: 5\nhierarchy:\n  - {name: role, path: \"role/%{role}/%{site::tier}.yaml\"}\n  - {name: e, path: \"%{environment}.yaml\"}\n",
        ),
        ("data/role/web/one.yaml", b"port: 80\n"),
        ("data/staging.yaml", b"stage: here\n"),
    ]);
    assert_eq!(folder.marotte(&["lookup", "port"]).status, 1);
    let run = folder.marotte(&["lookup", "port", "--compile", "--format", "json"]);
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, "80\n", ""));
    let run = folder.marotte(&["lookup", "stage", "--environment", "staging"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "--- here\n"));
    folder.write("manifests/site.pp", b"fail('no')\n");
    let run = folder.marotte(&["lookup", "port", "--compile"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("manifests/site.pp:1:1"), "{}", run.stderr);
}

#[test]
fn a_folder_of_environments_means_one_of_them() {
    let hiera: &[u8] = b"version: 5\nhierarchy:\n  - {name: common, path: common.yaml}\n";
    let folder = Folder::new(&[
        ("envs/production/hiera.yaml", hiera),
        ("envs/production/data/common.yaml", b"key: production\n"),
        ("envs/testing/hiera.yaml", hiera),
        ("envs/testing/manifests/site.pp", b"notify { $environment: }\n"),
        ("envs/testing/data/common.yaml", b"key: testing\n"),
        ("envs/readme", b"text\n"),
        ("module/metadata.json", b"{}"),
        ("module/manifests/init.pp", b"class module { }\n"),
        ("module/hiera.yaml", hiera),
        ("module/data/common.yaml", b"key: of the module\n"),
    ]);
    let lookup = |arguments: &[&str]| {
        let run = folder.marotte(&[&["lookup", "key"], arguments].concat());
        (run.status, run.stdout + &run.stderr)
    };
    let found = |it: &str| (0, format!("--- {it}\n"));
    assert_eq!(lookup(&["--environment-dir", "envs"]), found("production"));
    assert_eq!(lookup(&["--environment-dir", "envs", "--environment", "testing"]), found("testing"));
    assert_eq!(lookup(&["--environment-dir", "envs/testing"]), found("testing"));
    let none = "error: there is no environment `none` in `envs`, which has `production`, `testing`; `--environment` names one\n";
    let other = ["--environment-dir", "envs", "--environment", "none"];
    assert_eq!(lookup(&other), (2, none.to_owned()));
    let compiled = folder.marotte(&["compile", "n", "--environment-dir", "envs", "--environment", "testing"]);
    assert!(compiled.stdout.contains("Notify[testing]"), "{compiled:?}");
    let compiled = folder.marotte(&[&["compile", "n"], &other[..]].concat());
    assert_eq!((compiled.status, compiled.stderr.as_str()), (2, none));

    // Who is in no environment is told, and a module is none.
    let run = folder.command(&["lookup", "key"]).current_dir(folder.path("module")).output().unwrap();
    let told = String::from_utf8(run.stderr).unwrap();
    assert!(told.contains("note: the current folder is not in an environment"), "{told}");
}

#[test]
fn a_missing_folder_is_wrong_usage_in_all_commands() {
    let folder =
        Folder::new(&[("environment.conf", b""), ("manifests/site.pp", b""), ("catalog.json", b"{}")]);
    for command in [
        &["check", "none"][..],
        &["format", "none"],
        &["ruby", "none"],
        &["impact", "--environment-dir", "none"],
    ] {
        let run = folder.marotte(command);
        assert_eq!(
            (run.status, run.stderr.as_str()),
            (2, "error: there is no file or folder `none`\n"),
            "{command:?}"
        );
    }
    for command in [
        &["compile", "n"][..],
        &["verify", "--against", "catalog.json"],
        &["affected", "--node", "n", "manifests/site.pp"],
        &["lookup", "key"],
        &["repl"],
    ] {
        for option in ["--environment-dir", "--module-path"] {
            let run = folder.marotte(&[command, &[option, "none"]].concat());
            assert_eq!(
                (run.status, run.stderr.as_str()),
                (2, "error: there is no folder `none`\n"),
                "{command:?} {option}"
            );
        }
        let run = folder.marotte(&[command, &["--hiera-config", "none"]].concat());
        assert_eq!((run.status, run.stderr.as_str()), (2, "error: there is no file `none`\n"), "{command:?}");
    }
}
