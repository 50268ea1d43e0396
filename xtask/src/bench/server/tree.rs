//! A tree of modules that use each other, with data.

use std::fmt::Write as _;
use std::path::Path;

use crate::{Result, files};

/// The number of classes of a module.
const CLASSES: usize = 10;

/// The manifest that is edited.
pub(super) const EDITED: &str = "modules/m7/manifests/c3.pp";

/// A manifest with a fault, which is found when the whole tree is checked.
pub(super) const FAULTY: &str = "modules/m1/manifests/c9.pp";

/// The number of manifests before the first one that uses the shared class. The edited one is among them.
const FIRST_USE: usize = 100;

/// The class that several manifests use.
pub(super) const SHARED: &str = "modules/shared/manifests/base.pp";

/// Creates a tree of this number of manifests, of which `uses` include the class in [`SHARED`].
pub(super) fn make(root: &Path, manifests: usize, uses: usize) -> Result<()> {
    let write = |path: &str, text: &str| -> Result<()> {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            files::make_folder(folder)?;
        }
        files::write(&path, text)
    };
    write("environment.conf", "modulepath = modules\n")?;
    write("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n")?;
    let modules = manifests.div_ceil(CLASSES).max(10);
    let mut data = String::from("---\n");
    if uses > 0 {
        write(SHARED, "class shared::base { }\n")?;
    }
    for module in 0..modules {
        write(
            &format!("modules/m{module}/metadata.json"),
            &format!("{{\"name\": \"a-m{module}\", \"version\": \"1.0.0\", \"dependencies\": []}}\n"),
        )?;
        for number in 0..CLASSES {
            let (name, file) = match number {
                0 => (format!("m{module}"), "init".to_owned()),
                _ => (format!("m{module}::c{number}"), format!("c{number}")),
            };
            let path = format!("modules/m{module}/manifests/{file}.pp");
            let mut more = String::new();
            if path == FAULTY {
                more += "  notice({ 'a' => 1, 'a' => 2 })\n";
            }
            if (FIRST_USE..FIRST_USE + uses).contains(&(module * CLASSES + number)) {
                more += "  include shared::base\n";
            }
            write(&path, &class(&name, module, number, modules, &more))?;
            let _ = writeln!(data, "{name}::port: {}", 1024 + number);
        }
    }
    write("data/common.yaml", &data)
}

fn class(name: &str, module: usize, number: usize, modules: usize, more: &str) -> String {
    let other = format!("m{}", (module * 31 + number * 7 + 1) % modules);
    format!(
        "# The part {number} of the module {module}.\n#\n# @param port Where it listens.\nclass {name} (\n  Integer[1, 65535] $port = 80,\n  String $owner = 'root',\n  Array[String] $names = ['a', 'b'],\n) {{\n  include {other}\n  $names.each |$name| {{\n    file {{ \"/srv/{name}/${{name}}\":\n      ensure  => file,\n      owner   => $owner,\n      content => \"port ${{port}}\\n\",\n    }}\n  }}\n  if $facts['os']['family'] == 'Debian' {{\n    package {{ '{module}-{number}': ensure => installed }}\n    -> service {{ '{module}-{number}': ensure => running, enable => true }}\n  }}\n{more}}}\n"
    )
}
