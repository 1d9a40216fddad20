//! Reading server-sent events out of pieces of any size, each byte looked at once.

use std::sync::Arc;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The longest name of a field that counts (`event`, `retry`).
const LONGEST_NAME: usize = 5;

/// One event; only its data matters to A2A.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// The type, where one was named.
    pub name: Option<String>,
    /// The data lines, joined by line feeds. Bytes that are no UTF-8 are replacement characters.
    pub data: String,
    /// The last id that the stream named up to here; it stays for the events after it.
    /// Shared, so that many small events do not copy one large id.
    pub id: Option<Arc<str>>,
}

/// An event was over the cap; the stream cannot be read on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is over {limit} bytes")]
pub struct TooLong {
    /// The cap, in bytes.
    pub limit: usize,
}

/// The fields that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Data,
    Event,
    Id,
    Retry,
}

/// The line under way.
#[derive(Debug, Clone, Copy)]
enum Line {
    /// Within the name of a field; at the line's start none of it has come.
    Name {
        bytes: [u8; LONGEST_NAME],
        length: usize,
    },
    /// After the colon. One space in front of the value is dropped, if it still may come.
    Value { field: Field, fresh: bool },
    /// Of a comment or an unknown field nothing is kept.
    Skipped,
}

const START: Line = Line::Name {
    bytes: [0; LONGEST_NAME],
    length: 0,
};

/// Reads events out of pieces of any size. Memory is bounded by the cap; comments and unknown
/// fields take none.
#[derive(Debug)]
pub struct Reader {
    limit: usize,
    failed: bool,
    /// How much of a byte order mark has come; `None` when none can come any more.
    mark: Option<usize>,
    /// True right after a CR: an LF that follows belongs to it.
    after_return: bool,
    line: Line,
    data: Vec<u8>,
    has_data: bool,
    name: Vec<u8>,
    /// The value of an id or retry line under way.
    value: Vec<u8>,
    id: Option<Arc<str>>,
    retry: Option<u64>,
}

impl Reader {
    /// A reader that refuses events over `limit` bytes (of data, type and id together).
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            failed: false,
            mark: Some(0),
            after_return: false,
            line: START,
            data: Vec::new(),
            has_data: false,
            name: Vec::new(),
            value: Vec::new(),
            id: None,
            retry: None,
        }
    }

    /// Takes the next piece and adds the events that it completes to `out`, also those that end
    /// before an event over the cap.
    ///
    /// # Errors
    /// [`TooLong`], and then for good.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<Event>) -> Result<(), TooLong> {
        let outcome = if self.failed {
            Err(TooLong { limit: self.limit })
        } else {
            self.read(piece, out)
        };
        self.failed = outcome.is_err();
        outcome
    }

    /// The stream has ended: true when an event that was not finished is dropped, as the standard
    /// demands.
    #[must_use]
    pub fn finish(self) -> bool {
        let within = match self.line {
            Line::Name { length, .. } => length > 0,
            Line::Value { .. } => true,
            Line::Skipped => false,
        };
        within || self.has_data
    }

    /// How long to wait before reconnecting, in milliseconds, if the stream said so.
    #[must_use]
    pub fn retry(&self) -> Option<u64> {
        self.retry
    }

    /// How many bytes are held, for the tests of memory.
    #[cfg(test)]
    pub(super) fn held(&self) -> usize {
        self.data.capacity() + self.name.capacity() + self.value.capacity()
    }

    fn read(&mut self, piece: &[u8], out: &mut Vec<Event>) -> Result<(), TooLong> {
        let mut rest = self.past_mark(piece)?;
        while let Some(first) = rest.first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let Some(end) = end else {
                return self.within_line(rest);
            };
            self.within_line(&rest[..end])?;
            self.after_return = rest[end] == b'\r';
            rest = &rest[end + 1..];
            self.line_ended(out)?;
        }
        Ok(())
    }

    fn past_mark<'a>(&mut self, mut piece: &'a [u8]) -> Result<&'a [u8], TooLong> {
        while let (Some(seen), Some(first)) = (self.mark, piece.first()) {
            if *first != BYTE_ORDER_MARK[seen] {
                self.mark = None;
                // What looked like a mark was the line's own beginning.
                self.within_line(&BYTE_ORDER_MARK[..seen])?;
                break;
            }
            self.mark = Some(seen + 1).filter(|seen| *seen < BYTE_ORDER_MARK.len());
            piece = &piece[1..];
        }
        Ok(piece)
    }

    /// Takes bytes that are not the end of a line.
    fn within_line(&mut self, mut part: &[u8]) -> Result<(), TooLong> {
        while let Line::Name { bytes, length } = &mut self.line {
            let Some((first, rest)) = part.split_first() else {
                return Ok(());
            };
            part = rest;
            if *first == b':' {
                match field(&bytes[..*length]) {
                    Some(field) => self.value_begins(field)?,
                    None => self.line = Line::Skipped,
                }
            } else if *length == LONGEST_NAME {
                self.line = Line::Skipped;
            } else {
                bytes[*length] = *first;
                *length += 1;
            }
        }
        let Line::Value { field, fresh } = &mut self.line else {
            return Ok(());
        };
        if !part.is_empty() && std::mem::take(fresh) && part[0] == b' ' {
            part = &part[1..];
        }
        let field = *field;
        self.room_for(part.len())?;
        let target = match field {
            Field::Data => &mut self.data,
            Field::Event => &mut self.name,
            Field::Id | Field::Retry => &mut self.value,
        };
        target.extend_from_slice(part);
        Ok(())
    }

    fn value_begins(&mut self, field: Field) -> Result<(), TooLong> {
        match field {
            Field::Data if self.has_data => {
                self.room_for(1)?;
                self.data.push(b'\n');
            }
            Field::Data => self.has_data = true,
            Field::Event => self.name.clear(),
            Field::Id | Field::Retry => self.value.clear(),
        }
        self.line = Line::Value { field, fresh: true };
        Ok(())
    }

    fn room_for(&self, more: usize) -> Result<(), TooLong> {
        let held = self.data.len() + self.name.len() + self.value.len();
        if held + more > self.limit {
            return Err(TooLong { limit: self.limit });
        }
        Ok(())
    }

    fn line_ended(&mut self, out: &mut Vec<Event>) -> Result<(), TooLong> {
        match std::mem::replace(&mut self.line, START) {
            Line::Skipped => {}
            Line::Value { field, .. } => self.value_ended(field),
            Line::Name { length: 0, .. } => self.event_ended(out),
            // A line without a colon is a field without a value.
            Line::Name { bytes, length } => {
                if let Some(field) = field(&bytes[..length]) {
                    self.value_begins(field)?;
                    self.value_ended(field);
                    self.line = START;
                }
            }
        }
        Ok(())
    }

    fn value_ended(&mut self, field: Field) {
        match field {
            Field::Data | Field::Event => return,
            Field::Id if self.value.contains(&0) => {}
            Field::Id => self.id = Some(text(std::mem::take(&mut self.value)).into()),
            Field::Retry => {
                let digits = !self.value.is_empty() && self.value.iter().all(u8::is_ascii_digit);
                let number = std::str::from_utf8(&self.value).ok().filter(|_| digits);
                self.retry = number.and_then(|text| text.parse().ok()).or(self.retry);
            }
        }
        self.value.clear();
    }

    fn event_ended(&mut self, out: &mut Vec<Event>) {
        let name = std::mem::take(&mut self.name);
        if !std::mem::take(&mut self.has_data) {
            return;
        }
        out.push(Event {
            name: Some(text(name)).filter(|name| !name.is_empty()),
            data: text(std::mem::take(&mut self.data)),
            id: self.id.clone().filter(|id| !id.is_empty()),
        });
    }
}

fn field(name: &[u8]) -> Option<Field> {
    match name {
        b"data" => Some(Field::Data),
        b"event" => Some(Field::Event),
        b"id" => Some(Field::Id),
        b"retry" => Some(Field::Retry),
        _ => None,
    }
}

/// The text of bytes; where they are UTF-8 their memory is the text's.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
