EXTRA_DIST += doc/architecture.md doc/scenario-language.md
EXTRA_DIST += doc/compatibility.md doc/fidelity.md doc/programs.md
