//! Dates in HTTP headers (RFC 9110, section 5.6.7), as seconds since 1970. Knows no clock.

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The seconds since 1970 of a date in one of the three forms of HTTP; none for anything else, and for years before 1970.
pub(super) fn seconds(date: &str) -> Option<u64> {
    let words: Vec<&str> = date.split([' ', '-']).filter(|word| !word.is_empty()).collect();
    let (year, month, day, time) = match words[..] {
        // Sun, 06 Nov 1994 08:49:37 GMT
        [weekday, day, month, year, time, "GMT"] if weekday.ends_with(',') => (full_year(year)?, month, day, time),
        // Sun Nov  6 08:49:37 1994
        [_, month, day, time, year] => (full_year(year)?, month, day, time),
        _ => return None,
    };
    let month = MONTHS.iter().position(|name| *name == month)?;
    let day = number(day, 1..=31)?;
    let [hour, minute, second] = time.split(':').collect::<Vec<_>>()[..] else { return None };
    // A leap second is the last one of its minute.
    let of_day = number(hour, 0..=23)? * 3600 + number(minute, 0..=59)? * 60 + number(second, 0..=60)?.min(59);
    Some((days(year, month)? + day - 1) * 86_400 + of_day)
}

/// A year of four digits, or of two as in `Sunday, 06-Nov-94 08:49:37 GMT`.
fn full_year(text: &str) -> Option<u64> {
    match text.len() {
        2 => number(text, 0..=99).map(|year| if year < 70 { 2000 + year } else { 1900 + year }),
        4 => number(text, 1970..=9999),
        _ => None,
    }
}

fn number(text: &str, within: std::ops::RangeInclusive<u64>) -> Option<u64> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_number && within.contains(number))
}

/// The days from 1970 to the first of a month, of which January is 0.
fn days(year: u64, month: usize) -> Option<u64> {
    const BEFORE: [u64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let leaps = |year: u64| year / 4 - year / 100 + year / 400;
    let leap_days = leaps(year - 1) - leaps(1969) + u64::from(is_leap && month > 1);
    Some((year - 1970) * 365 + leap_days + BEFORE.get(month)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_are_one_date() {
        for date in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(seconds(date), Some(784_111_777), "{date}");
        }
        for (date, expected) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Tue, 29 Feb 2000 23:59:60 GMT", 951_868_799),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] {
            assert_eq!(seconds(date), Some(expected), "{date}");
        }
    }

    #[test]
    fn anything_else_is_no_date() {
        for text in [
            "",
            "3600",
            "soon",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT",
            "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
            "1994-11-06T08:49:37Z",
            "Sun, 06 Növ 1994 08:49:37 GMT",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }
}
