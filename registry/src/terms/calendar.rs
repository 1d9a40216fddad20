//! The proleptic Gregorian calendar: a date with perhaps a time of day and perhaps an offset.

use super::dates::Gap;

/// A date, and what is known of the time of day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Moment {
    /// Year 1 to 9999, month, day.
    pub date: (u32, u32, u32),
    /// Absent for a plain date.
    pub clock: Option<Clock>,
}

/// A time of day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Clock {
    /// Hour, minute, second (60 only as written in a leap second).
    pub time: (u32, u32, u32),
    /// Digits after the second, as written, without trailing zeros.
    pub fraction: String,
    /// Minutes east of UTC; absent when the text names no zone.
    pub offset: Option<i32>,
}

impl Clock {
    /// Whether it says nothing beyond the date.
    pub fn is_midnight(&self) -> bool {
        self.time == (0, 0, 0) && self.fraction.is_empty()
    }
}

impl Moment {
    /// A plain date, if there is such a day.
    pub fn of_date(year: u32, month: u32, day: u32) -> Option<Self> {
        let good = (1..=9999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=days_in(year, month)).contains(&day);
        good.then_some(Self {
            date: (year, month, day),
            clock: None,
        })
    }

    /// The moment `count` units of `millis` milliseconds after 1970, in UTC.
    pub fn of_millis(count: i64, millis: i64) -> Option<Self> {
        let total = count.checked_mul(millis)?;
        let (days, rest) = (total.div_euclid(86_400_000), total.rem_euclid(86_400_000));
        let (year, month, day) = civil(days)?;
        let seconds = (rest / 1_000) as u32;
        let fraction = match rest % 1_000 {
            0 => String::new(),
            part => format!("{part:03}").trim_end_matches('0').to_owned(),
        };
        Some(Self {
            date: (year, month, day),
            clock: Some(Clock {
                time: (seconds / 3_600, seconds / 60 % 60, seconds % 60),
                fraction,
                offset: Some(0),
            }),
        })
    }

    /// ISO 8601, with no more than is known.
    pub fn iso(&self) -> String {
        let (year, month, day) = self.date;
        let mut text = format!("{year:04}-{month:02}-{day:02}");
        let Some(clock) = &self.clock else {
            return text;
        };
        let (hour, minute, second) = clock.time;
        text.push_str(&format!("T{hour:02}:{minute:02}:{second:02}"));
        if !clock.fraction.is_empty() {
            text.push('.');
            text.push_str(&clock.fraction);
        }
        match clock.offset {
            None => {}
            Some(0) => text.push('Z'),
            Some(offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                let minutes = offset.unsigned_abs();
                text.push_str(&format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60));
            }
        }
        text
    }

    /// Whole units of `millis` milliseconds since 1970.
    pub fn unix(&self, millis: i64) -> Result<String, Gap> {
        let clock = self.clock.as_ref().ok_or(Gap::Unknown)?;
        let offset = i64::from(clock.offset.ok_or(Gap::Unknown)?);
        let (hour, minute, second) = clock.time;
        if second == 60 {
            // Unix time has no name for a leap second.
            return Err(Gap::Unknown);
        }
        if clock.fraction.len() > 3 || (millis > 1 && !clock.fraction.is_empty()) {
            return Err(Gap::Loss);
        }
        let part: i64 = format!("{:0<3}", clock.fraction).parse().unwrap_or(0);
        let seconds =
            days(self.date) * 86_400 + i64::from(hour * 3_600 + minute * 60 + second) - offset * 60;
        Ok(((seconds * 1_000 + part) / millis).to_string())
    }
}

/// `YYYY-MM-DD` with perhaps a time; `strict` asks for seconds and a zone, as RFC 3339 does.
pub(super) fn iso(text: &str, strict: bool) -> Option<Moment> {
    let bytes = text.as_bytes();
    if bytes.len() < 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let mut moment = Moment::of_date(
        digits(&bytes[..4])?,
        digits(&bytes[5..7])?,
        digits(&bytes[8..10])?,
    )?;
    if bytes.len() == 10 {
        return (!strict).then_some(moment);
    }
    if bytes[10] != b'T' {
        return None;
    }
    moment.clock = Some(clock(&text[11..], strict)?);
    Some(moment)
}

fn clock(text: &str, strict: bool) -> Option<Clock> {
    let zone_at = text.find(['Z', '+', '-']).unwrap_or(text.len());
    let (time, zone) = text.split_at(zone_at);
    let offset = zone_offset(zone, strict)?;
    let (time, fraction) = match time.split_once('.') {
        Some((time, fraction)) if time.len() == 8 => (time, fraction),
        Some(_) => return None,
        None => (time, "0"),
    };
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let bytes = time.as_bytes();
    let (hour, minute, second) = match bytes.len() {
        5 if !strict && bytes[2] == b':' => (digits(&bytes[..2])?, digits(&bytes[3..])?, 0),
        8 if bytes[2] == b':' && bytes[5] == b':' => (
            digits(&bytes[..2])?,
            digits(&bytes[3..5])?,
            digits(&bytes[6..])?,
        ),
        _ => return None,
    };
    let good = hour < 24 && minute < 60 && (second < 60 || (second == 60 && minute == 59));
    good.then(|| Clock {
        time: (hour, minute, second),
        fraction: fraction.trim_end_matches('0').to_owned(),
        offset,
    })
}

/// The outer `None` is a mistake, the inner one a text without a zone.
#[expect(
    clippy::option_option,
    reason = "a mistake and an absent zone are different answers"
)]
fn zone_offset(zone: &str, strict: bool) -> Option<Option<i32>> {
    let bytes = zone.as_bytes();
    let (hours, minutes) = match bytes.len() {
        0 => return (!strict).then_some(None),
        1 => return (zone == "Z").then_some(Some(0)),
        5 if !strict => (digits(&bytes[1..3])?, digits(&bytes[3..])?),
        6 if bytes[3] == b':' => (digits(&bytes[1..3])?, digits(&bytes[4..])?),
        _ => return None,
    };
    if bytes[0] == b'Z' || hours > 23 || minutes > 59 {
        return None;
    }
    let offset = i32::try_from(hours * 60 + minutes).ok()?;
    Some(Some(if bytes[0] == b'-' { -offset } else { offset }))
}

/// A run of at most nine digits as a number.
pub(super) fn digits(bytes: &[u8]) -> Option<u32> {
    let plain = !bytes.is_empty() && bytes.len() <= 9 && bytes.iter().all(u8::is_ascii_digit);
    plain.then(|| {
        bytes
            .iter()
            .fold(0, |sum, byte| sum * 10 + u32::from(byte - b'0'))
    })
}

const fn days_in(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap(year) => 29,
        2 => 28,
        _ => 31,
    }
}

const fn leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Days from 1970-01-01, counted in years that begin in March, so that the leap day comes last.
fn days((year, month, day): (u32, u32, u32)) -> i64 {
    let from_march = (month + 9) % 12;
    let year = i64::from(year) - i64::from(month <= 2);
    let before = i64::from((153 * from_march + 2) / 5 + day - 1);
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + before - 719_468
}

/// The date that many days after 1970-01-01; `None` outside the years 1 to 9999.
fn civil(days_after: i64) -> Option<(u32, u32, u32)> {
    let first = days((1, 1, 1));
    let last = days((9999, 12, 31));
    if !(first..=last).contains(&days_after) {
        return None;
    }
    // A first guess that is never too late, then at most two steps.
    let guess = (days_after - first) / 366 + 1;
    let mut year = u32::try_from(guess).ok()?;
    // The guess lags by a day a year: it is at most 28 years behind in 9999 years.
    while year < 9999 && days((year + 1, 1, 1)) <= days_after {
        year += 1;
    }
    let mut month = 1;
    while month < 12 && days((year, month + 1, 1)) <= days_after {
        month += 1;
    }
    let day = u32::try_from(days_after - days((year, month, 1)) + 1).ok()?;
    Some((year, month, day))
}
