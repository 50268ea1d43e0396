//! `cargo xtask confinement`: traces the files that marotte opens, the programs that it runs and the texts that it shows when a
//! code tree refers to places outside of it. Needs Linux and `strace`.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::bench::build;
use crate::console::{complain, say};
use crate::random::Random;
use crate::{Result, files};

/// The number of trees, and the program that reads them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of generated trees.
    #[arg(long, default_value_t = 50)]
    trees: u64,
    /// The number of the first tree. A tree is generated from its number.
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// The program to try, instead of a release build.
    #[arg(long)]
    marotte: Option<PathBuf>,
}

/// A text that occurs only in files outside of the tree.
const CANARY: &str = "kanarienvogel";

/// The files next to the tree, which code and links in the tree name.
const OUTSIDE: [(&str, &str); 12] = [
    ("site.pp", "class kanarienvogel { notify { 'kanarienvogel': } }\nnotify { 'kanarienvogel out': }\n"),
    ("broken.pp", "$kanarienvogel = [\nfile { 'kanarienvogel': ensure = kanarienvogel }\n"),
    ("key", "kanarienvogel\n"),
    ("data.yaml", "key: kanarienvogel\nlookup_options: {key: {merge: kanarienvogel}}\n"),
    ("broken.yaml", "key: [kanarienvogel\n"),
    ("hiera.yaml", "version: 5\nhierarchy: [{name: kanarienvogel, path: data.yaml, datadir: .}]\n"),
    ("m/manifests/init.pp", "class m($p = 'kanarienvogel') { notify { $p: } }\n"),
    ("m/metadata.json", "{\"name\": \"kanarienvogel\", \"version\": 1}\n"),
    ("m/templates/t.epp", "kanarienvogel <%= $kanarienvogel %>\n"),
    ("m/templates/t.erb", "kanarienvogel <%= @kanarienvogel %>\n"),
    (
        "m/lib/puppet/functions/leave.rb",
        "Puppet::Functions.create_function(:leave) { def leave; 'kanarienvogel'; end }\n",
    ),
    ("marotte.toml", "select = [\"kanarienvogel\"]\n"),
];

/// Statements that read, run or connect to something outside. `OUT` is the absolute path of the folder of [`OUTSIDE`].
const STATEMENTS: [&str; 20] = [
    "notice(file('OUT/key'))",
    "notice(file('OUT/none', 'OUT/key'))",
    "notice(file('n/../../../outside/key'))",
    "notice(epp('n/../../../../outside/m/templates/t.epp'))",
    "notice(epp('OUT/m/templates/t.epp'))",
    "notice(template('OUT/m/templates/t.erb'))",
    "notice(template('n/../../../../outside/m/templates/t.erb'))",
    "notice(inline_template('<%= File.read(\"OUT/key\") %>'))",
    "notice(inline_template('<%= `cat OUT/key` %><%= %x(id) %>'))",
    "notice(generate('/bin/cat', 'OUT/key'))",
    "notice(find_file('OUT/key'), find_template('n/../../../outside/key'), find_file('n/link'))",
    "notice(binary_file('OUT/key'))",
    "notice(file('n/link'))",
    "notice(lookup('key', { default_value => 'none' }))",
    "notice(n::run())",
    "notice(n::connect())",
    "notice(n::read())",
    "notice(leave())",
    "include m",
    "notice(module_directory('m'), load_module_metadata('m'), load_module_metadata('n'))",
];

/// Links that lead out of the tree, each with the names of the files in [`OUTSIDE`] that it may refer to.
const LINKS: [(&str, &[&str]); 16] = [
    ("modules/m", &["m"]),
    ("modules/n/files/link", &["key", "none"]),
    ("modules/n/templates/link.epp", &["m/templates/t.epp", "key"]),
    ("modules/n/metadata.json", &["m/metadata.json", "key"]),
    ("modules/n/manifests/link.pp", &["site.pp", "broken.pp"]),
    ("modules/n/data", &["."]),
    ("modules/n/hiera.yaml", &["hiera.yaml"]),
    ("manifests/link.pp", &["site.pp", "broken.pp", "key", "."]),
    ("data/link.yaml", &["data.yaml", "broken.yaml", "key"]),
    ("data/common.yaml", &["data.yaml", "broken.yaml"]),
    ("Puppetfile", &["key", "site.pp"]),
    (".gitignore", &["key"]),
    ("marotte.toml", &["marotte.toml"]),
    ("hiera.yaml", &["hiera.yaml"]),
    ("environment.conf", &["key"]),
    ("loop", &["../tree"]),
];

/// Hierarchies whose data is outside.
const HIERARCHIES: [&str; 6] = [
    "version: 5\nhierarchy: [{name: a, paths: [link.yaml, common.yaml]}]\n",
    "version: 5\nhierarchy: [{name: a, path: data.yaml, datadir: ../outside}]\n",
    "version: 5\nhierarchy: [{name: a, path: data.yaml, datadir: OUT}]\n",
    "version: 5\nhierarchy: [{name: a, path: ../../outside/data.yaml}, {name: b, glob: '../../outside/*.yaml'}]\n",
    "version: 5\nhierarchy: [{name: a, path: OUT/data.yaml}, {name: b, lookup_key: n::read}]\n",
    "version: 5\nhierarchy: [{name: a, path: common.yaml, lookup_key: eyaml_lookup_key, options: {pkcs7_private_key: OUT/key, pkcs7_public_key: OUT/key}}]\n",
];

/// Configurations of an environment that lead out of it.
const ENVIRONMENTS: [&str; 5] = [
    "",
    "modulepath = modules:../outside\n",
    "modulepath = modules:OUT\n",
    "manifest = ../outside/site.pp\n",
    "modulepath = modules:/etc:/proc/self/cwd\nmanifest = manifests\nconfig_version = /bin/id\n",
];

/// The modules' functions in Ruby, which try the same.
const FUNCTIONS: [(&str, &str); 3] = [
    ("run", "system('id'); `id`; IO.popen('id').read; Process.spawn('id')"),
    (
        "connect",
        "require 'socket'; TCPSocket.new('127.0.0.1', 9).read; require 'net/http'; Net::HTTP.get('localhost', '/')",
    ),
    (
        "read",
        "File.read('OUT/key') + File.open('OUT/key', &:read) + Dir['OUT/*'].join + File.readlink('OUT')",
    ),
];

/// The beginnings of the paths of the system that a process itself needs.
const OF_SYSTEM: [&str; 10] = [
    "/lib",
    "/usr/lib",
    "/etc/ld.so",
    "/etc/localtime",
    // The user's own files to ignore may be named here.
    "/etc/gitconfig",
    "/usr/share/zoneinfo",
    "/proc/",
    "/sys/fs/cgroup",
    "/sys/devices/system",
    "/dev/urandom",
];

/// Checks, evaluates and compiles each tree under `strace`, and compares the opened files, the started programs and the output
/// with the permitted ones.
///
/// # Errors
/// If a guarantee is violated. The first violation of each tree is reported.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let marotte = match &arguments.marotte {
        Some(path) => path.clone(),
        None => build::release()?.marotte,
    };
    let folder = std::env::temp_dir().join(format!("marotte-confinement-{}", std::process::id()));
    let (mut runs, mut opened, mut broken) = (0, 0, 0);
    for number in arguments.first..arguments.first + arguments.trees {
        files::make_folder(&folder)?;
        let tried = generate(&folder, number).and_then(|()| try_commands(&marotte, &folder));
        files::remove_folder(&folder)?;
        match tried {
            Ok((more_runs, more_opened)) => {
                runs += more_runs;
                opened += more_opened;
            }
            Err(error) => {
                complain(&format!("tree {number}: {error}"));
                broken += 1;
            }
        }
    }
    if broken > 0 {
        return Err(format!("{broken} of {} trees break a promise", arguments.trees).into());
    }
    say(&format!(
        "{} trees, {runs} runs, {opened} files opened: none outside of the trees, no process, no connection, nothing shown",
        arguments.trees
    ));
    Ok(())
}

/// Runs the commands on a tree. Returns the number of runs, and of the files that they opened.
fn try_commands(marotte: &Path, folder: &Path) -> Result<(usize, usize)> {
    let confined: [&[&str]; 6] = [
        &["check", "--untrusted", "tree"],
        &["check", "--untrusted", "--warn=all", "--output-format=json", "tree"],
        &["eval", "tree/manifests/site.pp"],
        &["lookup", "key", "--environment-dir", "tree"],
        &["lookup", "key", "--explain", "--compile", "--environment-dir", "tree"],
        &["compile", "node.example", "--format=json", "--environment-dir", "tree"],
    ];
    let (mut opened, mut manifests) = (0, 0);
    for command in confined {
        let (output, trace) = traced(marotte, folder, command)?;
        let broken = |what: &str| format!("`{}` {what}", command.join(" "));
        ended(&output).map_err(|it| broken(&it))?;
        if shows(&output) {
            return Err(broken("shows a text from outside").into());
        }
        let mut processes = 0;
        for line in trace.lines() {
            let call = line.split_once(' ').map_or(line, |(_, call)| call.trim_start());
            if call.starts_with("connect(") {
                return Err(broken(&format!("connects: {call}")).into());
            }
            processes += usize::from(call.starts_with("execve("));
            let Some(path) = opened_path(call) else { continue };
            opened += 1;
            if !is_allowed(path, folder) {
                return Err(broken(&format!("opens {path}")).into());
            }
            manifests += usize::from(path.ends_with(".pp"));
        }
        if processes != 1 {
            return Err(broken(&format!("starts {} processes", processes - 1)).into());
        }
    }
    if manifests == 0 {
        return Err("no manifest is seen to be opened: the calls that do so are not traced".into());
    }
    // Without the option, links may be followed, but what is there is not shown.
    for format in ["full", "json"] {
        let format = format!("--output-format={format}");
        let mut command = Command::new(marotte);
        command.args(["check", "--warn=all", &format, "tree"]).current_dir(folder).stdin(Stdio::null());
        let output = without_home(&mut command, folder).output()?;
        ended(&output).map_err(|it| format!("`check` {it}"))?;
        if shows(&output) {
            return Err("`check` shows a text from outside".into());
        }
    }
    Ok((confined.len() + 2, opened))
}

/// Fails unless a process has ended normally, with one of its own statuses.
fn ended(output: &Output) -> std::result::Result<(), String> {
    match output.status.code() {
        Some(0..=3) => Ok(()),
        _ => Err(format!("ends with {}", output.status)),
    }
}

fn shows(output: &Output) -> bool {
    [&output.stdout, &output.stderr].into_iter().any(|it| {
        // The name of a class that the tree includes, or a path, is no content.
        String::from_utf8_lossy(it).contains(CANARY)
    })
}

/// Returns the real path of a file that a call has opened, from a line of strace. None for other calls, and if it failed.
/// Calls that other threads interrupt have a second line with the result.
fn opened_path(call: &str) -> Option<&str> {
    let name = call.strip_prefix("<... ").unwrap_or(call);
    let name = name.split_once(['(', ' ']).map_or(name, |(name, _)| name);
    if !["open", "openat", "openat2"].contains(&name) {
        return None;
    }
    let (_, result) = call.rsplit_once(" = ")?;
    let (_, path) = result.split_once('<')?;
    path.strip_suffix('>')
}

fn is_allowed(path: &str, folder: &Path) -> bool {
    // The folder of the tree may be listed, to find what is next to the tree's own configuration.
    Path::new(path).starts_with(folder.join("tree")) || OF_SYSTEM.iter().any(|it| path.starts_with(it))
}

/// Leaves the configuration of the user out.
fn without_home<'c>(command: &'c mut Command, folder: &Path) -> &'c mut Command {
    command.env("HOME", folder.join("home")).env_remove("XDG_CONFIG_HOME")
}

/// Runs the program, and returns its calls that open files, start processes or connect.
fn traced(marotte: &Path, folder: &Path, arguments: &[&str]) -> Result<(Output, String)> {
    let trace = folder.join("trace");
    let mut command = Command::new("strace");
    command.args([
        "-f",
        "-y",
        "-qq",
        "-e",
        "trace=open,openat,openat2,execve,connect",
        "-e",
        "signal=none",
        "-o",
    ]);
    command.arg(&trace).arg(marotte).args(arguments).current_dir(folder).stdin(Stdio::null());
    let output =
        without_home(&mut command, folder).output().map_err(|error| format!("cannot run strace: {error}"))?;
    Ok((output, files::read(&trace)?))
}

/// Writes the tree of a number, and the files next to it.
fn generate(folder: &Path, number: u64) -> Result<()> {
    let mut random = Random::new(number);
    let (tree, outside) = (folder.join("tree"), folder.join("outside"));
    let out = outside.to_string_lossy().into_owned();
    let here = |text: &str| text.replace("OUT", &out);
    for (path, text) in OUTSIDE {
        files::write(&outside.join(path), text)?;
    }
    let statements: String =
        STATEMENTS.iter().filter(|_| random.below(3) == 0).map(|it| here(it) + "\n").collect();
    files::write(&tree.join("manifests/site.pp"), &statements)?;
    // Each statement can be the one that is reached: an error ends a manifest, but no class.
    for (index, statement) in STATEMENTS.iter().enumerate().filter(|_| random.below(2) == 0) {
        let text = format!("class n::c{index} {{ {} }}\n", here(statement));
        files::write(&tree.join(format!("modules/n/manifests/c{index}.pp")), &text)?;
        files::write(&tree.join(format!("manifests/c{index}.pp")), &format!("include n::c{index}\n"))?;
    }
    files::write(&tree.join("hiera.yaml"), &here(random.choose(&HIERARCHIES)))?;
    files::write(&tree.join("environment.conf"), &here(random.choose(&ENVIRONMENTS)))?;
    files::write(&tree.join("data/common.yaml"), "key: \"%{lookup('other')}\"\nother: 1\n")?;
    for (name, code) in FUNCTIONS {
        let text = format!(
            "Puppet::Functions.create_function(:'n::{name}') do\n  def {name}(*)\n    {}\n  end\nend\n",
            here(code)
        );
        files::write(&tree.join(format!("modules/n/lib/puppet/functions/n/{name}.rb")), &text)?;
    }
    for (path, targets) in LINKS {
        if random.below(2) == 0 {
            continue;
        }
        let link = tree.join(path);
        if let Some(parent) = link.parent() {
            files::make_folder(parent)?;
        }
        if link.exists() {
            files::remove_file(&link)?;
        }
        // Half of the links are relative.
        let target = random.choose(targets);
        let up = "../".repeat(path.matches('/').count() + 1);
        let target =
            if random.below(2) == 0 { format!("{out}/{target}") } else { format!("{up}outside/{target}") };
        symlink(target, &link)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opened_files_are_read_from_a_trace() {
        let call = r#"openat(AT_FDCWD, "tree/link", O_RDONLY|O_CLOEXEC) = 3</t/outside/key>"#;
        assert_eq!(opened_path(call), Some("/t/outside/key"));
        let call = r#"openat2(AT_FDCWD</t>, "tree/a", {flags=O_RDONLY|O_CLOEXEC, resolve=RESOLVE_NO_SYMLINKS}, 24) = 3</t/tree/a>"#;
        assert_eq!(opened_path(call), Some("/t/tree/a"));
        assert_eq!(opened_path(r#"openat2(AT_FDCWD</t>, "tree/a", {flags=O_RDONLY <unfinished ...>"#), None);
        assert_eq!(opened_path("<... openat2 resumed>) = 3</t/tree/a>"), Some("/t/tree/a"));
        assert_eq!(opened_path(r#"openat(AT_FDCWD, "x", O_RDONLY) = -1 ENOENT (No such file)"#), None);
        assert!(!is_allowed("/t/outside/key", Path::new("/t")) && is_allowed("/t/tree/a", Path::new("/t")));
    }
}
