//! Random edits of a monorepo in a clone: what editors, people, deployments and git do to files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::bench::monorepo;
use crate::{Result, files, process};

/// The number of modules in a copy of the monorepo.
const MODULES: usize = 156;

/// The number of rounds after which the tree is reset to a revision.
const RESET: usize = 12;

/// A configuration that is not TOML.
const WRONG: &str = "ignore = [\n";

/// The extent of the changes of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Only a few files.
    Files,
    /// Many files, or a file that all others depend on.
    Tree,
}

/// A kind of edit.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Adds a statement to a class.
    Statement,
    /// Adds a parameter to a class that others include.
    Parameter,
    /// Ends a manifest early, or adds what closes nothing.
    Broken,
    /// Fixes a manifest.
    Fixed,
    /// Changes data, or breaks it.
    Data,
    /// Changes a function or a fact in Ruby, or breaks it.
    Ruby,
    /// Changes the metadata of a module, or makes it invalid.
    Metadata,
    /// Changes the configuration of marotte, the environment or Hiera.
    Configuration,
    /// Adds a file to the tree.
    Created,
    /// Removes a file from the tree.
    Removed,
    /// Renames a file of the tree.
    Renamed,
    /// Adds a folder with files.
    FolderCreated,
    /// Removes a folder from the tree.
    FolderRemoved,
    /// Renames a folder of the tree.
    FolderRenamed,
    /// Replaces a manifest by a file that was written next to it, as editors do.
    Replaced,
    /// Checks another revision out.
    Switched,
}

/// All kinds of edits; frequent ones are listed several times.
const KINDS: [Kind; 26] = [
    Kind::Statement,
    Kind::Statement,
    Kind::Statement,
    Kind::Statement,
    Kind::Parameter,
    Kind::Parameter,
    Kind::Broken,
    Kind::Broken,
    Kind::Fixed,
    Kind::Fixed,
    Kind::Fixed,
    Kind::Data,
    Kind::Data,
    Kind::Data,
    Kind::Ruby,
    Kind::Ruby,
    Kind::Metadata,
    Kind::Configuration,
    Kind::Created,
    Kind::Removed,
    Kind::Renamed,
    Kind::FolderCreated,
    Kind::FolderRemoved,
    Kind::FolderRenamed,
    Kind::Replaced,
    Kind::Switched,
];

/// A clone, and the numbers that decide on its edits.
pub(super) struct Edits {
    tree: PathBuf,
    copies: usize,
    state: u64,
    rounds: usize,
    count: usize,
    /// The edits of the last round.
    told: Vec<String>,
}

impl Edits {
    /// Makes a repository of a tree, with two revisions.
    pub(super) fn new(tree: &Path, copies: usize, seed: u64) -> Result<Edits> {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut edits = Edits { tree: tree.to_owned(), copies, state, rounds: 0, count: 0, told: Vec::new() };
        edits.git(&["init", "--quiet", "--initial-branch=main"])?;
        edits.commit()?;
        edits.git(&["checkout", "--quiet", "-b", "other"])?;
        for _ in 0..60 {
            edits.one([Kind::Statement, Kind::Parameter, Kind::Data, Kind::Created, Kind::Removed])?;
        }
        edits.commit()?;
        edits.git(&["checkout", "--quiet", "main"])?;
        edits.count = 0;
        Ok(edits)
    }

    /// The number of edits so far.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The edits of the last round, in words.
    pub(super) fn told(&self) -> String {
        self.told.join(", ")
    }

    /// Makes some edits, one after the other or almost at once. Returns the time after the last one.
    pub(super) fn round(&mut self) -> Result<(Scope, Instant)> {
        self.told.clear();
        self.rounds += 1;
        if self.rounds.is_multiple_of(RESET) {
            self.count += 1;
            self.told.push("everything is as it was".to_owned());
            self.git(&["checkout", "--quiet", "--force", "main"])?;
            self.git(&["clean", "--quiet", "--force", "-d"])?;
            return Ok((Scope::Tree, Instant::now()));
        }
        let mut scope = Scope::Files;
        // With a wrong configuration, there is nothing to compare with.
        if files::read(&self.tree.join("marotte.toml")).is_ok_and(|it| it == WRONG) {
            self.remove(Path::new("marotte.toml"));
            scope = Scope::Tree;
        }
        let mut written = Instant::now();
        for number in 0..[1, 1, 1, 2, 5, 12][self.below(6)] {
            if number > 0 {
                thread::sleep(Duration::from_millis([0, 0, 5, 20, 60][self.below(5)]));
            }
            if self.one(KINDS)? == Scope::Tree {
                scope = Scope::Tree;
            }
            written = Instant::now();
        }
        Ok((scope, written))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 16) as usize % limit
    }

    /// Makes one edit, of one of some kinds.
    fn one<const N: usize>(&mut self, kinds: [Kind; N]) -> Result<Scope> {
        let kind = kinds[self.below(N)];
        let (copy, module, number) =
            (self.below(self.copies), self.below(MODULES), self.below(monorepo::ROLES));
        let name = monorepo::name(copy, module);
        let home = PathBuf::from("modules").join(&name);
        let role = monorepo::role(copy, module, number);
        self.count += 1;
        self.told.push(format!("{kind:?} {name}"));
        let again = self.count;
        let mut scope = Scope::Files;
        match kind {
            Kind::Statement => {
                let other = monorepo::name(copy, self.below(MODULES));
                let statement = [
                    format!("notify {{ 'edit {again}': }}"),
                    format!("include {other}::role00"),
                    format!("include {other}::nowhere"),
                    format!("$edit_{again} = ${other}::port + 'x'"),
                    format!("{other}::site {{ 'edit {again}': port => 'eighty', none => 1 }}"),
                    "file { '/same': ensure => file, mode => 7 }".to_owned(),
                ][self.below(6)]
                .clone();
                self.edit(&role, |text| {
                    let (before, after) = text.split_at(text.rfind('}').unwrap_or(text.len()));
                    format!("{before}  {statement}\n{after}")
                })?;
            }
            Kind::Parameter => {
                let parameter = format!("  Optional[String] $edit_{again} = undef,\n");
                self.edit(&monorepo::class(copy, module), |text| {
                    text.replacen("(\n", &format!("(\n{parameter}"), 1)
                })?;
            }
            Kind::Broken => {
                let part = self.below(100);
                self.edit(&role, |text| match part % 3 {
                    0 => format!("{text}}}\n"),
                    1 => text.replacen("=>", "=", 1),
                    // All of the text is in ASCII.
                    _ => text.get(..text.len() * part / 100).unwrap_or_default().to_owned(),
                })?;
            }
            Kind::Fixed => {
                let path = role.to_string_lossy();
                self.git(&["checkout", "--quiet", "--force", "main", "--", &path])?;
            }
            Kind::Data => {
                let choice = self.below(4);
                self.edit(&monorepo::data_file(copy, module), |text| match choice {
                    0 => text.replacen("port: 8", "port: eighty-8", 1),
                    1 => text.replacen("::owner:", "::none:", 1),
                    2 => format!("{text}  - [broken\n"),
                    _ => format!("{name}::extra: [edit]\n").replace("[edit]", &format!("[e{again}]")),
                })?;
            }
            Kind::Ruby => {
                let path = home.join("lib/puppet/functions").join(&name).join("path.rb");
                let fact = home.join("lib/facter/own.rb");
                let function = format!(
                    "Puppet::Functions.create_function(:'{name}::path') do\n  def path(name)\n    name + '{again}'\n  end\nend\n"
                );
                match self.below(4) {
                    0 => self.write(&path, &function)?,
                    1 => self.write(&path, &function.replacen("def", "de(f", 1))?,
                    2 => {
                        self.write(&fact, &format!("Facter.add(:own_{again}) do\n  setcode {{ 1 }}\nend\n"))?
                    }
                    _ => self.remove(&path),
                }
            }
            Kind::Metadata => {
                let path = home.join("metadata.json");
                match self.below(3) {
                    0 => self.write(&path, "{ \"name\": ")?,
                    1 => self.write(&path, &format!("{{\"name\": \"own-{name}\", \"version\": \"1.0.{again}\", \"dependencies\": []}}\n"))?,
                    _ => self.remove(&path),
                }
                // What a module depends on decides on what all of its files may use.
                scope = Scope::Tree;
            }
            Kind::Configuration => {
                scope = Scope::Tree;
                match self.below(5) {
                    0 => self.write(Path::new("marotte.toml"), "ignore = ['duplicate-declaration']\n")?,
                    1 => self.write(Path::new("marotte.toml"), WRONG)?,
                    2 => self.remove(Path::new("marotte.toml")),
                    3 => self.edit(Path::new("environment.conf"), |_| {
                        format!("modulepath = modules:site{}\n", again % 2)
                    })?,
                    _ => self.edit(Path::new("hiera.yaml"), |text| match text.contains("edit.yaml") {
                        true => text.replace("edit.yaml", "common.yaml"),
                        false => text.replace("common.yaml", "edit.yaml"),
                    })?,
                }
            }
            Kind::Created => {
                let path = home.join(format!("manifests/edit_{}.pp", again % 7));
                let class = format!("class {name}::edit_{} {{ include {name} }}\n", self.below(7));
                self.write(&path, &class)?;
            }
            Kind::Removed => self.remove(&role),
            Kind::Renamed => {
                let to = role.with_file_name(format!("renamed{}.pp", self.below(5)));
                self.rename(&role, &to);
            }
            Kind::FolderCreated => {
                scope = Scope::Tree;
                let module = format!("site{}/new{}", self.below(2), self.below(3));
                let init = Path::new(&module).join("manifests/init.pp");
                let last = module.rsplit('/').next().unwrap_or_default();
                self.write(&init, &format!("class {last} {{ include {name} }}\n"))?;
                self.write(
                    &Path::new(&module).join("manifests/sub/deep.pp"),
                    &format!("class {last}::sub::deep {{ }}\n"),
                )?;
            }
            Kind::FolderRemoved => {
                scope = Scope::Tree;
                // It may not be there.
                let _ = files::remove_folder(&self.tree.join(&home));
            }
            Kind::FolderRenamed => {
                scope = Scope::Tree;
                let to = Path::new("modules").join(format!("moved{}", self.below(3)));
                self.rename(&home, &to);
            }
            Kind::Replaced => {
                let draft = role.with_file_name(".draft.swp");
                let text = files::read(&self.tree.join(&role)).unwrap_or_default();
                self.write(&draft, &format!("# edit {again}\n{text}"))?;
                if self.tree.join(&role).exists() {
                    self.rename(&draft, &role);
                } else {
                    self.remove(&draft);
                }
            }
            Kind::Switched => {
                scope = Scope::Tree;
                let branch = ["main", "other"][self.below(2)];
                self.git(&["checkout", "--quiet", "--force", branch])?;
            }
        }
        Ok(scope)
    }

    /// Rewrites a file, if it exists.
    fn edit(&self, path: &Path, edit: impl FnOnce(&str) -> String) -> Result<()> {
        match files::read(&self.tree.join(path)) {
            Ok(text) => self.write(path, &edit(&text)),
            Err(_) => Ok(()),
        }
    }

    fn write(&self, path: &Path, text: &str) -> Result<()> {
        files::write(&self.tree.join(path), text)
    }

    /// Removes a file, if it exists.
    fn remove(&self, path: &Path) {
        let _ = files::remove_file(&self.tree.join(path));
    }

    /// Renames a file or a folder, if it exists and no folder is at the new path.
    fn rename(&self, from: &Path, to: &Path) {
        let _ = fs::rename(self.tree.join(from), self.tree.join(to));
    }

    fn commit(&self) -> Result<()> {
        self.git(&["add", "--all"])?;
        self.git(&["commit", "--quiet", "--message=edits"])
    }

    /// Runs git, independent of the user's settings. It is not an error if a revision doesn't have a file.
    fn git(&self, arguments: &[&str]) -> Result<()> {
        let mut git = Command::new("git");
        git.current_dir(&self.tree).args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
        git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        for role in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{role}_NAME"), "nobody")
                .env(format!("GIT_{role}_EMAIL"), "nobody@example.com");
        }
        let status = git.status().map_err(|error| format!("cannot run git: {error}"))?;
        let is_restore = arguments.contains(&"--");
        match status.success() || is_restore {
            true => Ok(()),
            false => Err(format!("`{}` failed ({status})", process::words(&git)).into()),
        }
    }
}
