//! The resource and the attribute that the arguments name.

use marotte_catalog::Reference;

/// The resource or attribute to explain.
#[derive(Debug, PartialEq)]
pub(super) struct Target {
    /// The name of the node. None if the facts contain it.
    pub(super) node: Option<String>,
    /// The possible meanings, the most probable first: titles may contain brackets, too.
    pub(super) meanings: Vec<(Reference, Option<String>)>,
}

impl Target {
    /// Reads the arguments.
    ///
    /// # Errors
    /// If they don't name a resource, or contain further arguments.
    pub(super) fn read(arguments: &[String]) -> Result<Target, String> {
        let is_resource = |it: &String| it.contains('[');
        let (node, rest) = match arguments {
            [first, rest @ ..] if !is_resource(first) && !rest.is_empty() => (Some(first.clone()), rest),
            all => (None, all),
        };
        let (resource, attribute) = match rest {
            [resource] => (resource, None),
            [resource, attribute] => (resource, Some(attribute.clone())),
            _ => return Err("a node, a resource and an attribute are named, in this order".to_owned()),
        };
        let refused = || format!("`{resource}` is not a resource such as `File[/etc/motd]`");
        let text = resource.trim();
        let (type_name, inner) =
            text.strip_suffix(']').and_then(|it| it.split_once('[')).ok_or_else(refused)?;
        let is_name = |it: char| it.is_alphanumeric() || it == '_' || it == ':';
        if type_name.is_empty() || !type_name.chars().all(is_name) || inner.is_empty() {
            return Err(refused());
        }
        let reference = |title: &str| Reference::new(type_name, unquoted(title));
        let mut meanings = vec![(reference(inner), attribute.clone())];
        if let (Some((title, name)), None) = (inner.rsplit_once("]["), attribute) {
            meanings.push((reference(title), Some(unquoted(name).to_owned())));
        }
        Ok(Target { node, meanings })
    }
}

/// Removes the quotes around a text.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    let within = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    within('\'').or_else(|| within('"')).filter(|it| !it.is_empty()).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Target, String> {
        Target::read(&arguments.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
    }

    fn last(arguments: &[&str]) -> (String, Option<String>) {
        let (reference, attribute) = read(arguments).unwrap().meanings.pop().unwrap();
        (reference.to_string(), attribute)
    }

    #[test]
    fn attributes_are_named_in_brackets_or_apart() {
        for arguments in [
            &["File[/etc/motd][mode]"] as &[&str],
            &["file['/etc/motd']['mode']"],
            &["web1", "File[\"/etc/motd\"]", "mode"],
        ] {
            assert_eq!(last(arguments), ("File[/etc/motd]".to_owned(), Some("mode".to_owned())));
        }
        assert_eq!(last(&["class[::a::b]"]), ("Class[A::B]".to_owned(), None));
        assert_eq!(read(&["web1", "File[/a]"]).unwrap().node.as_deref(), Some("web1"));
        assert_eq!(read(&["File[/a]", "mode"]).unwrap().node, None);
    }

    #[test]
    fn titles_may_have_brackets() {
        let target = read(&["File[/a[1]][mode]"]).unwrap();
        assert_eq!(target.meanings.len(), 2);
        assert_eq!(target.meanings[1].0.title, "/a[1]");
    }

    #[test]
    fn what_is_no_resource_is_refused() {
        for arguments in
            [&["web1"] as &[&str], &["web1", "mode"], &["[x]"], &["File[]"], &["a", "File[/a]", "b", "c"]]
        {
            assert!(read(arguments).is_err(), "{arguments:?}");
        }
    }
}
