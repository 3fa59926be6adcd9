//! Tests of what counts as a path.

use super::*;

#[test]
fn known_extensions_are_sorted() {
    assert!(KNOWN.is_sorted());
}

#[test]
fn paths_are_told_from_other_code() {
    let path = |content: &'static str| in_code(content).map(|token| (token.start, token.path, token.directory));
    assert_eq!(path(" src/a.rs:12-20 "), Some((1, "src/a.rs", false)));
    assert_eq!(path("src/a.rs#L3"), Some((0, "src/a.rs", false)));
    assert_eq!(path("tests/t.py::test_x[a]"), Some((0, "tests/t.py", false)));
    assert_eq!(path("src/a.ts:someName"), Some((0, "src/a.ts", false)));
    assert_eq!(path("src/a.rs、src/b.rs"), Some((0, "src/a.rs", false)));
    assert_eq!(path("docs/终（一）/a.md"), Some((0, "docs/终（一）/a.md", false)));
    assert_eq!(path("生命周期：docs/a.md"), None);
    assert_eq!(path("packages/@scope/x/"), Some((0, "packages/@scope/x", true)));
    for other in [
        "origin/main",
        "@scope/pkg/x.js",
        "npm run x",
        "a=b",
        "https://x.y/z.md",
        "me@x.org",
        "pkg@1.2.3",
        "**/*.ts",
        "src/{a,b}.ts",
        "$HOME/x.md",
        "~/x.md",
        "--flag",
        "./",
        "..",
        "src/.../x.ts",
        "a | b",
        "#id",
        "C:\\x.txt",
        "<x>.md",
        "",
    ] {
        assert_eq!(path(other), None, "{other}");
    }
}

#[test]
fn groups_stand_for_several_paths() {
    assert_eq!(alternatives(" src/{a, b/c}.ts "), ["src/a.ts", "src/b/c.ts"]);
    for other in ["src/{a}.ts", "src/{a,{b,c}}.ts", "{a,b}/{c,d}.ts", "src/a.ts", "{ a, b }", "x/{a,b", "x/{..}"] {
        assert_eq!(alternatives(other), [""; 0], "{other}");
    }
}

#[test]
fn addresses_are_told_from_paths() {
    assert_eq!(mangled_address("mdc:https:/docs.a.dev/x#y").as_deref(), Some("https://docs.a.dev/x#y"));
    assert_eq!(mangled_address("mdc:http://a.dev").as_deref(), Some("http://a.dev"));
    for other in ["https://a.dev", "mdc:src/a.ts", "mdc:https", "mdc:https:/x", "mdc:httpsrv/a.ts"] {
        assert_eq!(mangled_address(other), None, "{other}");
    }
}

#[test]
fn illustrations_are_not_plausible() {
    for path in ["src/main.rs", "docs/guide.md", "tests/test_pytest_plugin.py", ".github/workflows/ci.yml"] {
        assert!(is_plausible(path), "{path}");
    }
    for path in [
        "path/to/file.md",
        "docs/your-file.md",
        "src/foo.ts",
        "tests/test_foo.lua",
        "github.com/a/b.md",
        "dist/cli.js",
        "app/[id]/page.tsx",
        "plans/NNN-title.md",
        "deps/ncrypto/ncrypto.cc",
        "a/b.unknown",
        "docs/YYYY-MM-DD.md",
    ] {
        assert!(!is_plausible(path), "{path}");
    }
}

#[test]
fn destinations_are_taken_apart() {
    let read = |written: &str| destination(written).map(|d| (d.path, d.fragment, d.from_root, d.around));
    let row = |path: &str, fragment: Option<&str>, root, around| {
        Some((path.to_owned(), fragment.map(str::to_owned), root, around))
    };
    assert_eq!(read("a%20b.md#x%20y"), row("a b.md", Some("x y"), false, (0, 6)));
    assert_eq!(read("mdc:/docs/a.md"), row("docs/a.md", None, false, (5, 0)));
    assert_eq!(read("/docs/a.md?raw=1#b"), row("docs/a.md", Some("b"), true, (1, 8)));
    assert_eq!(read("#only"), row("", Some("only"), false, (0, 5)));
    assert_eq!(read("/src/a.ts:12"), row("src/a.ts:12", None, true, (1, 0)));
    assert_eq!(read("src/a.ts:12"), row("src/a.ts:12", None, false, (0, 0)));
    for other in [
        "https://x.y",
        "mailto:a@b.c",
        "//host/x",
        "",
        "{{ url }}",
        "me@x.org",
        "vscode:extension/x",
        "a/.../b.md",
        "/plugin:command",
    ] {
        assert_eq!(read(other), None, "{other}");
    }
}

#[test]
fn pages_on_the_web_and_units_of_systemd_are_no_paths() {
    for text in ["/docs/manifest/#targets", "wait-online.service", "docs/a/#b"] {
        assert!(in_code(text).is_none(), "{text}");
    }
    for text in ["docs/a.md#b", "units/wait-online.service", "docs/manifest/"] {
        assert!(in_code(text).is_some(), "{text}");
    }
}

#[test]
fn packages_that_come_with_go_are_no_folders() {
    assert!(!may_have_been_a_folder("go/parser") && !may_have_been_a_folder("go/ast"));
    assert!(may_have_been_a_folder("go/rows") && may_have_been_a_folder("go/parser/rows"));
}

#[test]
fn two_files_of_one_folder_are_no_path() {
    for path in ["mod.rs/spawn.rs", "src/rows.ts/lines.ts", "owner/name/.github/workflows/ci.yml"] {
        assert!(!may_have_been(path), "{path}");
    }
    for path in ["src/rows.ts", "docs.old/guide.md", ".github/workflows/ci.yml"] {
        assert!(may_have_been(path), "{path}");
    }
    assert!(!may_have_been_a_folder("database/sql"));
    assert!(may_have_been_a_folder("database/rows"));
}
