//! Where commands are defined.

use super::*;

fn names(runner: Runner, text: &str) -> Vec<String> {
    read(runner, text).names.into_iter().collect()
}

#[test]
fn names_are_read_from_each_kind() {
    assert_eq!(names(Runner::Package, r#"{"scripts":{"b":"","a:c":""}}"#), ["a:c", "b"]);
    assert_eq!(names(Runner::Package, "{"), [""; 0]);
    let makefile = "A := b\na b: c\n\td: e\n# f: g\n.PHONY: h \\\n  j\nX = y:z\ni::\nifdef Q\nk: l\nendif\n";
    assert_eq!(names(Runner::Make, makefile), [".PHONY", "a", "b", "h", "i", "j", "k"]);
    let makefile = "BIN := app\nDIR = out\nALL = $(BIN) $(DIR)/x\n$(BIN): a\n$(ALL): b\n$(DIR)/%: c\n";
    assert_eq!(names(Runner::Make, makefile), ["app", "out/x"]);
    assert!(!read(Runner::Make, makefile).open && read(Runner::Make, "A := b\nA += c\n$(A): d\n").open);
    let justfile =
        "set x := 1\nalias t := test\n@q a='b':\n  r:\nv := 'x:y'\ntest *a: dep\nmod web\nmod? ops 'o.just'\n";
    assert_eq!(names(Runner::Just, justfile), ["ops", "q", "t", "test", "web"]);
    assert_eq!(names(Runner::Just, "set version:\n  x\nexport:\nset shell := ['a:b']\nset quiet\n"), ["export", "set"]);
    assert_eq!(names(Runner::Cargo, "[alias]\nx = \"run -p x\"\nci = [\"a\", \"b\"]\n"), ["ci", "x"]);
    assert_eq!(names(Runner::Cargo, "alias.y = 'b'\n"), ["y"]);
}

#[test]
fn what_the_variables_of_a_makefile_come_to_has_a_bound() {
    let bomb = format!("A := {}\n{}: b\n", "x".repeat(1000), "$(A)".repeat(1000));
    assert!(read(Runner::Make, &bomb).open);
    let doubled = "A := $(B)$(B)\nB := $(C)$(C)\nC := $(D)$(D)\nD := $(E)$(E)\nE := xxxx\n$(A): b\n";
    assert!(names(Runner::Make, doubled).iter().all(|name| name.len() <= MAX_EXPANDED));
}

#[test]
fn tasks_and_targets_of_other_tools() {
    let cargo = "[package]\nname = \"app\"\n[[bin]]\nname = \"tool\"\n[[example]]\nname = \"demo\"\n[dependencies]\nserde = \"1\"\nx = { package = \"y\", version = \"1\" }\n";
    assert_eq!(names(Runner::CargoBin, cargo), ["app", "tool"]);
    assert_eq!(names(Runner::CargoExample, cargo), ["demo"]);
    assert_eq!(names(Runner::CargoPackage, cargo), ["app", "serde", "x", "y"]);
    assert_eq!(names(Runner::Composer, "{\"scripts\": {\"cs\": \"x\"}}"), ["cs"]);
    assert_eq!(names(Runner::Deno, "{// c\n\"tasks\": {\"dev\": \"x\"}}"), ["dev"]);
    let task = read(
        Runner::Task,
        "includes:\n  docs: ./docs\ntasks:\n  build:\n    aliases: [b]\n    cmds: [x]\n  'gen:*': y\n",
    );
    assert!(["build", "b", "docs:serve", "gen:api"].iter().all(|name| task.defines(name)) && !task.defines("test"));
    let python = "[project.scripts]\nrun-it = \"a:b\"\n[tool.hatch.envs.docs.scripts]\nserve = \"x\"\n[tool.poe.tasks]\nlint = \"x\"\n";
    assert_eq!(names(Runner::Python, python), ["docs:serve", "lint", "run-it", "serve"]);
    for runner in [Runner::CargoBin, Runner::Composer, Runner::Deno, Runner::Task, Runner::Python] {
        assert!(read(runner, "[{").open, "{runner:?}");
    }
}

#[test]
fn packages_tell_their_name_and_programs() {
    let package = read(
        Runner::Package,
        r#"{"name":"@a/web","bin":{"tool":"x"},"dependencies":{"@s/cli":"1"},"devDependencies":{"vite":"1"}}"#,
    );
    assert_eq!(package.package.as_deref(), Some("@a/web"));
    assert_eq!(package.programs.into_iter().collect::<Vec<_>>(), ["cli", "s", "tool", "vite"]);
}

#[test]
fn what_may_define_more_is_open() {
    for text in ["$(NAMES): x\n", "%: force\n", "include $(DIR)/x.mk\n", "$(eval $(call T,a))\n", ".PHONY: $(ALL)\n"] {
        assert!(read(Runner::Make, text).open, "{text}");
    }
    for text in
        ["-include .env.mk\n", "$(VENV)/bin/activate: x\n", "include a.mk b/c.mk # d\n", "%.o: %.c\n", "x: $(SRC)\n"]
    {
        assert!(!read(Runner::Make, text).open, "{text}");
    }
    assert_eq!(read(Runner::Make, "include a.mk b/c.mk # d\n").includes, ["a.mk", "b/c.mk"]);
    // A file of variables has no targets, there or not.
    let settings = read(Runner::Make, "include ./env/.env env/.env.shared ci.env $(DIR)/.env\n");
    assert!(settings.includes.is_empty() && !settings.open);
    assert_eq!(read(Runner::Just, "import 'x.just'\nimport? \"y.just\"\n").includes, ["x.just"]);
    assert!(read(Runner::Cargo, "[alias\n").open);
}

#[test]
fn pattern_rules_define_all_that_fits() {
    let makefile = read(Runner::Make, "test-%: x\n%.pdf: %.md\n");
    assert!(makefile.defines("test-unit") && makefile.defines("a.pdf"));
    assert!(!makefile.defines("test-") && !makefile.defines("lint"));
}
