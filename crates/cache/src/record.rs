use crate::codec::{Reader, Writer};

/// The results of one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// The requests of all evaluations, each once.
    pub reads: Vec<Read>,
    /// The results of evaluations, which refer to the requests.
    pub entries: Vec<Entry>,
}

/// A request of an evaluation, and digests of its answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Read {
    /// The number of the kind of request.
    pub kind: u8,
    /// A field whose meaning depends on the kind.
    pub text: String,
    /// A second field.
    pub more: String,
    /// A third field.
    pub number: u64,
    /// The digest of the texts that the answer is made of, if there is one.
    pub shortcut: Option<[u8; 32]>,
    /// The digest of the answer, if it can be compared.
    pub meaning: Option<[u8; 32]>,
}

/// The result of one evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name of the node. None for the only node, which its facts name.
    pub node: Option<String>,
    /// The indices of its requests, in ascending order.
    pub reads: Vec<u32>,
    /// How much is known of the catalog.
    pub extent: Extent,
    /// The sources of files whose contents are not in the code.
    pub elsewhere: Vec<String>,
    /// The name of the catalog, if it is kept.
    pub catalog: Option<String>,
}

/// How much is known of a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The catalog is complete.
    Known,
    /// The catalog is incomplete, for these reasons.
    Incomplete(Vec<String>),
}

/// The first bytes of a record.
const MAGIC: &[u8] = b"marotte record\n";

impl Record {
    /// The record as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        out.raw(MAGIC);
        out.length(self.reads.len());
        for it in &self.reads {
            out.byte(it.kind);
            out.text(&it.text);
            out.text(&it.more);
            out.number(it.number);
            out.byte(u8::from(it.shortcut.is_some()) | u8::from(it.meaning.is_some()) << 1);
            it.shortcut.iter().chain(&it.meaning).for_each(|it| out.raw(it));
        }
        out.length(self.entries.len());
        for it in &self.entries {
            optional(&mut out, it.node.as_deref());
            out.length(it.reads.len());
            let mut last = 0;
            for read in &it.reads {
                out.number(u64::from(read - last));
                last = *read;
            }
            match &it.extent {
                Extent::Known => out.byte(0),
                Extent::Incomplete(causes) => {
                    out.byte(1);
                    out.length(causes.len());
                    causes.iter().for_each(|it| out.text(it));
                }
            }
            out.length(it.elsewhere.len());
            it.elsewhere.iter().for_each(|it| out.text(it));
            optional(&mut out, it.catalog.as_deref());
        }
        out.0
    }

    /// The record of bytes. None if they are not the whole of one.
    pub fn decode(bytes: &[u8]) -> Option<Record> {
        let mut all = Reader(bytes.strip_prefix(MAGIC)?);
        let reads = all.list(read)?;
        let entries = all.list(|it| entry(it, reads.len()))?;
        all.is_empty().then_some(Record { reads, entries })
    }
}

fn optional(out: &mut Writer, text: Option<&str>) {
    out.byte(u8::from(text.is_some()));
    text.into_iter().for_each(|it| out.text(it));
}

fn maybe(all: &mut Reader<'_>) -> Option<Option<String>> {
    match all.byte()? {
        0 => Some(None),
        1 => Some(Some(all.text()?.to_owned())),
        _ => None,
    }
}

fn read(all: &mut Reader<'_>) -> Option<Read> {
    let (kind, text, more) = (all.byte()?, all.text()?.to_owned(), all.text()?.to_owned());
    let (number, flags) = (all.number()?, all.byte()?);
    let mut digest = |flag: u8| match flags & flag {
        0 => Some(None),
        _ => all.raw(32).and_then(|it| it.try_into().ok()).map(Some),
    };
    let (shortcut, meaning) = (digest(1)?, digest(2)?);
    (flags < 4).then_some(Read { kind, text, more, number, shortcut, meaning })
}

fn entry(all: &mut Reader<'_>, count: usize) -> Option<Entry> {
    let node = maybe(all)?;
    let mut last = 0u32;
    let reads = all.list(|it| {
        last = last.checked_add(u32::try_from(it.number()?).ok()?)?;
        (usize::try_from(last).ok()? < count).then_some(last)
    })?;
    let extent = match all.byte()? {
        0 => Extent::Known,
        1 => Extent::Incomplete(all.list(|it| it.text().map(str::to_owned))?),
        _ => return None,
    };
    let elsewhere = all.list(|it| it.text().map(str::to_owned))?;
    Some(Entry { node, reads, extent, elsewhere, catalog: maybe(all)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Record {
        let read = |kind, shortcut, meaning| Read {
            kind,
            text: "a".into(),
            more: String::new(),
            number: 300,
            shortcut,
            meaning,
        };
        let reads = vec![read(1, None, Some([1; 32])), read(2, Some([2; 32]), None)];
        let extent = Extent::Incomplete(vec!["the function 'x'".into()]);
        let entries = vec![
            Entry {
                node: Some("web1".into()),
                reads: vec![0, 1],
                extent: Extent::Known,
                elsewhere: vec!["http://a/b".into()],
                catalog: None,
            },
            Entry { node: None, reads: vec![1], extent, elsewhere: Vec::new(), catalog: Some("ab".into()) },
        ];
        Record { reads, entries }
    }

    #[test]
    fn a_record_is_read_as_written() {
        assert_eq!(Record::decode(&sample().encode()), Some(sample()));
    }

    #[test]
    fn no_other_bytes_are_a_record() {
        let bytes = sample().encode();
        for end in 0..bytes.len() {
            assert_eq!(Record::decode(&bytes[..end]), None);
        }
        assert_eq!(Record::decode(&[&bytes[..], b"x"].concat()), None);
        let mut entries = sample();
        entries.entries[0].reads.push(2);
        assert_eq!(Record::decode(&entries.encode()), None, "a read that is not there");
    }
}
