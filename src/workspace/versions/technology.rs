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
    /// As the package manager of `package.json`.
    Manager(&'static str),
    /// As an image of a Compose file, under one of these names.
    Image(&'static [&'static str]),
    /// In `mix.exs`, and as a tool in `.tool-versions`.
    Mix(&'static str),
    /// In the environment of `pubspec.yaml`, under this key.
    Pub(&'static str),
    /// As the standard that builds of CMake set.
    Cpp,
    /// As what a build of CMake requires.
    CMake,
    /// In Gradle's wrapper.
    GradleWrapper,
    /// As a plugin of a Gradle build.
    Kotlin,
    /// In `.ruby-version`, `.tool-versions` and `Gemfile.lock`.
    Ruby,
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

const fn composer(names: &'static [&'static str], package: &'static str) -> Technology {
    Technology { names, declared: DeclaredIn::Composer(package), by_minor: false }
}

const fn pip(names: &'static [&'static str], package: &'static str) -> Technology {
    Technology { names, declared: DeclaredIn::Pip(package), by_minor: false }
}

const fn image(names: &'static [&'static str], images: &'static [&'static str]) -> Technology {
    Technology { names, declared: DeclaredIn::Image(images), by_minor: false }
}

/// All of them.
pub(super) static TECHNOLOGIES: [Technology; 186] = [
    npm(&["Next.js", "NextJS", "Nextjs"], &["next"]),
    npm(&["React Native"], &["react-native"]),
    npm(&["React Router"], &["react-router"]),
    npm(&["React Query", "TanStack Query"], &["@tanstack/react-query"]),
    npm(&["Vue Router"], &["vue-router"]),
    npm(&["Vuex"], &["vuex"]),
    npm(&["Chart.js"], &["chart.js"]),
    npm(&["ECharts", "Apache ECharts"], &["echarts"]),
    npm(&["date-fns"], &["date-fns"]),
    npm(&["i18next"], &["i18next"]),
    npm(&["Headless UI"], &["@headlessui/react", "@headlessui/vue"]),
    npm(&["Prettier"], &["prettier"]),
    npm(&["Nx"], &["nx"]),
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
    npm(&["Remix"], &["@remix-run/react"]),
    npm(&["Gatsby"], &["gatsby"]),
    npm(&["Hono"], &["hono"]),
    npm(&["tRPC"], &["@trpc/server"]),
    npm(&["Redux Toolkit"], &["@reduxjs/toolkit"]),
    npm(&["Material UI", "MUI"], &["@mui/material"]),
    npm(&["Chakra UI"], &["@chakra-ui/react"]),
    npm(&["Mantine"], &["@mantine/core"]),
    npm(&["Ant Design"], &["antd"]),
    npm(&["React Hook Form"], &["react-hook-form"]),
    npm(&["Pinia"], &["pinia"]),
    npm(&["Vuetify"], &["vuetify"]),
    npm(&["Element Plus"], &["element-plus"]),
    npm(&["Quasar"], &["quasar"]),
    npm(&["RxJS"], &["rxjs"]),
    npm(&["Webpack"], &["webpack"]),
    npm(&["Cypress"], &["cypress"]),
    npm(&["Biome"], &["@biomejs/biome"]),
    npm(&["Turborepo"], &["turbo"]),
    npm(&["Lerna"], &["lerna"]),
    npm(&["Docusaurus"], &["@docusaurus/core"]),
    npm(&["VitePress"], &["vitepress"]),
    npm(&["Payload CMS"], &["payload"]),
    npm(&["Strapi"], &["@strapi/strapi"]),
    npm(&["Sanity"], &["sanity"]),
    npm(&["Tauri"], &["@tauri-apps/api"]),
    npm(&["Capacitor"], &["@capacitor/core"]),
    npm(&["Phaser"], &["phaser"]),
    npm(&["PixiJS", "Pixi.js"], &["pixi.js"]),
    npm(&["TypeORM"], &["typeorm"]),
    npm(&["Sequelize"], &["sequelize"]),
    npm(&["discord.js", "Discord.js"], &["discord.js"]),
    npm(&["Socket.IO", "Socket.io"], &["socket.io", "socket.io-client"]),
    npm(&["Recharts"], &["recharts"]),
    npm(&["Leaflet"], &["leaflet"]),
    npm(&["Lit"], &["lit"]),
    npm(&["Preact"], &["preact"]),
    npm(&["Alpine.js", "AlpineJS"], &["alpinejs"]),
    npm(&["Bootstrap"], &["bootstrap"]),
    npm(&["Firebase"], &["firebase"]),
    npm(&["NextAuth", "NextAuth.js"], &["next-auth"]),
    npm(&["Framer Motion"], &["framer-motion"]),
    npm(&["Auth.js"], &["next-auth"]),
    npm(&["Sass"], &["sass"]),
    npm(&["PostCSS"], &["postcss"]),
    npm(&["D3.js"], &["d3"]),
    npm(&["Apollo Server"], &["@apollo/server"]),
    npm(&["Apollo Client"], &["@apollo/client"]),
    npm(&["React Navigation"], &["@react-navigation/native"]),
    composer(&["Livewire"], "livewire/livewire"),
    composer(&["Filament"], "filament/filament"),
    composer(&["PHPUnit"], "phpunit/phpunit"),
    composer(&["Pest"], "pestphp/pest"),
    composer(&["PHPStan"], "phpstan/phpstan"),
    composer(&["Larastan"], "larastan/larastan"),
    composer(&["Inertia", "Inertia.js"], "inertiajs/inertia-laravel"),
    composer(&["Doctrine ORM"], "doctrine/orm"),
    composer(&["Drupal"], "drupal/core-recommended"),
    composer(&["TYPO3"], "typo3/cms-core"),
    pip(&["Celery"], "celery"),
    pip(&["Wagtail"], "wagtail"),
    pip(&["NumPy"], "numpy"),
    pip(&["PyTorch"], "torch"),
    pip(&["TensorFlow"], "tensorflow"),
    pip(&["pytest"], "pytest"),
    pip(&["PySide"], "pyside6"),
    pip(&["Textual"], "textual"),
    pip(&["FastAPI"], "fastapi"),
    image(&["PostgreSQL", "Postgres"], &["postgres", "postgresql", "postgis", "pgvector", "timescaledb"]),
    image(&["MySQL"], &["mysql"]),
    image(&["MariaDB"], &["mariadb"]),
    image(&["Redis"], &["redis"]),
    image(&["MongoDB"], &["mongo", "mongodb"]),
    image(&["Elasticsearch", "ElasticSearch"], &["elasticsearch"]),
    image(&["RabbitMQ"], &["rabbitmq"]),
    image(&["Neo4j"], &["neo4j"]),
    image(&["Keycloak"], &["keycloak"]),
    Technology { names: &["pnpm"], declared: DeclaredIn::Manager("pnpm"), by_minor: false },
    Technology { names: &["npm"], declared: DeclaredIn::Manager("npm"), by_minor: false },
    Technology { names: &["Yarn", "yarn"], declared: DeclaredIn::Manager("yarn"), by_minor: false },
    Technology { names: &["Bun", "bun"], declared: DeclaredIn::Manager("bun"), by_minor: false },
    Technology { names: &["Elixir"], declared: DeclaredIn::Mix("elixir"), by_minor: true },
    Technology { names: &["Phoenix"], declared: DeclaredIn::Mix("phoenix"), by_minor: true },
    Technology {
        names: &["Phoenix LiveView", "LiveView"],
        declared: DeclaredIn::Mix("phoenix_live_view"),
        by_minor: false,
    },
    Technology { names: &["Dart", "Dart SDK"], declared: DeclaredIn::Pub("sdk"), by_minor: true },
    Technology { names: &["Flutter"], declared: DeclaredIn::Pub("flutter"), by_minor: true },
    Technology { names: &["Gradle"], declared: DeclaredIn::GradleWrapper, by_minor: false },
    Technology { names: &["Kotlin"], declared: DeclaredIn::Kotlin, by_minor: true },
    Technology { names: &["Ruby"], declared: DeclaredIn::Ruby, by_minor: true },
    // As the list of packages names them that Laravel Boost writes into hint files.
    composer(&["laravel/framework (LARAVEL) -"], "laravel/framework"),
    composer(&["laravel/sanctum (SANCTUM) -"], "laravel/sanctum"),
    composer(&["laravel/passport (PASSPORT) -"], "laravel/passport"),
    composer(&["laravel/horizon (HORIZON) -"], "laravel/horizon"),
    composer(&["laravel/telescope (TELESCOPE) -"], "laravel/telescope"),
    composer(&["laravel/pennant (PENNANT) -"], "laravel/pennant"),
    composer(&["laravel/pulse (PULSE) -"], "laravel/pulse"),
    composer(&["laravel/reverb (REVERB) -"], "laravel/reverb"),
    composer(&["laravel/scout (SCOUT) -"], "laravel/scout"),
    composer(&["laravel/socialite (SOCIALITE) -"], "laravel/socialite"),
    composer(&["laravel/octane (OCTANE) -"], "laravel/octane"),
    composer(&["laravel/breeze (BREEZE) -"], "laravel/breeze"),
    composer(&["laravel/pint (PINT) -"], "laravel/pint"),
    composer(&["laravel/sail (SAIL) -"], "laravel/sail"),
    composer(&["laravel/dusk (DUSK) -"], "laravel/dusk"),
    composer(&["laravel/folio (FOLIO) -"], "laravel/folio"),
    composer(&["laravel/fortify (FORTIFY) -"], "laravel/fortify"),
    composer(&["laravel/cashier (CASHIER) -"], "laravel/cashier"),
    composer(&["livewire/livewire (LIVEWIRE) -"], "livewire/livewire"),
    composer(&["livewire/volt (VOLT) -"], "livewire/volt"),
    composer(&["livewire/flux (FLUXUI_FREE) -"], "livewire/flux"),
    composer(&["livewire/flux-pro (FLUXUI_PRO) -"], "livewire/flux-pro"),
    composer(&["filament/filament (FILAMENT) -"], "filament/filament"),
    composer(
        &["inertiajs/inertia-laravel (INERTIA) -", "inertiajs/inertia-laravel (INERTIA_LARAVEL) -"],
        "inertiajs/inertia-laravel",
    ),
    composer(&["tightenco/ziggy (ZIGGY) -"], "tightenco/ziggy"),
    composer(&["pestphp/pest (PEST) -"], "pestphp/pest"),
    composer(&["phpunit/phpunit (PHPUNIT) -"], "phpunit/phpunit"),
    composer(&["larastan/larastan (LARASTAN) -"], "larastan/larastan"),
    composer(&["rector/rector (RECTOR) -"], "rector/rector"),
    composer(&["statamic/cms (STATAMIC) -"], "statamic/cms"),
    npm(&["@inertiajs/react (INERTIA) -", "@inertiajs/react (INERTIA_REACT) -"], &["@inertiajs/react"]),
    npm(&["@inertiajs/vue3 (INERTIA) -", "@inertiajs/vue3 (INERTIA_VUE) -"], &["@inertiajs/vue3"]),
    npm(&["@inertiajs/svelte (INERTIA) -"], &["@inertiajs/svelte"]),
    npm(&["laravel-echo (ECHO) -"], &["laravel-echo"]),
    npm(&["tailwindcss (TAILWINDCSS) -"], &["tailwindcss"]),
    npm(&["vue (VUE) -"], &["vue"]),
    npm(&["react (REACT) -"], &["react"]),
    npm(&["eslint (ESLINT) -"], &["eslint"]),
    npm(&["prettier (PRETTIER) -"], &["prettier"]),
    npm(&["alpinejs (ALPINEJS) -"], &["alpinejs"]),
    npm(&["svelte (SVELTE) -"], &["svelte"]),
    Technology { names: &["C++"], declared: DeclaredIn::Cpp, by_minor: false },
    Technology { names: &["CMake"], declared: DeclaredIn::CMake, by_minor: true },
];
