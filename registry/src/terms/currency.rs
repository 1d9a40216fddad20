//! ISO 4217: the active codes and their minor units (list one, with the amendments up to 2026).

/// Changes whenever a row does; part of every digest.
pub const VERSION: &str = "iso4217-2026";

/// An active currency or fund.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Currency {
    /// Three capitals.
    pub code: &'static str,
    /// Digits after the point; `None` for metals, baskets and test codes.
    pub minor: Option<u8>,
}

const TWO: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF \
CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG \
HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN \
MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD \
SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG";
const NONE: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const THREE: &str = "BHD IQD JOD KWD LYD OMR TND";
const FOUR: &str = "CLF UYW";
const UNDIVIDED: &str = "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX";

const ROWS: [(&str, Option<u8>); 5] = [
    (TWO, Some(2)),
    (NONE, Some(0)),
    (THREE, Some(3)),
    (FOUR, Some(4)),
    (UNDIVIDED, None),
];

/// All active currencies, by minor units and then by code.
pub fn currencies() -> impl Iterator<Item = Currency> {
    ROWS.into_iter().flat_map(|(codes, minor)| {
        codes
            .split_ascii_whitespace()
            .map(move |code| Currency { code, minor })
    })
}

/// The currency with that code, in any case.
#[must_use]
pub fn find(code: &str) -> Option<Currency> {
    if code.len() != 3 {
        return None;
    }
    currencies().find(|currency| currency.code.eq_ignore_ascii_case(code))
}
