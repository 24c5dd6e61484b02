EXTRA_DIST += doc/architecture.md doc/scenario-language.md
