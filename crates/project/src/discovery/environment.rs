use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::normalize;

pub(super) const FILE_NAME: &str = "environment.conf";

/// Longer than any configuration that people write.
const MAX_CONFIGURATION: u64 = 1 << 20;

/// Where an environment has its modules and its main manifest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Environment {
    pub(super) module_path: Vec<Utf8PathBuf>,
    pub(super) main_manifest: Utf8PathBuf,
}

/// Reads an environment's configuration; what it does not say, or no file, is the reference's default.
pub(super) fn read(system: &dyn System, folder: &Utf8Path) -> Environment {
    let bytes = system.read(&folder.join(FILE_NAME), MAX_CONFIGURATION).unwrap_or_default();
    parse(folder, &String::from_utf8_lossy(&bytes))
}

fn parse(folder: &Utf8Path, text: &str) -> Environment {
    let mut module_path = "modules";
    let mut manifest = "manifests";
    for line in text.lines() {
        let Some((key, value)) = line.split_once('=') else { continue };
        match key.trim() {
            "modulepath" => module_path = value.trim(),
            "manifest" => manifest = value.trim(),
            _ => {}
        }
    }
    let separator = if cfg!(windows) { ';' } else { ':' };
    Environment {
        module_path: module_path
            .split(separator)
            .map(str::trim)
            // `$basemodulepath` and the like are settings of a server that is not here.
            .filter(|path| !path.is_empty() && !path.contains('$'))
            .map(|path| normalize(&folder.join(path)))
            .collect(),
        main_manifest: normalize(&folder.join(manifest)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_configuration_has_the_defaults() {
        let environment = parse("/env".into(), "# modulepath = x\n");
        assert_eq!(environment.module_path, ["/env/modules"]);
        assert_eq!(environment.main_manifest, "/env/manifests");
    }

    #[test]
    fn settings_of_the_server_are_left_out() {
        let text = "modulepath = site:./modules:/opt/m:$basemodulepath\nmanifest=manifests/site.pp\n";
        let environment = parse("/env".into(), text);
        assert_eq!(environment.module_path, ["/env/site", "/env/modules", "/opt/m"]);
        assert_eq!(environment.main_manifest, "/env/manifests/site.pp");
    }
}
