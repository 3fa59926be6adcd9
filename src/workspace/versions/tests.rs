use crate::config::Config;
use crate::source::Memory;
use crate::workspace::load;

const NEXT: (&str, &str) = ("web/package.json", r#"{"dependencies": {"next": "16.2.1", "react": "^19.2.3"}}"#);

/// What the text at `path` gives that the other files do not allow, and what belongs there.
fn stale_at(path: &str, text: &str, files: &[(&str, &str)]) -> Vec<String> {
    let source = Memory::of_files(files.iter().copied().chain([(path, text)]));
    let workspace = load(&source, Config::default(), &[]).unwrap().workspace;
    let found = workspace.stale_versions.values().flatten();
    found.map(|stale| format!("{} {}", &text[stale.span.range()], stale.new.as_deref().unwrap_or("?"))).collect()
}

fn stale(text: &str) -> Vec<String> {
    stale_at("AGENTS.md", text, &[NEXT])
}

#[test]
fn items_cells_and_sentences_say_what_the_project_uses() {
    for (text, want) in [
        ("- UI library: React 18\n", "React 18 19"),
        ("- **Frontend:** Vercel, **React 18**, TypeScript\n", "React 18 19"),
        ("| Web app (Next.js 14) | `web/` |\n", "Next.js 14 16"),
        ("A shop built with Next.js v14.\n", "Next.js v14 16"),
        ("1. React 18.2 with hooks\n", "React 18.2 19.2"),
        ("This is a **Next.js 14** application.\n", "Next.js 14 16"),
        ("```\n├── web/   # Next.js 14 app\n```\n", "Next.js 14 16"),
        ("```\n- UI: React 18\n```\n", "React 18 19"),
        ("麻雀 - Next.js 15 + TypeScript で構築\n", "Next.js 15 16"),
        ("**技术栈**：React 18 + Vite\n", "React 18 19"),
        ("- **React** 18\n", "React** 18 19"),
        ("The React version is 18.2.0.\n", "React version is 18.2.0 ?"),
        ("| Part | Version |\n| --- | --- |\n| **Next.js** | 14 |\n", "Next.js** | 14 16"),
        ("| UI | React | ^18.2 | hooks |\n", "React | ^18.2 19.2"),
        ("You are an expert developer in TypeScript, Next.js 14 App Router and CSS.\n", "Next.js 14 16"),
        ("- **UI**: React 17/18\n", "React 17/18 19"),
        ("A modern Next.js 14 web app for shops.\n", "Next.js 14 16"),
        ("Đây là Next.js 14 (App Router) + TypeScript.\n", "Next.js 14 16"),
        ("本项目使用 Next.js 14 构建\n", "Next.js 14 16"),
        ("```\nweb/      → TypeScript / Next.js 14 pages\n```\n", "Next.js 14 16"),
        ("```text\nweb/  # Next.js 14 app\n```\n", "Next.js 14 16"),
    ] {
        assert_eq!(stale(text), [want], "{text}");
    }
}

#[test]
fn what_compares_teaches_or_bounds_says_nothing() {
    for text in [
        "- React 19\n",
        "- React: 3000\n",
        "- React 18+\n",
        "- React 18 or later\n",
        "- React 18/19\n",
        "- React 18 以上\n",
        "In Next.js 14, `params` is no promise.\n",
        "This project was upgraded from React 18.\n",
        "Skip this if you are on React 18.\n",
        "- React 18 (deprecated)\n",
        "- HeroUI React 3\n",
        "# Next.js 14\n",
        "- React 18 wrapper (`react.create`).\n",
        "> React 18\n",
        "## Migration\n\n- React 18\n",
        "- Do not use React 18\n",
        "```\nReact 18\n```\n",
        "- Preact 10, x-react 3, @next/React 3\n",
        "- Next.js 15.x features\n",
        "- Lists (React 18 react.lazy)\n",
        "| Next.js | 3000 |\n| React | 18 rules |\n| On React | 18 |\n",
        "A React 18 feature changed this.\n",
        "- React 19+ here (the widget runs on React 18)\n",
        "Unlike Next.js 14 apps, this one has no router.\n",
        "| Analyzer | Since |\n| --- | --- |\n| a | React 16 |\n| b | React 17 |\n| c | React 18 |\n",
    ] {
        let none: [&str; 0] = [];
        assert_eq!(stale(text), none, "{text}");
    }
}

#[test]
fn a_bound_below_what_everybody_needs_is_told() {
    let none: [&str; 0] = [];
    let files = [
        ("composer.json", r#"{"require": {"php": "^8.3"}}"#),
        ("package.json", r#"{"engines": {"node": ">=20.1"}}"#),
        ("web/package.json", r#"{"dependencies": {"next": "16.2.1"}}"#),
        (".nvmrc", "22\n"),
        ("go.mod", "module x\n\ngo 1.24.1\n"),
        ("CMakeLists.txt", "cmake_minimum_required(VERSION 3.29)\n"),
    ];
    let of = |text: &str| stale_at(".github/copilot-instructions.md", text, &files);
    for (text, want) in [
        ("- **Language**: PHP 8.2+\n", "PHP 8.2 ?"),
        ("- Node.js 18+, pnpm\n", "Node.js 18 ?"),
        ("- Node >= 18\n", "Node >= 18 ?"),
        ("- Go 1.21 or later\n", "Go 1.21 1.24"),
        ("- CMake ≥ 3.28\n", "CMake ≥ 3.28 ?"),
        // Rules of a hidden folder tell of the folder that it lies in.
        ("Shops for everybody, everywhere. Next.js 14 + TypeScript 5\n", "Next.js 14 16"),
    ] {
        assert_eq!(of(text), [want], "{text}");
    }
    for text in
        ["- PHP 8.3+\n", "- PHP 8.4+\n", "- Node.js 20+\n", "- Go 1.24+\n", "- CMake 3.30+\n", "- Next.js 14+\n"]
    {
        assert_eq!(of(text), none, "{text}");
    }
    // Others may use another version than the one that is pinned.
    assert_eq!(stale_at("AGENTS.md", "- Node.js 18+\n", &[(".nvmrc", "22\n")]), none);
    // One part may need more than the whole.
    let part = ("tools/a/package.json", r#"{"engines": {"node": ">=20"}}"#);
    assert_eq!(stale_at("AGENTS.md", "- Node.js 18+\n", &[part]), none);
}

#[test]
fn one_manifest_that_allows_it_is_enough() {
    let text = "- React 18\n";
    let other = |version: &str| format!(r#"{{"devDependencies": {{"react": "{version}"}}}}"#);
    for version in ["^18.0.0", "catalog:", "latest", ">=17", "^18 || ^19"] {
        let other = other(version);
        assert_eq!(stale_at("CLAUDE.md", text, &[NEXT, ("app/package.json", &other)]), [""; 0], "{version}");
        // What lies in another folder is another project.
        assert_eq!(
            stale_at("web/CLAUDE.md", text, &[NEXT, ("app/package.json", &other)]),
            ["React 18 19"],
            "{version}"
        );
    }
    let two = other("^20.0.0");
    assert_eq!(stale_at("CLAUDE.md", text, &[NEXT, ("app/package.json", &two)]), ["React 18 ?"]);
    assert_eq!(stale_at("CLAUDE.md", text, &[("templates/web/package.json", &two)]), [""; 0]);
    assert_eq!(stale_at("CLAUDE.md", text, &[(".claude/skills/x/package.json", &two)]), [""; 0]);
    assert_eq!(stale_at(".claude/skills/x/SKILL.md", text, &[NEXT]), [""; 0]);
}

#[test]
fn every_kind_of_manifest_is_read() {
    for (text, file, content, want) in [
        ("- Laravel 11\n", "composer.json", r#"{"require": {"laravel/framework": "^12.0"}}"#, "Laravel 11 12"),
        ("- Rails 7.1\n", "Gemfile.lock", "GEM\n  specs:\n    rails (7.2.1)\n", "Rails 7.1 7.2"),
        ("- Go 1.24.3\n", "go.mod", "module x\n\ngo 1.25.0\n", "Go 1.24.3 ?"),
        ("- Node.js 20\n", ".nvmrc", "v24.1.0\n", "Node.js 20 24"),
        ("- Node 18\n", "package.json", r#"{"engines": {"node": ">=20"}}"#, "Node 18 ?"),
        ("- Python 3.11\n", "pyproject.toml", "[project]\nrequires-python = \">=3.12\"\n", "Python 3.11 ?"),
        ("- Python 3.10\n", "pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.11\"\n", "Python 3.10 ?"),
        ("- Python 3.11\n", ".python-version", "3.12\n", "Python 3.11 3.12"),
        ("- PHP 8.1\n", "composer.json", r#"{"require": {"php": "^8.2"}}"#, "PHP 8.1 ?"),
        ("- Django 4.2\n", "requirements.txt", "django==5.1.2\n", "Django 4.2 5.1"),
        ("- ASP.NET Core 8\n", "src/A.csproj", "<TargetFramework>net10.0</TargetFramework>", "ASP.NET Core 8 10"),
        ("- Java 17\n", "pom.xml", "<java.version>21</java.version>", "Java 17 21"),
        (
            "- Spring Boot 3.2\n",
            "build.gradle",
            "id 'org.springframework.boot' version '3.4.0'\n",
            "Spring Boot 3.2 3.4",
        ),
        ("- Rust 1.75\n", "rust-toolchain.toml", "[toolchain]\nchannel = \"1.88.0\"\n", "Rust 1.75 1.88"),
        ("- Ionic 7\n", "package.json", r#"{"dependencies": {"@ionic/vue": "^8.0.0"}}"#, "Ionic 7 8"),
    ] {
        assert_eq!(stale_at("AGENTS.md", text, &[(file, content)]), [want], "{text}");
    }
    for (text, file, content) in [
        ("- Go 1.25\n", "go.mod", "go 1.25.3\n"),
        ("- Node 22\n", "package.json", r#"{"engines": {"node": ">=20"}}"#),
        ("- Node 22\n", ".nvmrc", "lts/*\n"),
        ("- Python 3.13\n", "pyproject.toml", "[project]\nrequires-python = \">=3.12,<4\"\n"),
        ("- PHP 8.4\n", "composer.json", r#"{"require": {"php": "^8.2"}}"#),
        ("- ASP.NET Core 8\n", "src/A.csproj", "<TargetFramework>$(Target)</TargetFramework>"),
        ("- React 18\n", "package.json", "{{\n"),
        ("- React 18\n", "package.json", r#"{"dependencies": ["react"]}"#),
    ] {
        assert_eq!(stale_at("AGENTS.md", text, &[(file, content)]), [""; 0], "{text}");
    }
}

#[test]
fn other_places_declare_versions_too() {
    let of = |text: &str, files: &[(&str, &str)]| stale_at("AGENTS.md", text, files);
    let catalogue = ("pnpm-workspace.yaml", "catalog:\n  react: ^19.1.0\n");
    let manifest = ("web/package.json", r#"{"dependencies": {"react": "catalog:"}, "packageManager": "pnpm@10.1.0"}"#);
    assert_eq!(of("- React 18\n- React 18/19\n", &[catalogue, manifest]), ["React 18 19"]);
    let none: [&str; 0] = [];
    assert_eq!(of("- React 18\n", &[manifest]), none);
    assert_eq!(of("- Package manager: pnpm 9\n", &[manifest]), ["pnpm 9 10"]);
    let compose = ("docker-compose.yml", "services:\n  db:\n    image: postgres:17-alpine\n");
    assert_eq!(of("- Database: PostgreSQL 15, Redis 7\n", &[compose]), ["PostgreSQL 15 17"]);
    let more = ("old/compose.yaml", "services:\n  db:\n    image: postgres:15\n");
    assert_eq!(of("- Database: PostgreSQL 15\n", &[compose, more]), none);
    let lock = ("composer.lock", "   \"name\": \"livewire/livewire\",\n   \"version\": \"v4.2.1\",\n");
    assert_eq!(
        of("- livewire/livewire (LIVEWIRE) - v3\n- php - 8.3\n", &[lock]),
        ["livewire/livewire (LIVEWIRE) - v3 4"]
    );
    let cmake = ("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 17)\n");
    assert_eq!(of("- Language: C++20\n- C++17\n- **C++17/20**\n", &[cmake]), ["C++20 17"]);
    let wrapper = ("gradle/wrapper/gradle-wrapper.properties", "distributionUrl=https\\://x/gradle-8.10-bin.zip\n");
    assert_eq!(of("- **Build**: Gradle 7.6\n", &[wrapper]), ["Gradle 7.6 8.10"]);
}

#[test]
fn the_package_manager_that_a_manifest_pins_is_one() {
    let manifest = ("package.json", r#"{"packageManager": "pnpm@11.21.0"}"#);
    let of = |text: &str| stale_at("AGENTS.md", text, &[manifest]);
    assert_eq!(of("The manager is pinned via `packageManager: pnpm@9.12.0` in the root.\n"), ["pnpm@9.12.0 ?"]);
    assert_eq!(of("Pinned by `\"packageManager\": \"pnpm@11.21.0\"`.\n"), [""; 0]);
    assert_eq!(of("Run `npx pnpm@9 install` there.\n"), [""; 0]);
    assert_eq!(of("- The manager is pnpm “9.12” or pnpm：9.\n"), [""; 0]);
}

#[test]
fn a_folder_of_hints_alone_describes_another_project() {
    let of = |more: &str| {
        stale_at("samples/shop/AGENTS.md", "- UI library: React 18\n", &[("package.json", NEXT.1), (more, "x\n")])
    };
    assert_eq!(of("src/x.ts"), [""; 0]);
    assert_eq!(of("samples/shop/x.ts"), ["React 18 19"]);
}
