//! A version that a text gives and that the project's manifests do not allow.

use super::finding::same_subject;
use super::{applies_to_names, shown};
use crate::base::evidence::Evidence;
use crate::base::finding::{Applicability, Finding, Level};
use crate::parse::Document;
use crate::rules::{Cx, FixAvailability, Group, Rule, RuleInfo};

const INFO: RuleInfo = RuleInfo {
    name: "stale-version",
    group: Group::References,
    levels: &[Level::Warning],
    summary: "a version of a framework or language that the project does not use any more",
    explanation: r#"## What it does
Reads which version of a framework or language a hint file says that the project uses (`- **UI**: React 18`, `| Web app (Next.js 14) |`,
`built with Laravel 11`), and reports it where the manifests around the file declare another one: `package.json` (with its `packageManager`), catalogues of `pnpm-workspace.yaml`, `composer.json`,
`Gemfile.lock`, `.ruby-version`, `go.mod`, `.nvmrc`, `.node-version`, `.tool-versions`, `.python-version`, `pyproject.toml`, `requirements.txt`,
`*.csproj`, `Directory.Build.props`, `pom.xml`, `build.gradle`, `build.gradle.kts`, `libs.versions.toml`, `gradle-wrapper.properties`, `Cargo.toml`,
`rust-toolchain`, `rust-toolchain.toml`, `mix.exs`, `pubspec.yaml`, `.fvmrc`, `CMakeLists.txt`, and images of Compose files. Rules and instructions
in a hidden folder count from the folder that holds it.

A bound (`PHP 8.2+`, `Node.js >= 18`) of a language, of .NET, Node.js or CMake is told where a manifest above the file says that everybody needs a later version; a pin, such as
`.nvmrc`, says so of nobody but its authors.
Of CMake, Dart, Elixir, Flutter, Go, Kotlin, Phoenix, PHP, Python, Rails, Ruby, Rust and Spring Boot the first two numbers count, of the others the first;
of two (`React 17/18`) one has to fit. Nothing is said where one
manifest at, above or below the file's folder allows the version or leaves it open (`latest`), of bounds of other things (`React 18+`), of lines that
compare, teach or tell of an upgrade, and in skills, commands and subagents, which may speak of any project.

## Why is this bad?
The agent writes code for the old version: APIs that are gone, and none of the new ones.

## Example
```markdown
- **Frontend**: Next.js 14, React 18
```
where `frontend/package.json` has `"next": "16.2.1"`.

## How to fix
Write the version that the manifest has, or leave it to the manifest.
"#,
    evidence: &[Evidence { source: "hint files and manifests of about 900 public repositories", checked: "2026-11" }],
    fix: FixAvailability::Sometimes,
    aliases: &[],
};

/// See [`INFO`].
#[derive(Debug)]
pub(super) struct StaleVersion;

impl Rule for StaleVersion {
    fn info(&self) -> &'static RuleInfo {
        &INFO
    }

    fn check(&self, document: &Document, cx: &Cx<'_>, findings: &mut Vec<Finding>) {
        let Some(stale) = cx.workspace.stale_versions.get(&document.path) else { return };
        if !applies_to_names(cx.workspace, document, cx.selected, INFO.name) {
            return;
        }
        for version in stale {
            let said = document.slice(version.span).replace(['*', '`', '_'], "");
            let manifest = shown(&version.manifest);
            let message = format!("`{said}` does not fit {manifest}, which has `{}`", version.declared);
            let cause = same_subject(format!("{manifest} {}", version.declared), &said, "do not fit the manifest");
            let finding = Finding::new(INFO.name, Level::Warning, &document.path, version.span, message).cause(cause);
            let finding = finding.help("write the version that the project uses now");
            findings.push(match &version.new {
                Some(new) => finding.fix(Applicability::Unsafe, version.digits, new.as_str()),
                None => finding,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::warnings;

    #[test]
    fn the_version_of_the_manifest_is_offered() {
        let manifest = ("package.json", r#"{"dependencies": {"react": "^19.2.3"}}"#);
        let of = |path: &str| warnings("stale-version", path, "- React 18, Vite\n", &[manifest], &[]);
        assert_eq!(of("AGENTS.md"), ["warning React 18 unsafe 19"]);
        assert_eq!(of("docs/plans/2026-01-02-x.md"), [""; 0]);
    }
}
