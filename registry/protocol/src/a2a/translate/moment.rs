//! Times as 1.0 writes them: RFC 3339 in UTC with a Z.

use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, UtcOffset};

/// The longest text that 1.0's parsers take: nanoseconds are their finest.
const LONGEST: usize = "2026-01-02T03:04:05.123456789Z".len();

/// The moment in 1.0's form; `None` for what is no time, which 1.0 has no place for.
///
/// A time without a zone is taken as UTC; a blank between date and time and a zone without a colon
/// are read too, since real agents write them. What is in 1.0's form already stays as it is.
pub(super) fn in_utc(text: &str) -> Option<String> {
    let time = text.trim();
    // Bytes, since a place within the text need not be the border of a character.
    let bytes = time.as_bytes();
    let dated = time.is_ascii() && bytes.len() > 10 && matches!(bytes[10], b'T' | b't' | b' ');
    if !dated {
        return None;
    }
    let regular = format!("{}T{}", &time[..10], with_zone(&time[11..]));
    let moment = OffsetDateTime::parse(&regular, &Rfc3339).ok()?;
    let moment = moment.checked_to_offset(UtcOffset::UTC)?;
    let written = moment.format(&Rfc3339).ok()?;
    // A leap second is read as the last instant before it, which 1.0's parsers take.
    let leap = regular.as_bytes().get(17..19) == Some(b"60");
    if time == regular && time.ends_with('Z') && time.len() <= LONGEST && !leap {
        return Some(regular);
    }
    Some(written)
}

/// The time of a day with a zone in its regular form.
fn with_zone(clock: &str) -> String {
    let Some(sign) = clock.rfind(['+', '-']) else {
        let clock = clock.strip_suffix(['Z', 'z']).unwrap_or(clock);
        return format!("{clock}Z");
    };
    let (clock, zone) = clock.split_at(sign);
    match zone.len() {
        3 => format!("{clock}{zone}:00"),
        5 => format!("{clock}{}:{}", &zone[..3], &zone[3..]),
        _ => format!("{clock}{zone}"),
    }
}
