//! Git submodules: folders kept in other repositories, which may not have been fetched.

/// The name of the file that lists them.
pub const SUBMODULES_FILE_NAME: &str = ".gitmodules";

/// The folders listed in a `.gitmodules`, relative to the file's folder.
pub fn submodules(text: &str) -> impl Iterator<Item = &str> {
    let settings = text.lines().filter_map(|line| line.split_once('='));
    settings.filter(|(name, _)| name.trim() == "path").map(|(_, path)| path.trim().trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_and_nothing_else() {
        let text = "[submodule \"a\"]\n\tpath = modules/a\n\turl = https://example.com/path=b\n[submodule \"b\"]\n  path=\"files/b c\"\n";
        assert_eq!(submodules(text).collect::<Vec<_>>(), ["modules/a", "files/b c"]);
    }
}
