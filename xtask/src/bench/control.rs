//! A control repository of 200 classes and resource types, whose nodes have 3,000 resources each.

use std::fmt::Write as _;
use std::path::Path;

use crate::{Result, files};

/// The number of modules. Each has five classes and five resource types, and declares 150 resources.
const MODULES: u32 = 20;

/// The files of a module; `sample` in them is the placeholder for its name.
const FILES: &[(&str, &str)] = &[
    ("manifests/init.pp", include_str!("control/init.pp")),
    ("manifests/install.pp", include_str!("control/install.pp")),
    ("manifests/service.pp", include_str!("control/service.pp")),
    ("manifests/users.pp", include_str!("control/users.pp")),
    ("manifests/fragment.pp", include_str!("control/fragment.pp")),
    ("manifests/job.pp", include_str!("control/job.pp")),
    ("manifests/account.pp", include_str!("control/account.pp")),
    ("manifests/limit.pp", include_str!("control/limit.pp")),
    ("types/entry.pp", include_str!("control/entry.pp")),
];

/// The templates of a module, and the code that renders them.
const EPP: &[(&str, &str)] = &[
    ("manifests/config.pp", include_str!("control/config.pp")),
    ("manifests/site.pp", include_str!("control/site.pp")),
    ("templates/sample.conf.epp", include_str!("control/sample.conf.epp")),
    ("templates/site.conf.epp", include_str!("control/site.conf.epp")),
];

/// The same in Ruby, and functions in it.
const ERB: &[(&str, &str)] = &[
    ("manifests/config.pp", include_str!("control/ruby/config.pp")),
    ("manifests/site.pp", include_str!("control/ruby/site.pp")),
    ("templates/sample.conf.erb", include_str!("control/ruby/sample.conf.erb")),
    ("templates/site.conf.erb", include_str!("control/ruby/site.conf.erb")),
    ("lib/puppet/functions/sample/slug.rb", include_str!("control/ruby/slug.rb")),
    ("lib/puppet/parser/functions/sample_log.rb", include_str!("control/ruby/sample_log.rb")),
];

/// The language of templates.
#[derive(Clone, Copy)]
pub(super) enum Templates {
    /// Puppet.
    Epp,
    /// Ruby, in which some functions are written, too.
    Erb,
}

/// The facts of a node. `NODE` is replaced by its name.
pub(super) const FACTS: &str = include_str!("control/facts.yaml");

const HIERARCHY: &str = r#"version: 5
hierarchy:
  - name: node
    path: "nodes/%{trusted.certname}.yaml"
  - name: system
    path: "os/%{facts.os.family}.yaml"
  - name: common
    path: common.yaml
"#;

/// Writes the repository into a folder.
pub(super) fn write(folder: &Path, templates: Templates) -> Result<()> {
    let mut site = String::new();
    for name in write_modules(folder, templates)? {
        writeln!(site, "include {name}")?;
    }
    files::write(&folder.join("manifests/site.pp"), &site)?;
    files::write(&folder.join("environment.conf"), "")?;
    files::write(&folder.join("hiera.yaml"), HIERARCHY)?;
    Ok(())
}

/// Writes the modules and their data into the folder of an environment; returns the names of the modules.
pub(super) fn write_modules(folder: &Path, templates: Templates) -> Result<Vec<String>> {
    let rendered = match templates {
        Templates::Epp => EPP,
        Templates::Erb => ERB,
    };
    let mut names = Vec::new();
    let (mut common, mut system) = (String::new(), String::new());
    for number in 0..MODULES {
        let name = format!("app{number:02}");
        let own = |text: &str| text.replace("sample", &name).replace("Sample", &format!("App{number:02}"));
        for (path, text) in FILES.iter().chain(rendered) {
            files::write(&folder.join("modules").join(&name).join(own(path)), &own(text))?;
        }
        data(&name, number, &mut common, &mut system)?;
        names.push(name);
    }
    files::write(&folder.join("modules/stdlike/types/port.pp"), "type Stdlike::Port = Integer[1, 65535]\n")?;
    files::write(&folder.join("data/common.yaml"), &common)?;
    files::write(&folder.join("data/os/Debian.yaml"), &system)?;
    Ok(names)
}

/// Appends the data of a module: common data, and that of a family of operating systems.
fn data(name: &str, number: u32, common: &mut String, system: &mut String) -> Result<()> {
    writeln!(common, "{name}::directory: /etc/{name}")?;
    writeln!(
        common,
        "{name}::packages: [{}]",
        (0..10).map(|it| format!("p{it}")).collect::<Vec<_>>().join(", ")
    )?;
    writeln!(common, "{name}::sites:")?;
    for site in 0..15 {
        let port = 8000 + 20 * number + site;
        writeln!(
            common,
            "  site{site}: {{ port: {port}, aliases: [www{site}, \"old-%{{facts.kernel}}\"] }}"
        )?;
    }
    writeln!(common, "{name}::limits: {{ files: 1024, memory: 512, processes: 100, cores: 0, time: 60 }}")?;
    for (text, accounts) in [(common, 0..5), (system, 5..10)] {
        writeln!(text, "{name}::accounts:")?;
        for account in accounts {
            let uid = 2000 + 10 * number + account;
            writeln!(text, "  user{account}: {{ uid: {uid}, home: /home/{name}-user{account} }}")?;
        }
    }
    Ok(())
}

/// Writes the facts of `count` nodes into a folder; returns their names.
pub(super) fn write_facts(folder: &Path, count: usize) -> Result<Vec<String>> {
    let names: Vec<String> = (0..count).map(|it| format!("node{it:04}.example.com")).collect();
    for name in &names {
        files::write(&folder.join(format!("{name}.yaml")), &FACTS.replace("NODE", name))?;
    }
    Ok(names)
}
