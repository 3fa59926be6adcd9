//! Days into dates of the Gregorian calendar, without a clock: callers say which day.

/// Year, month and day of a number of days since 1970, in the proleptic Gregorian calendar.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    // Days are counted in eras of 400 years that begin on 1 March, so that a leap day ends its year.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (era * 400 + year + i64::from(month <= 2), month, day)
}
