//! Against a plain reference, in pieces of any size, at the cap, and what comments cost.

use proptest::prelude::*;

use super::*;

const MARK: &[u8] = b"\xef\xbb\xbf";

/// What one event is to a test: type, data, id.
type Seen = (Option<String>, String, Option<String>);

/// The grammar on a whole document, as slow as it is plain.
fn reference(bytes: &[u8]) -> Vec<Seen> {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes)
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let (mut events, mut data, mut id) = (Vec::new(), Vec::<String>::new(), String::new());
    let mut name = String::new();
    let mut lines: Vec<&str> = text.split('\n').collect();
    lines.pop();
    let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    for line in lines {
        if line.is_empty() {
            if !data.is_empty() {
                events.push((some(&name), data.join("\n"), some(&id)));
            }
            data.clear();
            name.clear();
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => data.push(value.to_owned()),
            "event" => name = value.to_owned(),
            "id" if !value.contains('\0') => id = value.to_owned(),
            _ => {}
        }
    }
    events
}

fn seen(events: Vec<Event>) -> Vec<Seen> {
    events
        .into_iter()
        .map(|event| (event.name, event.data, event.id.map(|id| id.to_string())))
        .collect()
}

fn in_pieces(bytes: &[u8], cuts: &[usize]) -> Vec<Seen> {
    let mut reader = Reader::new(1 << 20);
    let (mut events, mut rest) = (Vec::new(), bytes);
    for cut in cuts {
        let (piece, tail) = rest.split_at(cut % (rest.len() + 1));
        reader.push(piece, &mut events).expect("short");
        rest = tail;
    }
    reader.push(rest, &mut events).expect("short");
    seen(events)
}

fn one_by_one(bytes: &[u8]) -> Vec<Seen> {
    in_pieces(bytes, &vec![1; bytes.len().saturating_sub(1)])
}

fn document() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(vec![
        "data: a",
        "data:b",
        "data",
        "data: ",
        "data:  two",
        "data: a:b",
        "data: \u{fc}\u{4e2d}\u{feff}",
        "dat: no",
        "datas: no",
        "\u{feff}data: no",
        "\u{ef}data: no",
        ": comment",
        ":",
        "event: x",
        "event",
        "event:long:er",
        "id: 1",
        "id",
        "id: nul\0",
        "retry: 5",
        "retry: x",
        "other: c",
        " data: no",
        "",
        "",
        "",
        "",
    ]);
    let end = prop::sample::select(vec!["\n", "\r", "\r\n"]);
    (
        any::<bool>(),
        prop::collection::vec((line, end), 0..24),
        prop::sample::select(vec!["", "data: cut", "da", ":", "\r"]),
    )
        .prop_map(|(mark, lines, tail)| {
            let mut bytes = if mark { MARK.to_vec() } else { Vec::new() };
            for (line, end) in lines {
                bytes.extend_from_slice(line.as_bytes());
                bytes.extend_from_slice(end.as_bytes());
            }
            bytes.extend_from_slice(tail.as_bytes());
            bytes
        })
}

proptest! {
    #[test]
    fn pieces_of_any_size_give_what_the_reference_gives(
        bytes in document(),
        cuts in prop::collection::vec(any::<usize>(), 0..12),
    ) {
        let want = reference(&bytes);
        prop_assert_eq!(&in_pieces(&bytes, &cuts), &want);
        prop_assert_eq!(&one_by_one(&bytes), &want);
    }

    #[test]
    fn any_bytes_are_read_as_the_reference_reads_them(
        bytes in prop::collection::vec(
            prop_oneof![
                any::<u8>(),
                prop::sample::select(b"\n\n\r:datevnid \xef\xbb\xbf\0".to_vec()),
            ],
            0..200,
        ),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        prop_assert_eq!(in_pieces(&bytes, &cuts), reference(&bytes));
    }

    #[test]
    fn what_is_written_is_read(
        data in prop::collection::vec("[a\n\r \u{e4}:]{0,12}|\\PC{0,40}", 0..4),
        name in prop::option::of("[a-z]{1,8}"),
        cuts in prop::collection::vec(any::<usize>(), 0..6),
    ) {
        let mut bytes = Vec::new();
        for one in &data {
            match &name {
                Some(name) => write_named(&mut bytes, name, one),
                None => write(&mut bytes, one),
            }
        }
        prop_assert!(!bytes.contains(&b'\r'));
        let want: Vec<Seen> = data
            .iter()
            .map(|one| {
                let lines = one.replace("\r\n", "\n").replace('\r', "\n");
                (name.clone(), lines, None)
            })
            .collect();
        prop_assert_eq!(in_pieces(&bytes, &cuts), want);
    }

    #[test]
    fn the_cap_does_not_depend_on_the_pieces(
        bytes in document(),
        cuts in prop::collection::vec(any::<usize>(), 0..12),
        limit in 0_usize..12,
    ) {
        let whole = {
            let (mut reader, mut events) = (Reader::new(limit), Vec::new());
            let outcome = reader.push(&bytes, &mut events);
            (outcome, events)
        };
        let (mut reader, mut events, mut rest) = (Reader::new(limit), Vec::new(), &bytes[..]);
        for cut in cuts {
            let (piece, tail) = rest.split_at(cut % (rest.len() + 1));
            let _ = reader.push(piece, &mut events);
            rest = tail;
        }
        let outcome = reader.push(rest, &mut events);
        prop_assert!(events.iter().all(|event| event.data.len() <= limit * 3));
        prop_assert_eq!((outcome, events), whole);
    }
}

#[test]
fn a_long_line_passes_whole_in_pieces_of_any_size() {
    let text = "x\u{4e2d}".repeat(50 * 1024);
    let mut bytes = Vec::new();
    write(&mut bytes, &text);
    for size in [1, 7, 1000, 1460, 65_536, bytes.len()] {
        let (mut reader, mut events) = (Reader::new(1 << 20), Vec::new());
        for piece in bytes.chunks(size) {
            reader.push(piece, &mut events).expect("under the cap");
        }
        assert_eq!(events.len(), 1, "{size}");
        assert_eq!(events[0].data, text, "{size}");
        assert!(!reader.finish());
    }
}

#[test]
fn an_event_over_the_cap_is_an_error_for_good() {
    let over = TooLong { limit: 1000 };
    let cases = [
        format!("data: {}\n\n", "x".repeat(1001)),
        "data: 123456789\n".repeat(101),
        "data\n".repeat(1100),
        "data:\n".repeat(1100),
        format!("event: {}\ndata: {}\n\n", "x".repeat(500), "x".repeat(501)),
        format!("id: {}\n", "1".repeat(1001)),
        format!("retry: {}\n", "1".repeat(1001)),
    ];
    for case in cases {
        let (mut reader, mut events) = (Reader::new(1000), Vec::new());
        let bytes = format!("data: fits\n\n{case}");
        assert_eq!(
            reader.push(bytes.as_bytes(), &mut events),
            Err(over),
            "{case:.20}"
        );
        assert_eq!(events.len(), 1, "what came before is given");
        assert_eq!(reader.push(b"\n\ndata: a\n\n", &mut events), Err(over));
        assert_eq!(events.len(), 1);
    }
    let (mut reader, mut events) = (Reader::new(1000), Vec::new());
    let exact = format!("data: {}\n\n", "x".repeat(1000)).repeat(3);
    assert_eq!(reader.push(exact.as_bytes(), &mut events), Ok(()));
    assert_eq!(events.len(), 3);
}

/// Sends `size` bytes that must not be kept; the last line is left open.
fn nothing_is_kept(line: &[u8], size: usize) {
    let (mut reader, mut events) = (Reader::new(100), Vec::new());
    let piece = line.repeat((64 << 10) / line.len() + 1);
    for _ in 0..size / piece.len() + 1 {
        reader.push(&piece, &mut events).expect("not kept");
    }
    assert!(events.is_empty());
    assert!(reader.held() <= 256, "{} bytes are held", reader.held());
    reader
        .push(b"\n\ndata: a\n\n", &mut events)
        .expect("under the cap");
    assert_eq!(events[0].data, "a");
}

#[test]
fn comments_and_unknown_fields_take_no_memory() {
    let size = 8 << 20;
    for line in [
        &b": one comment after another\n"[..],
        b"unknown: x\n",
        b"id: 1\n",
        b"event: x\r",
    ] {
        nothing_is_kept(line, size);
    }
    // One line without an end.
    nothing_is_kept(b":", size);
    nothing_is_kept(b"unknown", size);
}

#[test]
#[ignore = "a gibibyte takes its time without optimisation"]
fn a_gibibyte_of_comments_takes_no_memory() {
    nothing_is_kept(b": one comment after another\n", 1 << 30);
    nothing_is_kept(b":", 1 << 30);
}

#[test]
fn ids_stay_types_do_not_and_the_retry_is_told() {
    let (mut reader, mut events) = (Reader::new(100), Vec::new());
    let text = "id: 7\nevent: error\ndata: a\n\ndata: b\n\nretry: 1500\nretry: no\nid\ndata: c\n\n";
    reader.push(text.as_bytes(), &mut events).expect("short");
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        seen(events),
        [
            (some("error"), "a".to_owned(), some("7")),
            (None, "b".to_owned(), some("7")),
            (None, "c".to_owned(), None),
        ]
    );
    assert_eq!(reader.retry(), Some(1500));
}

#[test]
fn an_unfinished_event_is_dropped_and_told() {
    for (text, dropped) in [
        ("", false),
        ("data: a\n\n", false),
        ("data: a\n\n: bye", false),
        ("data: a\n\n\r", false),
        ("data: a\n", true),
        ("data: a", true),
        ("data: a\n\ndat", true),
    ] {
        let (mut reader, mut events) = (Reader::new(100), Vec::new());
        reader.push(text.as_bytes(), &mut events).expect("short");
        assert_eq!(events.len(), usize::from(text.starts_with("data: a\n\n")));
        assert_eq!(reader.finish(), dropped, "{text:?}");
    }
}

#[test]
fn a_type_is_one_line() {
    let mut bytes = Vec::new();
    write_named(&mut bytes, "error\ndata: forged", "{}");
    assert_eq!(bytes, b"event: error\ndata: {}\n\n");
}
