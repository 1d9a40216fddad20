//! Dates in a closed list of strict formats; a time zone is never invented and an unclear reading never chosen.

use std::fmt::Write as _;

use super::calendar::{self, Clock, Moment};
use super::tree::Tree;

/// A format that can be declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateFormat {
    /// `YYYY-MM-DD`, or with `Thh:mm[:ss[.fff]]` and perhaps `Z` or an offset.
    Iso8601,
    /// `YYYY-MM-DD` alone.
    IsoDate,
    /// `YYYY-MM-DDThh:mm:ss[.fff]` with `Z` or an offset.
    Rfc3339,
    /// `YYYYMMDD`, a string.
    Compact,
    /// `DD/MM/YYYY`.
    DayFirst,
    /// `MM/DD/YYYY`.
    MonthFirst,
    /// `DD.MM.YYYY`.
    Dotted,
    /// Whole seconds since 1970, a number.
    UnixSeconds,
    /// Whole milliseconds since 1970, a number.
    UnixMillis,
}

/// Why a date cannot be written in another format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    /// The target needs a time of day or a zone that the value does not have.
    Unknown,
    /// The target has no place for a part of the value.
    Loss,
}

impl DateFormat {
    /// All formats, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::Iso8601,
        Self::IsoDate,
        Self::Rfc3339,
        Self::Compact,
        Self::DayFirst,
        Self::MonthFirst,
        Self::Dotted,
        Self::UnixSeconds,
        Self::UnixMillis,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Iso8601 => "ISO8601",
            Self::IsoDate => "YYYY-MM-DD",
            Self::Rfc3339 => "RFC3339",
            Self::Compact => "YYYYMMDD",
            Self::DayFirst => "DD/MM/YYYY",
            Self::MonthFirst => "MM/DD/YYYY",
            Self::Dotted => "DD.MM.YYYY",
            Self::UnixSeconds => "unix_seconds",
            Self::UnixMillis => "unix_milliseconds",
        }
    }

    /// The format with that name, without case; a few other spellings are known.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.trim().to_ascii_lowercase().replace([' ', '-'], "_");
        let known = Self::ALL
            .into_iter()
            .find(|format| format.as_str().to_ascii_lowercase().replace('-', "_") == name);
        known.or(match name.as_str() {
            "iso_8601" => Some(Self::Iso8601),
            "rfc_3339" => Some(Self::Rfc3339),
            "unix" | "unix_s" | "epoch" | "epoch_seconds" => Some(Self::UnixSeconds),
            "unix_ms" | "unix_millis" | "epoch_ms" | "epoch_milliseconds" => Some(Self::UnixMillis),
            _ => None,
        })
    }

    /// Reads a value strictly in this format.
    #[must_use]
    pub(super) fn read(self, value: &Tree<'_>) -> Option<Moment> {
        match (self, value) {
            (Self::UnixSeconds, Tree::Number(text)) => Moment::of_millis(whole(text)?, 1_000),
            (Self::UnixMillis, Tree::Number(text)) => Moment::of_millis(whole(text)?, 1),
            (_, Tree::String(text)) => self.read_text(text.as_str()),
            _ => None,
        }
    }

    /// Reads a text strictly in this format; the unix formats are numbers and no texts.
    pub(super) fn read_text(self, text: &str) -> Option<Moment> {
        if !text.is_ascii() {
            return None;
        }
        match self {
            Self::Iso8601 => calendar::iso(text, false),
            Self::IsoDate => calendar::iso(text, false).filter(|moment| moment.clock.is_none()),
            Self::Rfc3339 => calendar::iso(text, true),
            Self::Compact => fields(text, &[(0, 4), (4, 2), (6, 2)], 8, None, [0, 1, 2]),
            Self::DayFirst => fields(text, &SPLIT, 10, Some(b'/'), [2, 1, 0]),
            Self::MonthFirst => fields(text, &SPLIT, 10, Some(b'/'), [2, 0, 1]),
            Self::Dotted => fields(text, &SPLIT, 10, Some(b'.'), [2, 1, 0]),
            Self::UnixSeconds | Self::UnixMillis => None,
        }
    }

    /// Writes a moment in this format.
    pub(super) fn write(self, moment: &Moment) -> Result<Tree<'static>, Gap> {
        let (year, month, day) = moment.date;
        let text = match self {
            Self::Iso8601 => moment.iso(),
            Self::Rfc3339 => match &moment.clock {
                Some(clock) if clock.offset.is_some() => moment.iso(),
                _ => return Err(Gap::Unknown),
            },
            Self::UnixSeconds => return moment.unix(1_000).map(Tree::number),
            Self::UnixMillis => return moment.unix(1).map(Tree::number),
            _ if !moment.clock.as_ref().is_none_or(Clock::is_midnight) => return Err(Gap::Loss),
            Self::IsoDate => format!("{year:04}-{month:02}-{day:02}"),
            Self::Compact => format!("{year:04}{month:02}{day:02}"),
            Self::DayFirst => format!("{day:02}/{month:02}/{year:04}"),
            Self::MonthFirst => format!("{month:02}/{day:02}/{year:04}"),
            Self::Dotted => format!("{day:02}.{month:02}.{year:04}"),
        };
        Ok(Tree::text(&text))
    }
}

/// Two digits, a mark, two digits, a mark, four digits.
const SPLIT: [(usize, usize); 3] = [(0, 2), (3, 2), (6, 4)];

/// Every different reading of a value whose format nobody declared.
pub(super) fn readings(value: &Tree<'_>) -> Vec<(DateFormat, Moment)> {
    let mut found: Vec<(DateFormat, Moment)> = Vec::new();
    for format in DateFormat::ALL {
        if let Some(moment) = format.read(value)
            && !found.iter().any(|(_, known)| *known == moment)
        {
            found.push((format, moment));
        }
    }
    found
}

/// The names of formats for a sentence: `DD/MM/YYYY or MM/DD/YYYY`.
pub(super) fn list(readings: &[(DateFormat, Moment)]) -> String {
    let mut text = String::new();
    for (index, (format, moment)) in readings.iter().enumerate() {
        let join = if index == 0 { "" } else { " or " };
        // Writing to a String cannot fail.
        let _ = write!(text, "{join}{} ({})", format.as_str(), moment.iso());
    }
    text
}

fn whole(text: &str) -> Option<i64> {
    // Twelve digits of seconds are beyond the year 9999 already; fifteen of milliseconds too.
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Reads three numbers at fixed places; `order` says which of them are year, month and day.
fn fields(
    text: &str,
    places: &[(usize, usize); 3],
    length: usize,
    mark: Option<u8>,
    order: [usize; 3],
) -> Option<Moment> {
    let bytes = text.as_bytes();
    let marked = mark.is_none_or(|mark| bytes.get(2) == Some(&mark) && bytes.get(5) == Some(&mark));
    if bytes.len() != length || !marked {
        return None;
    }
    let mut parts = [0_u32; 3];
    for (part, (from, count)) in parts.iter_mut().zip(places) {
        *part = calendar::digits(bytes.get(*from..from + count)?)?;
    }
    Moment::of_date(parts[order[0]], parts[order[1]], parts[order[2]])
}
