//! Version numbers as far as texts give them, and what a declaration allows. Data in, data out.

/// The first one or two numbers of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VersionNumber {
    pub(super) major: u32,
    pub(super) minor: Option<u32>,
}

impl VersionNumber {
    /// The number at the start of `text`, and how many bytes it takes with all its parts.
    pub(super) fn at(text: &str) -> Option<(VersionNumber, usize)> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let first = digits(text);
        let major = text[..first].parse().ok()?;
        let (mut end, mut minor) = (first, None);
        for part in 0..3 {
            let Some(rest) = text[end..].strip_prefix('.') else { break };
            match digits(rest) {
                0 if rest.starts_with(['x', '*']) => end += 2,
                0 => break,
                length => {
                    if part == 0 {
                        minor = rest[..length].parse().ok();
                    }
                    end += 1 + length;
                }
            }
        }
        Some((VersionNumber { major, minor }, end))
    }

    /// Whether both may mean one version. Before the first release every second number is one.
    fn is_one_with(self, other: VersionNumber, by_minor: bool) -> bool {
        let minors = self.minor.zip(other.minor);
        self.major == other.major
            && (!(by_minor || self.major == 0) || minors.is_none_or(|(ours, theirs)| ours == theirs))
    }
}

/// What a declaration allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DeclaredVersion {
    /// One of these.
    OneOf(Vec<VersionNumber>),
    /// This one and all later ones.
    From(VersionNumber),
}

/// What a manifest says of one technology: as it stands there, and what that allows.
pub(super) type WrittenVersions = Vec<(String, Option<DeclaredVersion>)>;

impl DeclaredVersion {
    /// What the requirement of a manifest says; `None` for anything but plain numbers.
    pub(super) fn of_requirement(text: &str) -> Option<DeclaredVersion> {
        let text = text.trim();
        if let Some(least) = text.strip_prefix(">=").or_else(|| text.strip_prefix('>')) {
            let (least, _) = VersionNumber::at(least.trim_start())?;
            return Some(DeclaredVersion::From(least));
        }
        let alternatives = text.split('|').map(str::trim).filter(|part| !part.is_empty());
        let number = |part: &str| {
            let part = part.trim_start_matches(['^', '~', '=', 'v', ' ']);
            let (number, end) = VersionNumber::at(part)?;
            // A tag behind it belongs to it; a range has another number.
            part[end..]
                .is_empty()
                .then_some(number)
                .or_else(|| part[end..].starts_with(['-', '+', ',']).then_some(number))
        };
        let numbers: Option<Vec<VersionNumber>> = alternatives.map(number).collect();
        numbers.filter(|numbers| !numbers.is_empty()).map(DeclaredVersion::OneOf)
    }

    /// Whether a text may say `number` of it.
    pub(super) fn allows(&self, number: VersionNumber, by_minor: bool) -> bool {
        match self {
            DeclaredVersion::OneOf(numbers) => numbers.iter().any(|known| known.is_one_with(number, by_minor)),
            DeclaredVersion::From(least) => {
                (number.major, number.minor.unwrap_or(u32::MAX)) >= (least.major, least.minor.unwrap_or(0))
            }
        }
    }

    /// Whether a project that needs at least this version may be said to need at least `number`: it needs no later one.
    pub(super) fn begins_at(&self, number: VersionNumber) -> bool {
        let is_reached = |least: &VersionNumber| match number.minor.zip(least.minor) {
            Some((said, least_minor)) => (number.major, said) >= (least.major, least_minor),
            None => number.major >= least.major,
        };
        match self {
            DeclaredVersion::OneOf(numbers) => numbers.iter().any(is_reached),
            DeclaredVersion::From(least) => is_reached(least),
        }
    }

    /// The only version that it allows.
    pub(super) fn only(&self) -> Option<VersionNumber> {
        match self {
            DeclaredVersion::OneOf(numbers) if numbers.len() == 1 => numbers.first().copied(),
            _ => None,
        }
    }
}

/// Which of the versions each found declaration allows.
#[cfg(test)]
pub(super) fn allows(found: &WrittenVersions, said: &str, by_minor: bool) -> Vec<Option<bool>> {
    let number = VersionNumber::at(said).expect("a number").0;
    found.iter().map(|(_, version)| version.as_ref().map(|version| version.allows(number, by_minor))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> VersionNumber {
        VersionNumber::at(text).unwrap().0
    }

    #[test]
    fn a_number_ends_with_its_last_part() {
        let ends = ["14", "1.21.3 and", "6.x", "20.", "v2", "5.9-beta", "4.*"]
            .map(|text| VersionNumber::at(text).map(|found| found.1));
        assert_eq!(ends, [Some(2), Some(6), Some(3), Some(2), None, Some(3), Some(3)]);
        assert_eq!(number("0.73.1"), VersionNumber { major: 0, minor: Some(73) });
        assert_eq!(VersionNumber::at("99999999999"), None);
    }

    #[test]
    fn a_requirement_allows_its_own_major_version() {
        let allows = |requirement: &str, said: &str, by_minor: bool| {
            DeclaredVersion::of_requirement(requirement).map(|declared| declared.allows(number(said), by_minor))
        };
        assert_eq!(allows("^19.2.3", "18", false), Some(false));
        assert_eq!(allows("~19.2.3", "19.0", false), Some(true));
        assert_eq!(allows("^11.0 || ^12.0", "11", false), Some(true));
        assert_eq!(allows("19.0.0-rc.1", "19", false), Some(true));
        assert_eq!(allows("0.76.1", "0.73", false), Some(false));
        assert_eq!(allows("1.25.0", "1.24.3", true), Some(false));
        assert_eq!(allows(">=3.12", "3.11", true), Some(false));
        assert_eq!(allows(">=3.12,<4", "3.13", true), Some(true));
        assert_eq!(allows(">=20", "20", false), Some(true));
    }

    #[test]
    fn a_bound_may_lie_above_what_is_needed() {
        let begins = |requirement: &str, said: &str| {
            DeclaredVersion::of_requirement(requirement).map(|declared| declared.begins_at(number(said)))
        };
        assert_eq!(begins("^8.3", "8.2"), Some(false));
        assert_eq!(begins(">=20", "18"), Some(false));
        assert_eq!(begins("^8.3", "8"), Some(true));
        assert_eq!(begins(">=20.1", "20"), Some(true));
        assert_eq!(begins("1.24.1", "1.25"), Some(true));
        assert_eq!(begins("^8.1 || ^9.0", "8.2"), Some(true));
    }

    #[test]
    fn what_is_no_plain_number_says_nothing() {
        for requirement in ["latest", "*", "workspace:*", "catalog:", "", "1 - 2", "<3", "npm:preact@10", "lts/iron"] {
            assert_eq!(DeclaredVersion::of_requirement(requirement), None, "{requirement}");
        }
    }
}
