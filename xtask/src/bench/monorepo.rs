//! A monorepo: one environment whose manifests refer to each other, generated deterministically, in a given number of copies.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::{Result, files};

/// The number of modules in a copy, each with 20 manifests.
const MODULES: usize = 156;

/// The number of modules in a chain of includes.
const CHAIN: usize = 12;

/// The number of modules that share a data file.
const IN_FILE: usize = 8;

/// The number of classes of a module that declare resources.
pub(crate) const ROLES: usize = 14;

const HIERARCHY: &str = "version: 5\nhierarchy:\n  - name: role\n    path: \"roles/%{role}.yaml\"\n  - name: common\n    path: common.yaml\n";

/// Writes the copies into a folder, and returns the number of manifests.
pub(crate) fn write(folder: &Path, copies: usize) -> Result<usize> {
    let mut site = String::new();
    for copy in 0..copies {
        for number in 0..MODULES {
            module(folder, copy, number)?;
        }
        for first in (0..MODULES).step_by(IN_FILE) {
            let names = (first..MODULES.min(first + IN_FILE)).map(|it| name(copy, it));
            let text: String = names.map(|it| data(&it, 8080)).collect();
            files::write(&folder.join(data_file(copy, first)), &text)?;
        }
        writeln!(site, "node 'n{copy}' {{\n  include {}\n}}", name(copy, 0))?;
    }
    files::write(&folder.join("manifests/site.pp"), &site)?;
    files::write(&folder.join("environment.conf"), "modulepath = modules\n")?;
    files::write(&folder.join("hiera.yaml"), HIERARCHY)?;
    files::write(&folder.join("data/common.yaml"), "--- {}\n")?;
    Ok(copies * MODULES * (ROLES + 6) + 1)
}

/// Returns the name of a module.
pub(crate) fn name(copy: usize, number: usize) -> String {
    format!("c{copy:02}_app{:03}", number % MODULES)
}

/// Returns the path of a class that declares resources.
pub(crate) fn role(copy: usize, number: usize, role: usize) -> PathBuf {
    format!("modules/{}/manifests/role{:02}.pp", name(copy, number), role % ROLES).into()
}

/// Returns the path of the class that other modules include.
pub(crate) fn class(copy: usize, number: usize) -> PathBuf {
    format!("modules/{}/manifests/init.pp", name(copy, number)).into()
}

/// Returns the path of the file with the data of a module.
pub(crate) fn data_file(copy: usize, number: usize) -> PathBuf {
    format!("data/roles/c{copy:02}_{:03}.yaml", number % MODULES / IN_FILE).into()
}

/// Returns the data of a module.
pub(crate) fn data(name: &str, port: usize) -> String {
    format!("{name}::port: {port}\n{name}::owner: root\n{name}::extra:\n  - one\n  - two\n")
}

fn module(folder: &Path, copy: usize, number: usize) -> Result<()> {
    let m = name(copy, number);
    let next = name(copy, number + 1);
    let near = name(copy, number + 5);
    let mut manifests: Vec<(String, String)> = Vec::new();
    let include = match (number + 1) % CHAIN {
        0 => String::new(),
        _ => format!("  include {next}\n"),
    };
    manifests.push(("init".into(), format!(
        "# The application {m}.\nclass {m} (\n  Integer $port,\n  String $owner = 'root',\n  Array[String] $extra = [],\n) {{\n  include {m}::params\n  include {m}::install\n  include {m}::config\n  include {m}::service\n{include}  Class['{m}::install'] -> Class['{m}::config'] ~> Class['{m}::service']\n  {m}::site {{ 'main':\n    port => $port,\n    root => $owner,\n  }}\n}}\n"
    )));
    manifests.push(("params".into(), format!(
        "# What differs between systems.\nclass {m}::params {{\n  case $facts['os']['family'] {{\n    'Debian': {{\n      $package = '{m}'\n      $directory = '/etc/{m}'\n    }}\n    default: {{\n      $package = '{m}-server'\n      $directory = '/opt/{m}'\n    }}\n  }}\n  $mode = '0644'\n}}\n"
    )));
    manifests.push(("install".into(), format!(
        "# Installs it.\nclass {m}::install {{\n  include {m}::params\n  package {{ ${m}::params::package:\n    ensure => installed,\n  }}\n}}\n"
    )));
    manifests.push(("config".into(), format!(
        "# Configures it.\nclass {m}::config inherits {m}::params {{\n  file {{ $directory:\n    ensure => directory,\n    mode   => '0755',\n  }}\n  file {{ \"${{directory}}/main.conf\":\n    ensure  => file,\n    mode    => $mode,\n    content => \"port {{$facts['networking']['fqdn']}}\",\n  }}\n}}\n"
    )));
    manifests.push(("service".into(), format!(
        "# Runs it.\nclass {m}::service {{\n  service {{ '{m}':\n    ensure => running,\n    enable => true,\n  }}\n}}\n"
    )));
    manifests.push(("site".into(), format!(
        "# A site.\ndefine {m}::site (\n  Integer[1, 65535] $port,\n  String $root = '/srv',\n) {{\n  file {{ \"/etc/{m}/${{title}}.conf\":\n    ensure  => file,\n    content => \"${{root}}:${{port}}\\n\",\n  }}\n}}\n"
    )));
    for role in 0..ROLES {
        manifests.push((format!("role{role:02}"), format!(
            "# A role.\nclass {m}::role{role:02} {{\n  include {m}\n  $where = \"${{{m}::params::directory}}/role{role:02}\"\n  $names = ['a', 'b', 'c'].map |$it| {{ \"{m}-${{it}}\" }}\n  file {{ $where:\n    ensure => directory,\n    owner  => ${m}::owner,\n    mode   => ${m}::params::mode,\n  }}\n  $names.each |Integer $index, String $it| {{\n    if $index > 0 and $facts['os']['family'] == 'Debian' {{\n      file {{ \"${{where}}/${{it}}\":\n        ensure  => file,\n        content => \"${{index}} ${{it}}\\n\",\n        require => File[$where],\n      }}\n    }}\n  }}\n  {near}::site {{ '{m}-role{role:02}':\n    port => 80{role:02},\n    root => {m}::path('role{role:02}'),\n  }}\n  exec {{ '{m}-role{role:02}':\n    command     => '/bin/true',\n    refreshonly => true,\n    subscribe   => File[$where],\n  }}\n}}\n"
        )));
    }
    let home = folder.join("modules").join(&m);
    for (name, text) in manifests {
        files::write(&home.join(format!("manifests/{name}.pp")), &text)?;
    }
    files::write(
        &home.join("functions/path.pp"),
        &format!("# A path.\nfunction {m}::path(String $name) >> String {{\n  \"/srv/${{name}}\"\n}}\n"),
    )?;
    let metadata = format!("{{\"name\": \"own-{m}\", \"version\": \"1.0.0\", \"dependencies\": []}}\n");
    files::write(&home.join("metadata.json"), &metadata)
}
