//! What package managers and cargo do by themselves, so that no script or alias is behind it.

/// What yarn 1 and 4 do themselves.
const YARN: &str = "\
    add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry \
    global help import info init install licenses link list login logout node npm outdated owner pack patch \
    patch-commit plugin policies prune publish rebuild remove run search self-update set stage tag team unlink \
    unplug up update upgrade upgrade-interactive version versions why workspace workspaces";

/// What pnpm does itself.
const PNPM: &str = "\
    add approve-builds audit bin c cache cat-file cat-index ci completion config create dedupe deploy dlx \
    doctor env exec fetch find-hash get help i ignored-builds import info init install install-test it la \
    licenses link list ll ln login logout ls m multi outdated pack patch patch-commit patch-remove pkg prune \
    publish rb rebuild recursive remove rm root runtime sbom search self-update server set setup show store un \
    uninstall unlink up update upgrade version view whoami why x";

/// What bun does itself.
const BUN: &str = "\
    a add audit build c create discord exec feedback getcompletes help i info init install link list ls \
    outdated patch patch-commit pm publish repl remove rm run t test unlink update update-interactive upgrade \
    why x";

/// What cargo does itself; plugins that rustup brings are among it.
const CARGO: &str = "\
    add b bench build c check clean clippy config d doc fetch fix fmt generate-lockfile help info init install \
    locate-project login logout metadata miri new owner package pkgid publish r read-manifest remove report rm \
    run rustc rustdoc search t test tree uninstall update vendor verify-project version yank";

/// Plugins that many people have.
const CARGO_PLUGINS: &str = "\
    about afl all-features apk asm audit auditable autoinherit bacon binstall bisect-rustc bloat bundle c-api \
    cache careful chef ci-cache-clean codspeed component contract crap crev criterion cross cyclonedx \
    deadlinks deb deny deps depgraph diet dist dylint edit embed equip espflash expand features \
    feature-combinations flamegraph fuzz fzf geiger generate generate-rpm get gra graph hack hakari insta \
    instruments issue kani lambda leptos license lichking limit lipo llvm-cov llvm-lines lock local-registry \
    loco machete make mobile modules msrv mutants near ndk nextest nono objcopy objdump outdated packager pgo \
    pgrx plugin prebuild prove public-api quickinstall rdme readme release rapk rustdoc-md sbom semver-checks \
    set-version shear shuttle size smart-release sonar sort sort-derives spellcheck sqlx stylus swift sweep \
    show-asm tarpaulin tauri temp thanks toml toml-lint trunk tsync udeps unmaintained upgrade upgrades \
    valgrind vet v watch web wasi wasix whatfeatures wix workspace-lints workspaces workspace-unused-pub \
    xbuild xcode xwin zigbuild zng";

/// Whether `program` does `word` by itself. `cargo plugins` stands for plugins by others.
pub(super) fn is_builtin(program: &str, word: &str) -> bool {
    let words = match program {
        "yarn" => YARN,
        "pnpm" => PNPM,
        "bun" => BUN,
        "cargo" => CARGO,
        _ => CARGO_PLUGINS,
    };
    has(words, word)
}

/// Whether packages that are called otherwise install a program of this name.
pub(super) fn is_installed(name: &str) -> bool {
    let known = ["cap", "cdk", "changeset", "eas", "nest", "ng", "remix", "sb", "svelte-kit", "tsc", "tsserver"];
    known.contains(&name)
}

/// Words that projects call their scripts by, and that no program is called.
pub(super) fn is_common_script(name: &str) -> bool {
    let common = "\
        build check check-types clean codegen coverage dev e2e fmt format generate lint preview serve test \
        type-check typecheck types validate verify";
    name.contains(':') || has(common, name)
}

/// Whether `word` is one of `words`, a list with one blank between words.
fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}
