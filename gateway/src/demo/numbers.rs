//! What the demo agents do with numbers and dates.

/// Units with their size in the first unit of their kind.
const UNITS: [(&str, &str, f64); 22] = [
    ("length", "m", 1.0),
    ("length", "km", 1_000.0),
    ("length", "cm", 0.01),
    ("length", "mi", 1_609.344),
    ("length", "mile", 1_609.344),
    ("length", "ft", 0.304_8),
    ("length", "inch", 0.025_4),
    ("length", "metre", 1.0),
    ("length", "kilometre", 1_000.0),
    ("mass", "kg", 1.0),
    ("mass", "g", 0.001),
    ("mass", "lb", 0.453_592_37),
    ("mass", "pound", 0.453_592_37),
    ("mass", "oz", 0.028_349_523_125),
    ("volume", "l", 1.0),
    ("volume", "ml", 0.001),
    ("volume", "gallon", 3.785_411_784),
    ("volume", "litre", 1.0),
    ("time", "s", 1.0),
    ("time", "min", 60.0),
    ("time", "hour", 3_600.0),
    ("time", "day", 86_400.0),
];

fn unit(name: &str) -> Option<(&'static str, f64)> {
    let name = name.to_lowercase();
    let find = |name: &str| {
        UNITS
            .iter()
            .find(|(_, unit, _)| *unit == name)
            .map(|(kind, _, size)| (*kind, *size))
    };
    find(&name).or_else(|| find(name.strip_suffix('s')?))
}

/// `12 km in miles`, `100 f to c`.
pub(super) fn convert(text: &str) -> String {
    let help = "Say it like `12 km in miles`; I know length, mass, volume, time, C and F.";
    let spaced = text.replace(['?', ','], " ");
    let words: Vec<&str> = spaced
        .split_whitespace()
        .filter(|word| !matches!(*word, "convert" | "to" | "in"))
        .collect();
    let [value, from, to] = words.as_slice() else {
        return help.to_owned();
    };
    let Ok(value) = value.parse::<f64>() else {
        return help.to_owned();
    };
    let result = match (from.to_lowercase().as_str(), to.to_lowercase().as_str()) {
        ("c", "f") => Some(value * 1.8 + 32.0),
        ("f", "c") => Some((value - 32.0) / 1.8),
        _ => match (unit(from), unit(to)) {
            (Some((kind, size)), Some((other, target))) if kind == other => {
                Some(value * size / target)
            }
            _ => None,
        },
    };
    result.map_or_else(
        || help.to_owned(),
        |result| format!("{value} {from} = {} {to}", short(result)),
    )
}

/// At most four decimals, without zeros at the end.
fn short(number: f64) -> String {
    let text = format!("{number:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Additions, subtractions, multiplications, divisions and brackets.
pub(super) fn calculate(text: &str) -> String {
    let characters: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut sum = Sum {
        rest: &characters,
        depth: 0,
    };
    match sum.terms() {
        Some(value) if sum.rest.is_empty() && value.is_finite() => {
            format!("{text} = {}", short(value))
        }
        _ => "Say it like `2 + 3 * (4 - 1)`.".to_owned(),
    }
}

/// What is left of a sum to be read.
struct Sum<'a> {
    rest: &'a [char],
    depth: u8,
}

impl Sum<'_> {
    fn take(&mut self, wanted: &[char]) -> Option<char> {
        let (first, rest) = self.rest.split_first()?;
        wanted.contains(first).then(|| {
            self.rest = rest;
            *first
        })
    }

    fn terms(&mut self) -> Option<f64> {
        let mut value = self.factors()?;
        while let Some(sign) = self.take(&['+', '-']) {
            let next = self.factors()?;
            value = if sign == '+' {
                value + next
            } else {
                value - next
            };
        }
        Some(value)
    }

    fn factors(&mut self) -> Option<f64> {
        let mut value = self.single()?;
        while let Some(sign) = self.take(&['*', '/']) {
            let next = self.single()?;
            value = if sign == '*' {
                value * next
            } else {
                value / next
            };
        }
        Some(value)
    }

    fn single(&mut self) -> Option<f64> {
        let negative = self.take(&['-']).is_some();
        let value = if self.take(&['(']).is_some() {
            // A stranger's brackets must not exhaust the stack.
            self.depth = self.depth.checked_add(1).filter(|depth| *depth <= 32)?;
            let inner = self.terms()?;
            self.depth -= 1;
            self.take(&[')'])?;
            inner
        } else {
            let length = self
                .rest
                .iter()
                .take_while(|c| c.is_ascii_digit() || **c == '.')
                .count();
            let (digits, rest) = self.rest.split_at(length);
            self.rest = rest;
            digits.iter().collect::<String>().parse().ok()?
        };
        Some(if negative { -value } else { value })
    }
}

const ROMAN: [(u32, &str); 13] = [
    (1_000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
];

/// Between Roman and other numerals, 1 to 3999.
pub(super) fn roman(text: &str) -> String {
    let text = text.trim().to_uppercase();
    let write = |number: u32| {
        let mut left = number;
        let mut out = String::new();
        for (value, sign) in ROMAN {
            while left >= value {
                out.push_str(sign);
                left -= value;
            }
        }
        out
    };
    match text.parse::<u32>() {
        Ok(number @ 1..=3_999) => write(number),
        // The numerals are few: the one that is written alike is the number.
        _ => (1..=3_999)
            .find(|number| write(*number) == text)
            .map_or_else(
                || "Say a number from 1 to 3999, such as 1987 or MCMLXXXVII.".to_owned(),
                |n| n.to_string(),
            ),
    }
}

/// Prime factors of a number below a million millions.
pub(super) fn factors(text: &str) -> String {
    let Ok(number @ 2..=1_000_000_000_000) = text.trim().parse::<u64>() else {
        return "Say a number from 2 to 1000000000000.".to_owned();
    };
    let (mut left, mut divisor, mut found) = (number, 2, Vec::new());
    while divisor * divisor <= left {
        while left % divisor == 0 {
            found.push(divisor.to_string());
            left /= divisor;
        }
        divisor += 1;
    }
    if left > 1 {
        found.push(left.to_string());
    }
    format!("{number} = {}", found.join(" × "))
}

/// The weekday of a date of the Gregorian calendar.
pub(super) fn weekday(text: &str) -> String {
    const DAYS: [&str; 7] = [
        "Saturday",
        "Sunday",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
    ];
    let parts: Vec<u32> = text
        .trim()
        .split('-')
        .filter_map(|part| part.parse().ok())
        .collect();
    let [year @ 1583..=9999, month @ 1..=12, day] = parts.as_slice() else {
        return "Say a date such as 2026-12-24.".to_owned();
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=longest).contains(day) {
        return format!("{year}-{month:02} has days 1 to {longest}.");
    }
    // Zeller: January and February count as months 13 and 14 of the year before.
    let (y, m) = if *month < 3 {
        (year - 1, month + 12)
    } else {
        (*year, *month)
    };
    let index = (day + 13 * (m + 1) / 5 + y + y / 4 - y / 100 + y / 400) % 7;
    let name = DAYS.get(index as usize).copied().unwrap_or_default();
    format!(
        "{year}-{month:02}-{day:02} is a {name}{}",
        if leap { ", in a leap year" } else { "" }
    )
}

/// An amount in coins and notes.
pub(super) fn coins(text: &str) -> String {
    const COINS: [(u64, &str); 11] = [
        (5_000, "50"),
        (2_000, "20"),
        (1_000, "10"),
        (500, "5"),
        (200, "2"),
        (100, "1"),
        (50, "0.50"),
        (20, "0.20"),
        (10, "0.10"),
        (5, "0.05"),
        (1, "0.01"),
    ];
    let help = "Say an amount such as 3.87, at most 1000.";
    let (whole, cents) = text
        .trim()
        .trim_start_matches(['€', ' '])
        .split_once('.')
        .unwrap_or((text.trim(), "00"));
    let (Ok(whole @ 0..=1_000), 1..=2, Ok(digits)) =
        (whole.parse::<u64>(), cents.len(), cents.parse::<u64>())
    else {
        return help.to_owned();
    };
    let mut left = whole * 100
        + if cents.len() == 1 {
            digits * 10
        } else {
            digits
        };
    let mut out = Vec::new();
    for (value, name) in COINS {
        if left >= value {
            out.push(format!("{} × {name}", left / value));
            left %= value;
        }
    }
    if out.is_empty() {
        "nothing to pay".to_owned()
    } else {
        out.join(", ")
    }
}

/// A number in other bases.
pub(super) fn bases(text: &str) -> String {
    match text.trim().parse::<u64>() {
        Ok(number) => format!("binary {number:b}, octal {number:o}, hexadecimal {number:x}"),
        Err(_) => "Say a whole number.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_worked_on() {
        for (of, text, answer) in [
            (
                convert as fn(&str) -> String,
                "convert 12 km to miles?",
                "12 km = 7.4565 miles",
            ),
            (convert, "100 c in f", "100 c = 212 f"),
            (calculate, "2 + 3 * (4 - 1)", "2 + 3 * (4 - 1) = 11"),
            (calculate, "-(1 - 3) / 4", "-(1 - 3) / 4 = 0.5"),
            (roman, "1987", "MCMLXXXVII"),
            (roman, "xiv", "14"),
            (factors, "360", "360 = 2 × 2 × 2 × 3 × 3 × 5"),
            (factors, "999999999989", "999999999989 = 999999999989"),
            (weekday, "2026-12-24", "2026-12-24 is a Thursday"),
            (
                weekday,
                "2024-02-29",
                "2024-02-29 is a Thursday, in a leap year",
            ),
            (
                coins,
                "3.87",
                "1 × 2, 1 × 1, 1 × 0.50, 1 × 0.20, 1 × 0.10, 1 × 0.05, 2 × 0.01",
            ),
            (bases, "255", "binary 11111111, octal 377, hexadecimal ff"),
        ] {
            assert_eq!(of(text), answer, "{text}");
        }
    }

    #[test]
    fn nonsense_is_answered_with_help() {
        for (of, text) in [
            (convert as fn(&str) -> String, "12 km in kg"),
            (convert, ""),
            (calculate, "1 +"),
            (calculate, "1 / 0"),
            (roman, "4000"),
            (factors, "1"),
            (weekday, "soon"),
            (coins, "3.870"),
            (coins, "é.é"),
        ] {
            assert!(of(text).starts_with("Say "), "{text}: {}", of(text));
        }
        assert!(calculate(&"(".repeat(100_000)).starts_with("Say "));
        assert!(calculate(&"-".repeat(100_000)).starts_with("Say "));
        assert_eq!(weekday("2025-02-29"), "2025-02 has days 1 to 28.");
    }
}
