use super::*;

fn unescaped(field: &str) -> String {
    field.replace('␊', "\n").replace('␉', "\t").replace('␛', "\u{1b}")
}

fn shown(found: Result<Uri, UriError>) -> Vec<String> {
    let uri = match found {
        Ok(uri) => uri,
        Err(error) => return vec![format!("ERR {error}")],
    };
    let path = uri.path();
    let parts = [
        uri.scheme(),
        uri.userinfo(),
        uri.host(),
        uri.port().map(|it| it.to_string()).as_deref(),
        path.as_deref(),
        uri.query(),
        uri.fragment(),
        uri.opaque(),
    ]
    .map(|it| it.unwrap_or("∅").to_string());
    parts.into_iter().chain([uri.to_string()]).collect()
}

#[test]
fn recorded_rows() {
    let mut rows = 0;
    for line in include_str!("recorded.tsv").lines().skip(3) {
        let fields: Vec<String> = line.split('\t').map(unescaped).collect();
        match &*fields[0] {
            "parse" => assert_eq!(shown(Uri::parse(&fields[1])), fields[2..], "{line}"),
            "merge" => {
                let merged = Uri::parse(&fields[1]).and_then(|it| it.merge(&Uri::parse(&fields[2])?));
                let found = merged.map_or_else(|error| format!("ERR {error}"), |it| it.to_string());
                assert_eq!(found, fields[3], "{line}");
            }
            "eq" => {
                let (a, b) = (Uri::parse(&fields[1]).unwrap(), Uri::parse(&fields[2]).unwrap());
                assert_eq!([a.same(&b).to_string(), (a == b).to_string()], fields[3..], "{line}");
            }
            "build" => {
                let mut parts = fields[1..9].iter().map(|it| (it != "∅").then(|| it.clone()));
                let mut next = || parts.next().flatten();
                let parts = UriParts {
                    scheme: next(),
                    userinfo: next(),
                    host: next(),
                    port: next().map(|it| it.parse().unwrap()),
                    path: next(),
                    query: next(),
                    fragment: next(),
                    opaque: next(),
                };
                assert_eq!(shown(Uri::build(parts)), fields[9..], "{line}");
            }
            kind => panic!("{kind}"),
        }
        rows += 1;
    }
    assert!(rows >= 500, "{rows}");
}
