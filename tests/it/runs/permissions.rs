//! Whether a permission rule of Claude Code covers a call of a tool.

/// Whether `rule` covers a call of `tool` with `argument`: a command, or a path below `root`.
pub(super) fn covers(rule: &str, tool: &str, argument: &str, root: &str) -> bool {
    let (name, content) = match rule.split_once('(') {
        Some((name, content)) => (name, content.strip_suffix(')')),
        None => (rule, None),
    };
    match content {
        None => fits(name, tool),
        Some(_) if name != tool => false,
        Some(pattern) if matches!(tool, "Bash" | "run_shell_command") => covers_command(pattern, argument),
        Some(pattern) => covers_path(pattern, argument, root),
    }
}

fn covers_command(pattern: &str, command: &str) -> bool {
    let begins =
        |prefix: &str| command.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    match pattern.strip_suffix(":*") {
        Some(prefix) => !prefix.contains('*') && begins(prefix),
        // Of the signs of a pattern a command has the star alone.
        None => {
            pattern.strip_suffix(" *").is_some_and(|prefix| begins(prefix.trim_end()))
                || (!pattern.contains(['?', '[']) && fits(pattern, command))
        }
    }
}

/// Patterns are as in `.gitignore`, below `root` where no slash stands twice before them, and case does not count.
fn covers_path(pattern: &str, path: &str, root: &str) -> bool {
    let pattern = pattern.to_lowercase();
    let (path, root) = (path.to_lowercase(), root.to_lowercase());
    let path = match (pattern.strip_prefix('/'), path.strip_prefix(&root)) {
        (Some(rest), _) if rest.starts_with('/') => return fits_path(&rest[1..], &path[1..]),
        (_, Some(path)) => path.trim_start_matches('/').to_owned(),
        (_, None) => return false,
    };
    let relative = pattern.strip_prefix("./").or_else(|| pattern.strip_prefix('/'));
    match relative {
        Some(pattern) => fits_path(pattern, &path),
        None if pattern.contains('/') => fits_path(&pattern, &path),
        None => path.split('/').any(|part| fits(&pattern, part)),
    }
}

fn fits_path(pattern: &str, path: &str) -> bool {
    let pattern = pattern.strip_suffix("/**").filter(|rest| !rest.is_empty()).unwrap_or(pattern);
    match pattern.strip_prefix("**/") {
        Some(rest) => fits(rest, path) || path.match_indices('/').any(|(at, _)| fits(rest, &path[at + 1..])),
        None => fits(&pattern.replace("**/", "*"), path),
    }
}

/// Whether a pattern with `*`, `?` and `[…]` fits all of a text.
fn fits(pattern: &str, text: &str) -> bool {
    let mut rest = pattern.chars();
    let Some(first) = rest.next() else { return text.is_empty() };
    let mut letters = text.chars();
    match first {
        '*' => (0..=text.len())
            .filter(|at| text.is_char_boundary(*at))
            .any(|at| fits(rest.as_str().trim_start_matches('*'), &text[at..])),
        '?' => letters.next().is_some() && fits(rest.as_str(), letters.as_str()),
        '[' if rest.as_str().contains(']') => {
            let (class, after) = rest.as_str().split_once(']').expect("a bracket");
            letters.next().is_some_and(|letter| class.contains(letter)) && fits(after, letters.as_str())
        }
        _ => letters.next() == Some(first) && fits(rest.as_str(), letters.as_str()),
    }
}
