//! Writing server-sent events: LF, one data line for each line of the data, an empty line after each.

/// Writes one event. Every line end of the data (LF, CR or CRLF) is an LF to who reads it, since
/// the grammar knows no other within data; outside of texts JSON does not mind.
pub fn write(out: &mut Vec<u8>, data: &str) {
    out.reserve(data.len() + 16);
    let mut rest = data.as_bytes();
    loop {
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        out.extend_from_slice(b"data: ");
        out.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
        out.push(b'\n');
        let Some(end) = end else {
            break;
        };
        let both = rest[end..].starts_with(b"\r\n");
        rest = &rest[end + 1 + usize::from(both)..];
    }
    out.push(b'\n');
}

/// As [`write()`], of a type (`event: error`). A type is one line; it is cut at its first line end.
pub fn write_named(out: &mut Vec<u8>, name: &str, data: &str) {
    let line = name.split(['\n', '\r']).next().unwrap_or_default();
    out.extend_from_slice(b"event: ");
    out.extend_from_slice(line.as_bytes());
    out.push(b'\n');
    write(out, data);
}
