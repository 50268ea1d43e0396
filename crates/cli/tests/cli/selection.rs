//! What `marotte check` looks at for a selection of rules, and what it says of the rest.

use crate::support::{Folder, Run};

/// A control repository with one fault in each kind of file.
const FAULTY: &[(&str, &[u8])] = &[
    ("environment.conf", b""),
    ("hiera.yaml", b"version: 5\nhierarchy:\n  - name: all\n    path: all.yaml\n"),
    ("data/all.yaml", b"m::x: [1\nm::y: 2\n"),
    ("manifests/site.pp", b"include m\n"),
    ("modules/m/manifests/init.pp", b"class m(Integer $x = 1) {\n  notice($x)\n}\n"),
    (
        "modules/m/lib/puppet/functions/m/f.rb",
        b"Puppet::Functions.create_function(:'m::f') do\n  def f(\nend\n",
    ),
    ("modules/m/templates/x.erb", b"x <%= @osfamily %>\n"),
];

fn check(folder: &Folder, more: &[&str]) -> Run {
    folder.marotte(&[&["check", "--output-format=concise"], more].concat())
}

/// The rules that a run reports, in order.
fn rules(run: &Run) -> Vec<&str> {
    let rule = |line: &'_ str| Some(line.split_once('[')?.1.split_once(']')?.0.len());
    let rules = run.stdout.lines().filter_map(|it| {
        let start = it.find('[')? + 1;
        it.get(start..start + rule(it)?)
    });
    rules.collect()
}

#[test]
fn a_rule_finds_alone_what_it_finds_with_others() {
    let folder = Folder::new(FAULTY);
    assert_eq!(
        rules(&check(&folder, &[])),
        ["invalid-data-file", "invalid-ruby", "legacy-fact"],
        "{:?}",
        check(&folder, &[])
    );
    assert_eq!(rules(&check(&folder, &["--select", "invalid-data-file"])), ["invalid-data-file"]);
    for rule in ["legacy-fact", "invalid-ruby"] {
        assert!(rules(&check(&folder, &["--select", rule])).contains(&rule), "{rule}");
    }
    // It could not look at the file.
    for rule in ["value-type", "unused-key"] {
        let found = check(&folder, &["--select", rule]);
        assert!(rules(&found).contains(&"invalid-data-file"), "{rule}: {found:?}");
    }
    // It needs neither data nor Ruby.
    assert_eq!(rules(&check(&folder, &["--select", "star-comment"])), Vec::<&str>::new());
}

#[test]
fn topics_of_an_upgrade_are_counted_only_if_its_rules_are_selected() {
    let site: &[u8] = b"notice($facts['osfamily'])\n$a = { 'x' => 1, 'x' => 2 }\nnotice($a)\n";
    let toml: &[u8] = b"target-version = 8\n";
    let folder =
        Folder::new(&[("environment.conf", b""), ("manifests/site.pp", site), ("marotte.toml", toml)]);
    let run = check(&folder, &[]);
    assert!(run.stdout.contains("1  legacy facts"), "{run:?}");
    let run = check(&folder, &["--select", "duplicate-key"]);
    assert_eq!(rules(&run), ["duplicate-key"]);
    assert!(!run.stdout.contains("legacy facts"), "{run:?}");
}

#[test]
fn what_all_versions_accept_is_about_no_upgrade() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"include m\n"),
        ("modules/m/manifests/init.pp", b"class m {\n  notice(template('m/t.erb'))\n}\n"),
        ("modules/m/templates/t.erb", b"<%= @never_set %>\n"),
    ]);
    assert_eq!(rules(&check(&folder, &[])), ["unresolved-variable"]);
    let run = check(&folder, &["--target-version=8"]);
    assert_eq!(rules(&run), [""; 0]);
    assert!(run.stdout.contains("     0  errors, as `strict` is `error`\n"), "{run:?}");
    let run = check(&folder, &["--target-version=8", "--warn=unresolved-variable"]);
    assert_eq!(rules(&run), ["unresolved-variable"]);
    assert!(run.stdout.contains("     0  errors, as `strict` is `error`\n"), "{run:?}");
    folder.write("modules/m/templates/t.erb", b"<%= scope['m::never_set'] %>\n");
    let run = check(&folder, &["--target-version=8"]);
    assert!(run.stdout.contains("     1  errors, as `strict` is `error`\n"), "{run:?}");
}

#[test]
fn a_baseline_keeps_what_was_not_looked_for() {
    let manifest: &[u8] = b"class m {\n  $a = { 'x' => 1, 'x' => 2 }\n  notice($facts['osfamily'])\n}\n";
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"include m\n"),
        ("modules/m/manifests/init.pp", manifest),
    ]);
    let baseline = |more: &[&str]| check(&folder, &[&["--baseline=known.json"], more].concat());
    let run = baseline(&["--write-baseline"]);
    assert!(run.stderr.starts_with("Listed 2 findings"), "{run:?}");
    for partial in [&["--select", "duplicate-key"][..], &["--ignore", "legacy-fact"], &["manifests"]] {
        let run = baseline(partial);
        assert!(!run.stdout.contains("no longer there"), "{run:?}");
        let run = baseline(&[&["--write-baseline"], partial].concat());
        assert!(run.stderr.contains("Listed 2 findings"), "{run:?}");
    }
    folder.write("modules/m/manifests/init.pp", b"class m {\n  notice($facts['osfamily'])\n}\n");
    let run = baseline(&["--select", "duplicate-key"]);
    assert!(run.stdout.contains("1 finding of the baseline no longer there"), "{run:?}");
}

#[test]
fn a_selection_of_comments_alone_says_that_it_finds_little() {
    let folder = Folder::new(&[("a.pp", b"notice(1) # lint:ignore:duplicate-key\n")]);
    let run = check(&folder, &["--select", "unused-suppression"]);
    assert!(run.stderr.contains("no other rule is selected"), "{run:?}");
    let run = check(&folder, &["--select", "unused-suppression,duplicate-key"]);
    assert_eq!((rules(&run), run.stderr.as_str()), (vec!["unused-suppression"], ""));
}

#[test]
fn the_summary_counts_the_fixes() {
    let folder = Folder::new(&[("a.pp", b"user { 'a':\n  ensure = present,\n}\n")]);
    let run = check(&folder, &[]);
    assert!(run.stdout.ends_with("\n1 can be fixed with `--fix`\n"), "{run:?}");
    let run = folder.marotte(&["check", "--output-format=json"]);
    assert!(run.stderr.ends_with("\n1 can be fixed with `--fix`\n"), "{run:?}");
    assert!(!check(&folder, &["--quiet"]).stdout.contains("can be fixed"));
}

#[test]
fn names_that_modules_elsewhere_may_define_are_named() {
    let code: &[u8] = b"class m (Apt::Key $key) {\n  include concat\n  apt::source { 'x': }\n  a_type { pick($key, own()): }\n}\n";
    let metadata: &[u8] = br#"{"name": "x-m", "version": "1.0.0", "author": "x", "license": "x", "source": "x", "dependencies": [{"name": "x-apt"}, {"name": "x-concat"}]}"#;
    let folder = Folder::new(&[
        ("m/metadata.json", metadata),
        ("m/manifests/init.pp", code),
        (
            "m/lib/puppet/functions/own.rb",
            b"Puppet::Functions.create_function(:own) do\n  def own\n  end\nend\n",
        ),
        ("none/.keep", b""),
    ]);
    let check =
        |arguments: &[&str]| folder.marotte(&[&["check", "m", "--module-path", "none"], arguments].concat());
    let told = "Not checked: uses of the modules `apt`, `concat`, which are not here; `--module-path` names their folder\n\
                Not checked: uses of `pick()`, `a_type`, which no module here defines\n";
    let run = check(&[]);
    assert!(run.status == 0 && run.stdout.ends_with(told), "{run:?}");
    let run = check(&["--output-format=json"]);
    assert!(run.stderr.ends_with(told) && run.stdout == "[]\n", "{run:?}");
    // No rule that is requested resolves names.
    assert!(!check(&["--select", "star-comment"]).stdout.contains("Not checked"));
    assert!(!check(&["--quiet"]).stdout.contains("Not checked"));
}

#[test]
fn unused_code_that_cannot_be_told_is_named_with_the_reason() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"include profile\ninclude $facts['role']\n"),
        ("site-modules/profile/manifests/init.pp", b"class profile { }\n"),
        ("site-modules/profile/manifests/old.pp", b"class profile::old { }\n"),
    ]);
    folder.write("environment.conf", b"modulepath = site-modules\n");
    let computed = "Not checked: unused classes, because names are computed at manifests/site.pp:2\n";
    let run = check(&folder, &["--warn=tree"]);
    assert!(run.stdout.ends_with(computed), "{run:?}");
    assert!(!check(&folder, &[]).stdout.contains("Not checked"));
    assert!(!check(&folder, &["--warn=unused-function"]).stdout.contains("Not checked"));
    folder.write("manifests/site.pp", b"include profile\n");
    let run = check(&folder, &["--warn=unused-class"]);
    assert!(rules(&run) == ["unused-class"] && !run.stdout.contains("Not checked"), "{run:?}");
    folder.write("Puppetfile", b"mod 'own', git: 'https://example.org/own'\n");
    let missing = "Not checked: unused code, because the module `own` of the Puppetfile is not here\n";
    let run = check(&folder, &["--warn=unused-class"]);
    assert!(rules(&run).is_empty() && run.stdout.ends_with(missing), "{run:?}");
}

#[test]
fn modules_that_are_not_installed_or_ignored_by_git_are_named() {
    let puppetfile: &[u8] = b"mod 'puppetlabs-apache', '1.0.0'\nmod 'puppetlabs-stdlib', '1.0.0'\n";
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("Puppetfile", puppetfile),
        ("manifests/site.pp", b"include apache\napache::foo(1)\n"),
    ]);
    let told = "Not checked: uses of `apache`, `stdlib`, which are in the Puppetfile and not installed; `r10k puppetfile install` installs modules\n";
    let run = check(&folder, &[]);
    assert!(run.status == 0 && run.stdout.ends_with(told), "{run:?}");
    let run = folder.marotte(&["check", "--output-format=json"]);
    assert!(run.stderr.ends_with(told) && run.stdout == "[]\n", "{run:?}");
    // A rule says so, or none looks at uses.
    for selection in ["uninstalled-module", "star-comment"] {
        assert!(!check(&folder, &["--select", selection]).stdout.contains("Not checked"), "{selection}");
    }

    let apache: &[u8] =
        b"class apache {\n  notice({ 'a' => 1, 'a' => 2 })\n}\nfunction apache::foo($x) {\n}\n";
    folder.write("modules/apache/manifests/init.pp", apache);
    folder.write("modules/stdlib/manifests/init.pp", b"class stdlib {\n}\n");
    let counted = check(&folder, &["--ignore=illegal-definition-location,wrong-autoload-path"]);
    assert!(counted.stdout.contains("which `--third-party` shows"), "{counted:?}");
    folder.write(".gitignore", b"/modules/\n");
    let run = check(&folder, &[]);
    let ignored =
        "Not checked: 2 modules of the Puppetfile in folders that git ignores; `--third-party` checks them\n";
    assert!(run.status == 0 && run.stdout.ends_with(ignored), "{run:?}");
    let run = check(&folder, &["--third-party"]);
    assert!(rules(&run).contains(&"duplicate-key"), "{run:?}");
    assert!(!run.stdout.contains("Not checked"), "{run:?}");
}
