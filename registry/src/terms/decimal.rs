//! Exact decimals of at most 38 digits, and exact fractions between them; nothing here is ever a float.

use std::fmt;

use num_bigint::{BigInt, Sign};
use num_rational::BigRational;

use super::parse;

/// The most digits a number may have when written without an exponent.
pub const MAX_DIGITS: usize = 38;

/// A decimal number: `mantissa / 10^scale`, with at most 38 digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    mantissa: i128,
    scale: u8,
}

/// Why a text is no [`Decimal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// Not a number by the grammar of JSON.
    #[error("not a number")]
    NotANumber,
    /// More than 38 digits when written out.
    #[error("more than 38 digits")]
    TooManyDigits,
}

/// How a result is cut to its scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// To the nearest, a tie to the even neighbour.
    #[default]
    HalfEven,
    /// To the nearest, a tie away from zero.
    HalfUp,
    /// To the nearest, a tie towards zero.
    HalfDown,
    /// Away from zero.
    Up,
    /// Towards zero.
    Down,
    /// Towards plus infinity.
    Ceiling,
    /// Towards minus infinity.
    Floor,
}

impl Rounding {
    /// All rules, in the order of the documentation.
    pub const ALL: [Self; 7] = [
        Self::HalfEven,
        Self::HalfUp,
        Self::HalfDown,
        Self::Up,
        Self::Down,
        Self::Ceiling,
        Self::Floor,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::HalfEven => "half_even",
            Self::HalfUp => "half_up",
            Self::HalfDown => "half_down",
            Self::Up => "up",
            Self::Down => "down",
            Self::Ceiling => "ceiling",
            Self::Floor => "floor",
        }
    }

    /// The rule with that name; `-` counts as `_`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.replace('-', "_");
        Self::ALL.into_iter().find(|rule| rule.as_str() == text)
    }
}

impl Decimal {
    /// Reads a JSON number; an exponent is written out.
    ///
    /// # Errors
    /// [`NumberError`].
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        if !parse::is_number(text) {
            return Err(NumberError::NotANumber);
        }
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i64>().ok()),
            None => (text, Some(0)),
        };
        let (negative, number) = match number.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, number),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = || whole.bytes().chain(fraction.bytes());
        if digits().all(|digit| digit == b'0') {
            // Zero is zero with any exponent; only the digits after the point are kept.
            let scale = fraction.len().min(MAX_DIGITS) as u8;
            return Ok(Self { mantissa: 0, scale });
        }
        let exponent = exponent.ok_or(NumberError::TooManyDigits)?;
        let scale = (fraction.len() as i64).saturating_sub(exponent);
        if digits().skip_while(|&digit| digit == b'0').count() > MAX_DIGITS
            || !(-(MAX_DIGITS as i64)..=MAX_DIGITS as i64).contains(&scale)
        {
            return Err(NumberError::TooManyDigits);
        }
        let mut mantissa: i128 = 0;
        for digit in digits() {
            mantissa = mantissa * 10 + i128::from(digit - b'0');
        }
        for _ in scale..0 {
            mantissa = mantissa.checked_mul(10).ok_or(NumberError::TooManyDigits)?;
        }
        let scale = scale.max(0) as u8;
        let signed = if negative { -mantissa } else { mantissa };
        Self::checked(signed, scale).ok_or(NumberError::TooManyDigits)
    }

    /// The limit counts the digits before the point, without leading zeros, and those after it.
    fn checked(mantissa: i128, scale: u8) -> Option<Self> {
        let before = (mantissa.unsigned_abs() / 10_u128.pow(u32::from(scale)))
            .checked_ilog10()
            .map_or(0, |log| log as usize + 1);
        (before + usize::from(scale) <= MAX_DIGITS).then_some(Self { mantissa, scale })
    }

    /// Digits after the point that are needed: `1.500` needs one.
    #[must_use]
    pub fn needed_scale(self) -> u8 {
        let (mut mantissa, mut scale) = (self.mantissa, self.scale);
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale -= 1;
        }
        scale
    }

    /// Whether it has no fraction.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.needed_scale() == 0
    }

    /// Whether it is above zero.
    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.mantissa > 0
    }

    /// The same number as a fraction.
    #[must_use]
    pub fn exact(self) -> BigRational {
        BigRational::new(BigInt::from(self.mantissa), power(self.scale))
    }
}

impl fmt::Display for Decimal {
    /// Without an exponent, with exactly the digits after the point that the scale says.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.mantissa.unsigned_abs().to_string();
        let scale = usize::from(self.scale);
        let padded = format!("{digits:0>width$}", width = scale + 1);
        let (whole, fraction) = padded.split_at(padded.len() - scale);
        let sign = if self.mantissa < 0 { "-" } else { "" };
        if fraction.is_empty() {
            write!(f, "{sign}{whole}")
        } else {
            write!(f, "{sign}{whole}.{fraction}")
        }
    }
}

/// The decimal that is exactly this fraction, with no digit more than needed.
#[must_use]
pub fn to_decimal(value: &BigRational) -> Option<Decimal> {
    let mut scaled = value.numer().clone();
    for scale in 0..=MAX_DIGITS {
        if &scaled % value.denom() == BigInt::ZERO {
            let mantissa = i128::try_from(scaled / value.denom()).ok()?;
            return Decimal::checked(mantissa, scale as u8);
        }
        scaled *= 10;
    }
    None
}

/// Cuts a fraction to `scale` digits after the point, and says whether nothing was lost.
///
/// `None` when the result has more than 38 digits.
#[must_use]
pub fn round(value: &BigRational, scale: u8, rule: Rounding) -> Option<(Decimal, bool)> {
    let scaled = value.numer() * power(scale);
    let denominator = value.denom();
    // Both truncate towards zero, so the remainder has the sign of the number.
    let (quotient, remainder) = (&scaled / denominator, &scaled % denominator);
    let lossless = remainder.sign() == Sign::NoSign;
    let negative = scaled.sign() == Sign::Minus;
    let twice = remainder.magnitude() * 2_u32;
    let half = twice.cmp(denominator.magnitude());
    let away = !lossless
        && match rule {
            Rounding::Down => false,
            Rounding::Up => true,
            Rounding::Ceiling => !negative,
            Rounding::Floor => negative,
            Rounding::HalfUp => half.is_ge(),
            Rounding::HalfDown => half.is_gt(),
            Rounding::HalfEven => half.is_gt() || (half.is_eq() && quotient.bit(0)),
        };
    let rounded = match (away, negative) {
        (false, _) => quotient,
        (true, true) => quotient - 1,
        (true, false) => quotient + 1,
    };
    let mantissa = i128::try_from(rounded).ok()?;
    Some((Decimal::checked(mantissa, scale)?, lossless))
}

/// A fraction as text: a decimal where it is one, else `a/b`.
#[must_use]
pub fn show(value: &BigRational) -> String {
    match to_decimal(value) {
        Some(decimal) => decimal.to_string(),
        None => format!("{}/{}", value.numer(), value.denom()),
    }
}

fn power(scale: u8) -> BigInt {
    BigInt::from(10).pow(u32::from(scale))
}
