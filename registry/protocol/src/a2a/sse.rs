//! Server-sent events (WHATWG HTML, 9.2): an incremental reader by the full grammar, and a writer.

/// One event; only its data matters to A2A.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// The type, where one was named.
    pub name: Option<String>,
    /// The data lines, joined by line feeds.
    pub data: String,
}

/// An event was over the cap; the stream cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is over {limit} bytes")]
pub struct TooLong {
    /// The cap.
    pub limit: usize,
}

/// Reads events out of pieces of any size. Memory is bounded by the cap; comments take none.
#[derive(Debug)]
pub struct Reader {
    limit: usize,
    /// The line under way, without what was skipped of it.
    line: Vec<u8>,
    /// True within a comment, whose bytes are not kept.
    skipping: bool,
    /// True right after a CR: an LF that follows belongs to it.
    after_return: bool,
    /// Bytes of the byte order mark that may still come.
    mark: &'static [u8],
    event: Event,
    has_data: bool,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Reader {
    /// A reader that refuses events over `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            skipping: false,
            after_return: false,
            mark: BYTE_ORDER_MARK,
            event: Event::default(),
            has_data: false,
        }
    }

    /// Takes the next piece and adds the events that it completes to `out`.
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn push(&mut self, mut piece: &[u8], out: &mut Vec<Event>) -> Result<(), TooLong> {
        while !self.mark.is_empty() && !piece.is_empty() {
            if piece[0] != self.mark[0] {
                // What looked like a mark was the line's own beginning.
                let seen = BYTE_ORDER_MARK.len() - self.mark.len();
                self.line.extend_from_slice(&BYTE_ORDER_MARK[..seen]);
                self.mark = &[];
                break;
            }
            self.mark = &self.mark[1..];
            piece = &piece[1..];
        }
        while !piece.is_empty() {
            if std::mem::take(&mut self.after_return) && piece[0] == b'\n' {
                piece = &piece[1..];
                continue;
            }
            let end = piece.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let Some(end) = end else {
                return self.keep(piece);
            };
            self.keep(&piece[..end])?;
            self.after_return = piece[end] == b'\r';
            piece = &piece[end + 1..];
            self.line_ended(out);
        }
        Ok(())
    }

    fn keep(&mut self, part: &[u8]) -> Result<(), TooLong> {
        if self.line.is_empty() && part.first() == Some(&b':') {
            self.skipping = true;
        }
        if self.skipping {
            return Ok(());
        }
        if self.line.len() + self.event.data.len() + part.len() > self.limit {
            return Err(TooLong { limit: self.limit });
        }
        self.line.extend_from_slice(part);
        Ok(())
    }

    fn line_ended(&mut self, out: &mut Vec<Event>) {
        let mut line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.skipping) {
            return;
        }
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            if std::mem::take(&mut self.has_data) {
                out.push(event);
            }
            return;
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (name, value) = match colon {
            Some(colon) => {
                let start = colon + 1 + usize::from(line.get(colon + 1) == Some(&b' '));
                (&line[..colon], &line[start..])
            }
            None => (&line[..], &[][..]),
        };
        match name {
            b"data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(&String::from_utf8_lossy(value));
            }
            b"event" => self.event.name = Some(String::from_utf8_lossy(value).into_owned()),
            // `id` and `retry` are for reconnecting browsers.
            _ => {}
        }
        // The allocation is kept for the next line.
        line.clear();
        self.line = line;
    }
}

/// Writes one event: one data line for each line of the data, then an empty line.
pub fn write(out: &mut Vec<u8>, data: &str) {
    for line in data.split('\n') {
        out.extend_from_slice(b"data: ");
        out.extend_from_slice(line.trim_end_matches('\r').as_bytes());
        out.push(b'\n');
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The grammar on a whole document: the reader must agree whatever the pieces.
    fn whole(bytes: &[u8]) -> Vec<String> {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes)
            .replace("\r\n", "\n")
            .replace('\r', "\n");
        let (mut events, mut data) = (Vec::new(), Vec::<String>::new());
        let mut lines: Vec<&str> = text.split('\n').collect();
        lines.pop();
        for line in lines {
            if line.is_empty() {
                if !data.is_empty() {
                    events.push(std::mem::take(&mut data).join("\n"));
                }
            } else if let Some(value) = line.strip_prefix("data:") {
                data.push(value.strip_prefix(' ').unwrap_or(value).to_owned());
            } else if line == "data" {
                data.push(String::new());
            }
        }
        events
    }

    fn in_pieces(bytes: &[u8], cuts: &[usize]) -> Vec<String> {
        let mut reader = Reader::new(1 << 20);
        let (mut events, mut rest) = (Vec::new(), bytes);
        for cut in cuts {
            let (piece, tail) = rest.split_at(cut % (rest.len() + 1));
            reader.push(piece, &mut events).expect("short");
            rest = tail;
        }
        reader.push(rest, &mut events).expect("short");
        events.into_iter().map(|event| event.data).collect()
    }

    proptest! {
        #[test]
        fn pieces_of_any_size_give_the_same_events(
            lines in prop::collection::vec(
                prop::sample::select(vec![
                    "data: a", "data:b", "data", "data: ", ": comment", ":", "event: x", "id: 1",
                    "retry: 5", "", "", "", "data: \u{fc}\u{4e2d}", "other: c", "data:  two",
                ]),
                0..24,
            ),
            ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r", "\r\n"]), 24),
            mark in any::<bool>(),
            cuts in prop::collection::vec(any::<usize>(), 0..12),
        ) {
            let mut bytes = if mark { BYTE_ORDER_MARK.to_vec() } else { Vec::new() };
            for (line, end) in lines.iter().zip(&ends) {
                bytes.extend_from_slice(line.as_bytes());
                bytes.extend_from_slice(end.as_bytes());
            }
            prop_assert_eq!(in_pieces(&bytes, &cuts), whole(&bytes));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            cuts in prop::collection::vec(any::<usize>(), 0..6),
        ) {
            let _ = in_pieces(&bytes, &cuts);
        }

        #[test]
        fn what_is_written_is_read(data in prop::collection::vec("[^\r]{0,40}", 0..4)) {
            let mut bytes = Vec::new();
            for one in &data {
                write(&mut bytes, one);
            }
            prop_assert_eq!(in_pieces(&bytes, &[]), data);
        }
    }

    #[test]
    fn a_long_line_passes_whole_and_one_over_the_cap_is_an_error() {
        let text = "x".repeat(200 * 1024);
        let mut bytes = Vec::new();
        write(&mut bytes, &text);
        let (mut reader, mut events) = (Reader::new(1 << 20), Vec::new());
        for piece in bytes.chunks(1000) {
            reader.push(piece, &mut events).expect("under the cap");
        }
        assert_eq!(events[0].data, text);
        let mut reader = Reader::new(1000);
        assert_eq!(
            reader.push(&bytes, &mut events),
            Err(TooLong { limit: 1000 })
        );
    }

    #[test]
    fn comments_take_no_memory() {
        let mut reader = Reader::new(100);
        let mut events = Vec::new();
        reader.push(b":", &mut events).expect("short");
        for _ in 0..1_000 {
            reader.push(&[b'x'; 1000], &mut events).expect("not kept");
        }
        assert!(reader.line.is_empty());
        reader.push(b"\ndata: a\n\n", &mut events).expect("short");
        assert_eq!(events[0].data, "a");
    }
}
