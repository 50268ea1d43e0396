//! `marotte verify`.

use crate::support::{Folder, Run};

const FILES: &[(&str, &[u8])] = &[
    ("environment.conf", b""),
    ("manifests/site.pp", b"notify { 'b': message => 'x' }\nnotify { 'a': }\n"),
    // Its result is only known by running it.
    (
        "modules/m/lib/puppet/functions/m/f.rb",
        b"Puppet::Functions.create_function(:'m::f') do\n  def f\n    File.exist?('/x')\n  end\nend\n",
    ),
];

/// Compares the catalog of a folder with this main manifest with an earlier one.
fn verify(manifest: &str) -> Run {
    verify_against(&String::from_utf8_lossy(FILES[1].1), manifest)
}

/// Compares the catalog of one main manifest with that of another.
fn verify_against(other: &str, manifest: &str) -> Run {
    let folder = Folder::new(FILES);
    folder.write("manifests/site.pp", other.as_bytes());
    let compiled = folder.marotte(&["compile", "n", "--format", "json"]);
    assert_eq!(compiled.status, 0, "{}", compiled.stderr);
    folder.write("catalog.json", compiled.stdout.as_bytes());
    folder.write("manifests/site.pp", manifest.as_bytes());
    folder.marotte(&["verify", "--against", "catalog.json", "n"])
}

fn last_line(run: &Run) -> &str {
    run.stdout.lines().last().unwrap_or_default()
}

#[test]
fn differences_are_told_and_counted() {
    let same = verify("notify { 'b': message => 'x' }\nnotify { 'a': }\n");
    assert_eq!((same.status, same.stdout.as_str()), (0, "n: the same, all 5 resources\n"), "{}", same.stderr);
    let other = verify("notify { 'b': message => 'y' }\nnotify { 'a': }\n");
    assert_eq!((other.status, last_line(&other)), (1, "n: 1 differences"));
}

#[test]
fn what_is_not_known_is_no_difference() {
    let value = verify("notify { 'b': message => m::f() }\nnotify { 'a': }\n");
    assert_eq!(
        (value.status, last_line(&value)),
        (3, "n: the same as far as it is known; INCOMPLETE: 5 of 5 resources are known, 1 values are not")
    );

    let decision = verify("notify { 'b': message => 'x' }\nif m::f() { notify { 'a': } }\n");
    assert_eq!(
        (decision.status, last_line(&decision)),
        (3, "n: the same as far as it is known; INCOMPLETE: 4 of 5 resources are known"),
        "{}",
        decision.stdout
    );
    assert!(decision.stdout.contains("Notify[a]"), "{}", decision.stdout);

    // A present but different resource is a difference nevertheless.
    let other = verify("notify { 'b': message => 'y' }\nif m::f() { notify { 'a': } }\n");
    assert_eq!(other.status, 1, "{}", other.stdout);
}

#[test]
fn relationships_that_may_be_left_out_are_no_difference() {
    let resources = "notify { 'b': }\nnotify { 'c': }\nnotify { 'd': }\n";
    let other = format!("notify {{ 'a': before => Notify['b'] }}\n{resources}Notify['a'] -> Notify['c']\n");
    let manifest = |before: &str| {
        format!(
            "notify {{ 'a': before => Notify['{before}'] }}\n{resources}if m::f() {{ Notify['a'] -> Notify['c'] }}\n"
        )
    };
    let fewer = verify_against(&other, &manifest("b"));
    assert_eq!(
        (fewer.status, fewer.stdout.starts_with("? Notify[a] before: not known")),
        (3, true),
        "{}",
        fewer.stdout
    );
    let another = verify_against(&other, &manifest("d"));
    assert_eq!(
        (another.status, another.stdout.starts_with("~ Notify[a] before: ")),
        (1, true),
        "{}",
        another.stdout
    );
}
