//! The arithmetic of one value: exact, cut only to a declared scale, or refused with a reason.

use num_rational::BigRational;

use super::decimal::{self, Decimal, Rounding};
use super::mismatch::{RateUsed, Reason};
use super::rates::RateTable;
use super::rule::{Measure, Rule};
use super::units::{self, Dimension};
use crate::clock::Millis;

/// A converted number and how it came about.
pub(super) struct Converted {
    pub value: Decimal,
    pub factor: Option<String>,
    pub rounding: Option<(u8, Rounding)>,
    pub rate: Option<RateUsed>,
    pub lossless: bool,
}

type Refused = (Reason, String);

/// A number that already has the unit: it stays, if it keeps within the declared scale.
pub(super) fn unchanged(number: Decimal, rule: &Rule) -> Result<Converted, Refused> {
    match rule.scale {
        Some(scale) if number.needed_scale() > scale => Err((
            Reason::PrecisionExceeded,
            format!("{number} has more than {scale} digits after the point; round it yourself"),
        )),
        _ => Ok(Converted {
            value: number,
            factor: Some("1".to_owned()),
            rounding: None,
            rate: None,
            lossless: true,
        }),
    }
}

/// A number in another unit of the same dimension.
pub(super) fn number(
    number: &Decimal,
    (unit, measure): (&str, &Measure),
    rule: &Rule,
    rates: &RateTable,
    now: Millis,
) -> Result<Converted, Refused> {
    match (measure, &rule.measure) {
        (Measure::Currency(from), Measure::Currency(to)) => {
            let quote = rates
                .find(from.code, to.code, now)
                .map_err(|reason| (reason, rate_words(reason, from.code, to.code)))?;
            let exact = number.exact() * &quote.rate;
            let mut converted = finish(&exact, Some(&quote.rate), rule)?;
            converted.rate = Some(quote.used);
            Ok(converted)
        }
        (Measure::Unit(from), Measure::Unit(to))
            if from.factor.is_some() && to.factor.is_some() =>
        {
            let exact = units::convert(&number.exact(), from, to).ok_or_else(|| no_factor(unit))?;
            let factor = units::factor(from, to);
            whole(&exact, unit, number, rule)?;
            finish(&exact, factor.as_ref(), rule)
        }
        _ => {
            let from = each(measure).ok_or_else(|| no_factor(unit))?;
            let to = each(&rule.measure).ok_or_else(|| no_factor(&rule.text))?;
            let factor = from / to;
            let exact = number.exact() * &factor;
            whole(&exact, unit, number, rule)?;
            finish(&exact, Some(&factor), rule)
        }
    }
}

/// How many each one of a count is.
fn each(measure: &Measure) -> Option<BigRational> {
    match measure {
        Measure::Unit(unit) => unit.exact_factor(),
        Measure::Pack(factor) => factor.clone(),
        Measure::Currency(_) | Measure::Date(_) => None,
    }
}

fn whole(exact: &BigRational, unit: &str, number: &Decimal, rule: &Rule) -> Result<(), Refused> {
    if rule.dimension != Dimension::Count || exact.is_integer() {
        return Ok(());
    }
    let words = format!(
        "{number} {unit} is {} {}, which is not whole; send another quantity",
        decimal::show(exact),
        rule.text
    );
    Err((Reason::LossyQuantity, words))
}

fn finish(
    exact: &BigRational,
    factor: Option<&BigRational>,
    rule: &Rule,
) -> Result<Converted, Refused> {
    let factor = factor.map(decimal::show);
    let whole_count = (rule.dimension == Dimension::Count).then_some(0);
    let refused = |words: &str| (Reason::PrecisionExceeded, words.to_owned());
    let (value, lossless, rounding) = match rule.scale_of_result().or(whole_count) {
        Some(scale) => {
            let (value, lossless) = decimal::round(exact, scale, rule.rounding)
                .ok_or_else(|| refused("the result has more than 38 digits"))?;
            (value, lossless, Some((scale, rule.rounding)))
        }
        None => {
            let value = decimal::to_decimal(exact).ok_or_else(|| {
                refused("the exact result has more than 38 digits, and the receiver declares no scale to round to; send the value in the receiver's unit")
            })?;
            (value, true, None)
        }
    };
    Ok(Converted {
        value,
        factor,
        rounding: rounding.filter(|_| whole_count.is_none()),
        rate: None,
        lossless,
    })
}

fn no_factor(unit: &str) -> Refused {
    (
        Reason::UnknownUnit,
        format!("{unit:?} has no factor that is known; only the receiver can declare one"),
    )
}

fn rate_words(reason: Reason, from: &str, to: &str) -> String {
    if reason == Reason::RateStale {
        format!("the rate from {from} to {to} is older than it may be; send the amount in {to}")
    } else {
        format!("no rate from {from} to {to} is loaded here; send the amount in {to}")
    }
}
