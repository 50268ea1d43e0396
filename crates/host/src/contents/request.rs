use marotte_catalog::{Kind, Resource, hides_texts};
use marotte_pcore::value::Value;
use marotte_text::Str;

/// The scheme of sources that a Puppet server provides.
const SCHEME: &str = "puppet:";

/// The flags of a request in a single number; the rest of the number is the limit of the recursion, plus one.
const RECURSES: u64 = 1;
const COMBINES: u64 = 2;
const FOLLOWS_LINKS: u64 = 4;
const IS_FILE: u64 = 8;
const FLAGS: u32 = 4;

/// The sources of a resource, and how agents use them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Request {
    /// The sources, in the order of preference; at least one. None has a line break.
    pub(super) sources: Vec<Str>,
    /// The recursion into folders. `None` if only the source itself is copied.
    pub(super) recursion: Option<Recursion>,
    /// Whether symbolic links are copied as what they lead to.
    pub(super) follows_links: bool,
    /// Whether the resource is a `File`. Whether others copy folders is unknown.
    pub(super) is_file: bool,
}

/// How agents copy folders.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Recursion {
    /// The depth of the files that are copied; 1 for those in the folder itself. `None` if there is no limit.
    pub(super) depth: Option<u32>,
    /// Patterns of names that are not copied. None has a line break.
    pub(super) ignored: Vec<Str>,
    /// Whether the files of all sources are copied, and not only those of the first one that exists.
    pub(super) combines: bool,
}

/// A request of a resource.
pub(super) struct Named {
    /// The request, or the reason why the contents cannot be looked up, which names the source.
    pub(super) request: Result<Request, Str>,
    /// Whether texts must not be shown.
    pub(super) is_hidden: bool,
}

impl Request {
    /// The request as two texts and a number, from which [`of_fields`](Request::of_fields) makes it again.
    pub(crate) fn fields(&self) -> (String, String, u64) {
        let lines = |all: &[Str]| all.iter().map(Str::as_str).collect::<Vec<_>>().join("\n");
        let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
        let recursion = self.recursion.as_ref();
        let depth = recursion.and_then(|it| it.depth).map_or(0, |it| u64::from(it) + 1);
        let number = depth << FLAGS
            | flag(recursion.is_some(), RECURSES)
            | flag(recursion.is_some_and(|it| it.combines), COMBINES)
            | flag(self.follows_links, FOLLOWS_LINKS)
            | flag(self.is_file, IS_FILE);
        let ignored = recursion.map(|it| lines(&it.ignored)).unwrap_or_default();
        (lines(&self.sources), ignored, number)
    }

    /// The request with these [`fields`](Request::fields).
    pub(crate) fn of_fields(sources: &str, ignored: &str, number: u64) -> Request {
        let lines = |it: &str| it.split('\n').map(Str::from).collect::<Vec<_>>();
        let has = |flag: u64| number & flag != 0;
        let recursion = has(RECURSES).then(|| Recursion {
            depth: (number >> FLAGS).checked_sub(1).map(|it| u32::try_from(it).unwrap_or(u32::MAX)),
            ignored: if ignored.is_empty() { Vec::new() } else { lines(ignored) },
            combines: has(COMBINES),
        });
        Request {
            sources: lines(sources),
            recursion,
            follows_links: has(FOLLOWS_LINKS),
            is_file: has(IS_FILE),
        }
    }
}

/// The sources that a resource names. A `File` has them in `source`; other types that are not written in Puppet may have them in
/// any attribute, such as `concat_fragment`.
pub(super) fn named<P>(resource: &Resource<P>) -> Vec<Named> {
    if resource.kind != Kind::CompilableType {
        return Vec::new();
    }
    let attribute = |name: &str| resource.parameters.get(name);
    let is_hidden = hides_texts(attribute("show_diff"));
    if resource.reference.type_name == "File" {
        let request = attribute("source").filter(|_| !is(attribute("ensure"), "absent"));
        let request = request.and_then(|it| of_file(it, &attribute));
        return request.map(|request| Named { request, is_hidden }).into_iter().collect();
    }
    let sources = resource.parameters.values().filter_map(|it| {
        let sources = texts(it)?;
        sources.iter().any(|it| it.starts_with(SCHEME)).then_some(sources)
    });
    let request = |sources| Request { sources, recursion: None, follows_links: true, is_file: false };
    sources.map(|it| Named { request: checked(it).map(request), is_hidden }).collect()
}

/// The request of a `File` with these sources. None if it has none, or unknown ones.
fn of_file<'r>(
    source: &Value,
    attribute: &dyn Fn(&str) -> Option<&'r Value>,
) -> Option<Result<Request, Str>> {
    if matches!(source, Value::Sensitive(_)) {
        return Some(Err("a Sensitive value".into()));
    }
    if matches!(source, Value::Object(_)) {
        return Some(Err("a Deferred value".into()));
    }
    let sources = texts(source)?;
    // A single path of the agent's own disk has nothing to do with the code.
    if sources.len() == 1 && sources.iter().any(|it| is_local(it)) {
        return None;
    }
    let recurses = is(attribute("recurse"), "true") || is(attribute("recurse"), "remote");
    let depth = match attribute("recurselimit") {
        Some(Value::Integer(it)) => it.to_big().to_string().parse().ok(),
        Some(Value::String(it)) => it.parse().ok(),
        _ => None,
    };
    let recursion = recurses.then(|| Recursion {
        depth,
        ignored: attribute("ignore").and_then(texts).unwrap_or_default(),
        combines: is(attribute("sourceselect"), "all"),
    });
    if recursion.iter().flat_map(|it| &it.ignored).any(|it| it.contains('\n')) {
        return Some(Err(format!("{} (its `ignore` has line breaks)", sources.join(", ")).into()));
    }
    let follows_links = is(attribute("links"), "follow");
    Some(checked(sources).map(|sources| Request { sources, recursion, follows_links, is_file: true }))
}

/// Refuses sources that a request cannot have.
fn checked(sources: Vec<Str>) -> Result<Vec<Str>, Str> {
    match sources.iter().find(|it| it.contains('\n')) {
        Some(source) => Err(format!("{source} (it has line breaks)").into()),
        None => Ok(sources),
    }
}

/// Whether a source is a file of the agent's own disk.
pub(super) fn is_local(source: &str) -> bool {
    let is_drive = |it: &str| it.get(1..3).is_some_and(|it| it == ":/" || it == ":\\");
    source.starts_with('/') || source.starts_with("file:") || source.starts_with('\\') || is_drive(source)
}

/// A text or an array of texts. None for other values, and for an empty array.
fn texts(value: &Value) -> Option<Vec<Str>> {
    match value {
        Value::String(it) => Some(vec![it.clone()]),
        Value::Array(elements) => {
            let texts = elements.iter().map(|it| it.as_str().map(Str::from)).collect::<Option<Vec<_>>>()?;
            (!texts.is_empty()).then_some(texts)
        }
        _ => None,
    }
}

/// Whether an attribute has a value: the text, or the boolean of that name.
fn is(value: Option<&Value>, wanted: &str) -> bool {
    match value {
        Some(Value::String(it)) => **it == *wanted,
        Some(Value::Boolean(it)) => it.to_string() == wanted,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_made_again_from_its_fields() {
        let recursion = |depth, ignored: &[&str], combines| {
            Some(Recursion { depth, ignored: ignored.iter().map(|it| (*it).into()).collect(), combines })
        };
        let recursions = [
            None,
            recursion(None, &[], false),
            recursion(Some(0), &["*.a", "b"], true),
            recursion(Some(7), &["c"], false),
        ];
        for recursion in recursions {
            for (follows_links, is_file) in [(false, true), (true, false)] {
                let sources = vec!["puppet:///modules/a/b".into(), "/c".into()];
                let request = Request { sources, recursion: recursion.clone(), follows_links, is_file };
                let (sources, ignored, number) = request.fields();
                assert_eq!(Request::of_fields(&sources, &ignored, number), request);
            }
        }
    }
}
