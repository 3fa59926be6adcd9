//! The technologies of whose versions texts speak: how each is called, and where a repository declares which one it uses.

/// Where the version of a technology is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclaredIn {
    /// As a dependency in `package.json`, under one of these names.
    Npm(&'static [&'static str]),
    /// As a dependency in `composer.json`.
    Composer(&'static str),
    /// As a gem in `Gemfile.lock`.
    Gem(&'static str),
    /// In the `go` line of `go.mod`.
    GoMod,
    /// In `.nvmrc`, `.node-version` and `engines` of `package.json`.
    Node,
    /// In `.python-version` and `requires-python` of `pyproject.toml`.
    Python,
    /// As a package in `requirements.txt` and the dependencies of `pyproject.toml`.
    Pip(&'static str),
    /// In the target framework of projects of .NET.
    DotNet,
    /// In the builds of Maven and Gradle.
    Java,
    /// As the parent or the plugin of such a build.
    SpringBoot,
    /// In `rust-toolchain.toml` and `rust-version` of `Cargo.toml`.
    Rust,
}

/// One technology.
#[derive(Debug)]
pub(super) struct Technology {
    /// What texts call it.
    pub(super) names: &'static [&'static str],
    /// Where its version is declared.
    pub(super) declared: DeclaredIn,
    /// Whether its second number, too, stands for a version of its own.
    pub(super) by_minor: bool,
}

const fn npm(names: &'static [&'static str], packages: &'static [&'static str]) -> Technology {
    Technology { names, declared: DeclaredIn::Npm(packages), by_minor: false }
}

/// All of them.
pub(super) static TECHNOLOGIES: [Technology; 45] = [
    npm(&["Next.js", "NextJS", "Nextjs"], &["next"]),
    npm(&["React Native"], &["react-native"]),
    npm(&["React Router"], &["react-router"]),
    npm(&["React Query", "TanStack Query"], &["@tanstack/react-query"]),
    npm(&["React", "React.js", "ReactJS"], &["react"]),
    npm(&["Vue", "Vue.js", "VueJS"], &["vue"]),
    npm(&["Nuxt", "Nuxt.js"], &["nuxt"]),
    npm(&["Angular"], &["@angular/core"]),
    npm(&["SvelteKit"], &["@sveltejs/kit"]),
    npm(&["Svelte"], &["svelte"]),
    npm(&["TypeScript", "Typescript"], &["typescript"]),
    npm(&["Tailwind CSS", "TailwindCSS", "Tailwind"], &["tailwindcss"]),
    npm(&["Vite"], &["vite"]),
    npm(&["Vitest"], &["vitest"]),
    npm(&["Jest"], &["jest"]),
    npm(&["Prisma", "Prisma ORM"], &["prisma"]),
    npm(&["Express", "Express.js", "ExpressJS"], &["express"]),
    npm(&["Fastify"], &["fastify"]),
    npm(&["NestJS", "Nest.js"], &["@nestjs/core"]),
    npm(&["Astro"], &["astro"]),
    npm(&["Electron"], &["electron"]),
    npm(&["Expo", "Expo SDK"], &["expo"]),
    npm(&["ESLint"], &["eslint"]),
    npm(&["Storybook"], &["storybook"]),
    npm(&["Zod"], &["zod"]),
    npm(&["Zustand"], &["zustand"]),
    npm(&["SolidJS", "Solid.js"], &["solid-js"]),
    npm(&["Three.js"], &["three"]),
    npm(&["Mongoose"], &["mongoose"]),
    npm(&["Ionic"], &["@ionic/angular", "@ionic/react", "@ionic/vue"]),
    Technology { names: &["Laravel"], declared: DeclaredIn::Composer("laravel/framework"), by_minor: false },
    Technology { names: &["Symfony"], declared: DeclaredIn::Composer("symfony/framework-bundle"), by_minor: false },
    Technology { names: &["PHP"], declared: DeclaredIn::Composer("php"), by_minor: true },
    Technology { names: &["Rails", "Ruby on Rails"], declared: DeclaredIn::Gem("rails"), by_minor: true },
    Technology { names: &["Go", "Golang"], declared: DeclaredIn::GoMod, by_minor: true },
    Technology { names: &["Node.js", "NodeJS", "Node"], declared: DeclaredIn::Node, by_minor: false },
    Technology { names: &["Python"], declared: DeclaredIn::Python, by_minor: true },
    Technology { names: &["Django"], declared: DeclaredIn::Pip("django"), by_minor: false },
    Technology { names: &["Flask"], declared: DeclaredIn::Pip("flask"), by_minor: false },
    Technology { names: &["Pydantic"], declared: DeclaredIn::Pip("pydantic"), by_minor: false },
    Technology { names: &["SQLAlchemy"], declared: DeclaredIn::Pip("sqlalchemy"), by_minor: false },
    Technology { names: &["Rust"], declared: DeclaredIn::Rust, by_minor: true },
    Technology { names: &["Java"], declared: DeclaredIn::Java, by_minor: false },
    Technology { names: &[".NET", ".NET Core", "ASP.NET Core"], declared: DeclaredIn::DotNet, by_minor: false },
    Technology { names: &["Spring Boot", "SpringBoot"], declared: DeclaredIn::SpringBoot, by_minor: true },
];
