//! The units as data: symbol, names, dimension and the exact factor to the base unit of the dimension.

use super::units::{Dimension, Unit};

/// Changes whenever a row does; part of every digest.
pub const VERSION: &str = "units-1";

const fn unit(
    dimension: Dimension,
    symbol: &'static str,
    names: &'static [&'static str],
    factor: &'static str,
) -> Unit {
    Unit {
        symbol,
        names,
        dimension,
        factor: Some(factor),
        offset: None,
    }
}

/// A temperature: `kelvin = (value + offset) * factor`.
const fn degree(
    symbol: &'static str,
    names: &'static [&'static str],
    factor: &'static str,
    offset: &'static str,
) -> Unit {
    Unit {
        symbol,
        names,
        dimension: Dimension::Temperature,
        factor: Some(factor),
        offset: Some(offset),
    }
}

/// A count without a factor, unless the receiver declares one.
const fn pack(symbol: &'static str, names: &'static [&'static str]) -> Unit {
    Unit {
        symbol,
        names,
        dimension: Dimension::Count,
        factor: None,
        offset: None,
    }
}

use Dimension::{Area, Count, Length, Mass, Time, Volume};

/// Base units: kg, m, m3, m2, K, s, each. Names are in the singular and in lower case.
///
/// A name that means different things in different places (gallon, ton) is not in it: see [`UNCLEAR`].
pub(super) const UNITS: [Unit; 93] = [
    unit(Mass, "kg", &["kilogram", "kilogramme", "kilo", "kgs"], "1"),
    unit(Mass, "g", &["gram", "gramme"], "0.001"),
    unit(Mass, "mg", &["milligram", "milligramme"], "0.000001"),
    unit(Mass, "µg", &["microgram", "ug", "mcg"], "0.000000001"),
    unit(Mass, "t", &["tonne", "metric_ton"], "1000"),
    unit(Mass, "lb", &["pound", "lbs", "pound_mass"], "0.45359237"),
    unit(Mass, "oz", &["ounce"], "0.028349523125"),
    unit(Mass, "st", &["stone"], "6.35029318"),
    unit(Mass, "gr", &["grain"], "0.00006479891"),
    unit(Mass, "dr", &["dram"], "0.0017718451953125"),
    unit(Mass, "ct", &["carat"], "0.0002"),
    unit(Mass, "ozt", &["troy_ounce", "oz_t"], "0.0311034768"),
    unit(Mass, "lbt", &["troy_pound"], "0.3732417216"),
    unit(Mass, "dwt", &["pennyweight"], "0.00155517384"),
    unit(Mass, "ton_us", &["short_ton", "us_ton"], "907.18474"),
    unit(
        Mass,
        "ton_uk",
        &["long_ton", "imperial_ton"],
        "1016.0469088",
    ),
    unit(Mass, "cwt_us", &["short_hundredweight"], "45.359237"),
    unit(Mass, "cwt_uk", &["long_hundredweight"], "50.80234544"),
    unit(Length, "m", &["metre", "meter"], "1"),
    unit(Length, "km", &["kilometre", "kilometer"], "1000"),
    unit(Length, "dm", &["decimetre", "decimeter"], "0.1"),
    unit(Length, "cm", &["centimetre", "centimeter"], "0.01"),
    unit(Length, "mm", &["millimetre", "millimeter"], "0.001"),
    unit(
        Length,
        "µm",
        &["micrometre", "micrometer", "um", "micron"],
        "0.000001",
    ),
    unit(Length, "nm", &["nanometre", "nanometer"], "0.000000001"),
    unit(Length, "in", &["inch"], "0.0254"),
    unit(Length, "ft", &["foot", "feet"], "0.3048"),
    unit(Length, "yd", &["yard"], "0.9144"),
    unit(Length, "mi", &["mile"], "1609.344"),
    unit(Length, "nmi", &["nautical_mile"], "1852"),
    unit(Length, "ftm", &["fathom"], "1.8288"),
    unit(Length, "fur", &["furlong"], "201.168"),
    unit(Length, "ch", &["chain"], "20.1168"),
    unit(Length, "thou", &["mil"], "0.0000254"),
    unit(Volume, "m3", &["cubic_metre", "cubic_meter", "m³"], "1"),
    unit(
        Volume,
        "dm3",
        &["cubic_decimetre", "cubic_decimeter", "dm³"],
        "0.001",
    ),
    unit(
        Volume,
        "cm3",
        &["cubic_centimetre", "cubic_centimeter", "cm³", "cc"],
        "0.000001",
    ),
    unit(
        Volume,
        "mm3",
        &["cubic_millimetre", "cubic_millimeter", "mm³"],
        "0.000000001",
    ),
    unit(Volume, "L", &["litre", "liter", "l"], "0.001"),
    unit(Volume, "hL", &["hectolitre", "hectoliter"], "0.1"),
    unit(Volume, "dL", &["decilitre", "deciliter"], "0.0001"),
    unit(Volume, "cL", &["centilitre", "centiliter"], "0.00001"),
    unit(
        Volume,
        "mL",
        &["millilitre", "milliliter", "ml"],
        "0.000001",
    ),
    unit(
        Volume,
        "µL",
        &["microlitre", "microliter", "ul"],
        "0.000000001",
    ),
    unit(Volume, "in3", &["cubic_inch", "in³"], "0.000016387064"),
    unit(
        Volume,
        "ft3",
        &["cubic_foot", "cubic_feet", "ft³"],
        "0.028316846592",
    ),
    unit(Volume, "yd3", &["cubic_yard", "yd³"], "0.764554857984"),
    unit(
        Volume,
        "gal_us",
        &["us_gallon", "us_liquid_gallon"],
        "0.003785411784",
    ),
    unit(
        Volume,
        "qt_us",
        &["us_quart", "us_liquid_quart"],
        "0.000946352946",
    ),
    unit(
        Volume,
        "pt_us",
        &["us_pint", "us_liquid_pint"],
        "0.000473176473",
    ),
    unit(Volume, "cup_us", &["us_cup"], "0.0002365882365"),
    unit(Volume, "floz_us", &["us_fluid_ounce"], "0.0000295735295625"),
    unit(Volume, "tbsp_us", &["us_tablespoon"], "0.00001478676478125"),
    unit(Volume, "tsp_us", &["us_teaspoon"], "0.00000492892159375"),
    unit(
        Volume,
        "gal_uk",
        &["imperial_gallon", "uk_gallon"],
        "0.00454609",
    ),
    unit(
        Volume,
        "qt_uk",
        &["imperial_quart", "uk_quart"],
        "0.0011365225",
    ),
    unit(
        Volume,
        "pt_uk",
        &["imperial_pint", "uk_pint"],
        "0.00056826125",
    ),
    unit(
        Volume,
        "floz_uk",
        &["imperial_fluid_ounce", "uk_fluid_ounce"],
        "0.0000284130625",
    ),
    unit(
        Volume,
        "bbl",
        &["oil_barrel", "petroleum_barrel"],
        "0.158987294928",
    ),
    unit(Volume, "bu_us", &["us_bushel"], "0.03523907016688"),
    unit(
        Area,
        "m2",
        &["square_metre", "square_meter", "m²", "sqm"],
        "1",
    ),
    unit(
        Area,
        "km2",
        &["square_kilometre", "square_kilometer", "km²"],
        "1000000",
    ),
    unit(
        Area,
        "dm2",
        &["square_decimetre", "square_decimeter", "dm²"],
        "0.01",
    ),
    unit(
        Area,
        "cm2",
        &["square_centimetre", "square_centimeter", "cm²"],
        "0.0001",
    ),
    unit(
        Area,
        "mm2",
        &["square_millimetre", "square_millimeter", "mm²"],
        "0.000001",
    ),
    unit(Area, "a", &["are"], "100"),
    unit(Area, "ha", &["hectare"], "10000"),
    unit(Area, "in2", &["square_inch", "in²"], "0.00064516"),
    unit(
        Area,
        "ft2",
        &["square_foot", "square_feet", "ft²", "sqft"],
        "0.09290304",
    ),
    unit(Area, "yd2", &["square_yard", "yd²"], "0.83612736"),
    unit(Area, "mi2", &["square_mile", "mi²"], "2589988.110336"),
    unit(Area, "ac", &["acre"], "4046.8564224"),
    degree("K", &["kelvin"], "1", "0"),
    degree(
        "°C",
        &[
            "celsius",
            "degree_celsius",
            "degrees_celsius",
            "centigrade",
            "C",
        ],
        "1",
        "273.15",
    ),
    degree(
        "°F",
        &["fahrenheit", "degree_fahrenheit", "degrees_fahrenheit", "F"],
        "5/9",
        "459.67",
    ),
    degree(
        "°R",
        &["rankine", "degree_rankine", "degrees_rankine"],
        "5/9",
        "0",
    ),
    unit(Time, "s", &["second", "sec"], "1"),
    unit(Time, "ms", &["millisecond", "msec"], "0.001"),
    unit(Time, "µs", &["microsecond", "us"], "0.000001"),
    unit(Time, "ns", &["nanosecond"], "0.000000001"),
    unit(Time, "min", &["minute"], "60"),
    unit(Time, "h", &["hour", "hr"], "3600"),
    unit(Time, "d", &["day"], "86400"),
    unit(Time, "wk", &["week"], "604800"),
    unit(Time, "fortnight", &[], "1209600"),
    unit(
        Count,
        "each",
        &[
            "ea",
            "piece",
            "pc",
            "pcs",
            "item",
            "individual_item",
            "unit",
        ],
        "1",
    ),
    unit(Count, "pair", &[], "2"),
    unit(Count, "dozen", &["doz"], "12"),
    unit(Count, "gross", &[], "144"),
    pack("box", &[]),
    pack("case", &[]),
    pack("carton", &[]),
    pack("pallet", &[]),
];

/// Words that are no unit here because they are several, and what to say instead.
pub(super) const UNCLEAR: [(&str, &str); 13] = [
    ("barrel", "oil_barrel"),
    ("bushel", "us_bushel"),
    ("cup", "us_cup"),
    ("cwt", "short_hundredweight or long_hundredweight"),
    ("fl_oz", "us_fluid_ounce or imperial_fluid_ounce"),
    ("fluid_ounce", "us_fluid_ounce or imperial_fluid_ounce"),
    ("gal", "us_gallon or imperial_gallon"),
    ("gallon", "us_gallon or imperial_gallon"),
    ("hundredweight", "short_hundredweight or long_hundredweight"),
    ("month", "day or week (a month has no fixed length)"),
    ("pint", "us_pint or imperial_pint"),
    ("quart", "us_quart or imperial_quart"),
    ("ton", "tonne, short_ton or long_ton"),
];
