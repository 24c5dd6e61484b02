#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
# ci-templates: the steps of action.yml, and the jobs of doc/ci/gitlab.yml, run as a service runs
# them, where nothing of umadrig is installed. In place of the source is a quickstart that notes
# what it is asked for, and has the umadrig of this build in the prefix; "make check-distros" runs
# the same with the source.
set -u
. "$top_srcdir/tests/rig/tap.sh"
command -v python3 >/dev/null || tap_skip_all "python3 is not installed"
python3 -c 'import yaml' 2>/dev/null || tap_skip_all "python3-yaml is not installed"
command -v bash >/dev/null || tap_skip_all "bash is not installed"
. "$top_srcdir/tests/rig/own-directory.sh"

steps=$top_srcdir/tests/distros/steps
probe=$top_builddir/tests/tools/exec-probe
tools=$work/tools
mkdir "$tools" project source
cat >source/quickstart <<END
#!/bin/sh
echo "quickstart \$*" >>"$work/asked"
[ "\$1" = --prefix ] || exit 0
case \$2 in /*) prefix=\$2 ;; *) prefix=\$PWD/\$2 ;; esac
mkdir -p "\$prefix/bin" || exit
printf '#!/bin/sh\nexec "%s" "\$@"\n' "$umadrig" >"\$prefix/bin/umadrig"
chmod 755 "\$prefix/bin/umadrig"
END
printf '#!/bin/sh\necho "apt-get $*" >>"%s/asked"\n' "$work" >"$tools/apt-get"
chmod 755 source/quickstart "$tools/apt-get"
cd project || exit 99
cat >passes.mad <<'END'
scenario "passes"
0 note "x"
END
cat >fails.mad <<'END'
scenario "passes, too"
0 note "x"

scenario "fails"
0 fd = umad_open_port($CA, $PORT)
+0 umad_close_port(fd) = 3
END
cat >skips.mad <<'END'
scenario "skips"
needs program no-such-program
0 run no-such-program
END

# DIRECTORY: the status, what quickstart and apt-get were asked for, and what is kept there.
picture() {
	echo "status $status"
	sed 's/ *$//' "$work/asked"
	(cd "$1" 2>/dev/null && find . -type f | sed 's|^\./|kept |' | LC_ALL=C sort)
}
# KIND WORD...: runs the script that steps prints, without the variables of this test.
service() {
	python3 "$steps" "$@" >"$work/script" || exit 99
	: >"$work/asked"
	env -i PATH="$tools:$PATH" HOME="$work" TMPDIR="$TMPDIR" STEPS="$work/runner" \
		GITHUB_ACTION_PATH="$work/source" bash "$work/script" >"$work/said" 2>&1 </dev/null
	status=$?
}
# INPUT=VALUE...
action() {
	rm -rf captures "$work/runner/artifacts"
	service action "$top_srcdir/action.yml" "$@"
}
kept=$work/runner/artifacts/umadrig-job-0

# ---- the action ----

libraries='libglib2.0-0 libpcap0.8 libzstd1 zlib1g'
installs='quickstart install infiniband-diags opensm'
again="quickstart install $libraries infiniband-diags opensm"
action
tap_is "no inputs: packages are installed, and umadrig is built" "$(picture "$kept")" "status 0
$installs
quickstart --prefix $work/runner/temp/umadrig run"
action
tap_is "the next job has that from the cache, and needs its libraries" "$(picture "$kept")" "status 0
$again"
echo '# changed' >>"$work/source/quickstart"
action tools=false
tap_is "another source is built; tools=false installs none" "$(picture "$kept")" "status 0
quickstart --prefix $work/runner/temp/umadrig run"
action tools=false packages=some-package scenarios=passes.mad
tap_is "packages; a scenario that passes" "$(picture "$kept")" "status 0
quickstart install $libraries some-package
kept scenarios.tap
kept scenarios.xml"
action scenarios='passes.mad fails.mad'
tap_is "one that fails leaves its capture, and a ladder" "$(picture "$kept")" "status 1
$again
kept fails-02.ladder.txt
kept fails-02.pcapng
kept scenarios.tap
kept scenarios.xml"
tap_is "the report says so" "$(grep -c '<failure' "$kept/scenarios.xml")" 1
action scenarios=fails.mad run="$probe open"
tap_lacks "nothing is run after it" "$(cat "$work/said")" "Run the commands"
action scenarios='passes.mad skips.mad'
tap_is "one that is skipped fails" "$status:$(grep -c '^not ok' "$work/said")" 1:1
action scenarios=none.mad
tap_is "one that is not there does" "$status" 1
tap_has "which is said" "$(cat "$work/said")" "none.mad: no such file"
action run="$probe open
test -d ../source"
tap_is "commands run on the fabric" "$(picture "$kept")" "status 0
$again
kept run.pcapng"
action run="$probe open
false
true"
tap_is "one that fails ends them" "$(picture "$kept")" "status 1
$again
kept run.ladder.txt
kept run.pcapng"
action run=true
tap_is "commands that do not open the fabric fail" "$status" 1
tap_has "which is said, too" "$(cat "$work/said")" "nothing opened the fabric"
action run="$probe open" fabric=no-such-file.net
tap_has "a fabric that is not there is an error" "$status:$(cat "$work/said")" "no-such-file.net"
action explore="$probe open" runs=2
tap_is "explore: no run fails" "$(picture "$kept")" "status 0
$again
kept explore.xml"
action explore="$probe open; exit 3" runs=2
tap_is "explore: one does" "$(picture "$kept" | grep -v '/\(command\|output\|repeat\)$')" "status 1
$again
kept explore.xml
kept explore/failure-000001/capture.ladder.txt
kept explore/failure-000001/capture.pcapng"
action captures=elsewhere scenarios=passes.mad artifact=mine
tap_is "other names" "$(picture "$work/runner/artifacts/mine-job-0")" "status 0
$again
kept scenarios.tap
kept scenarios.xml"

# ---- the template for GitLab ----

if ! command -v git >/dev/null; then
	tap_skip "the template for GitLab" "git is not installed"
	tap_done
	exit
fi
# COMMAND...: git, in the source, as somebody.
repository() {
	git -C "$work/source" -c user.name=test -c user.email=test@localhost "$@" >/dev/null 2>&1
}
repository init && repository add . && repository commit -m 1 || exit 99
# JOB VARIABLE=VALUE...; what is in the cache stays.
gitlab() {
	rm -rf captures .umadrig-source
	service gitlab "$top_srcdir/doc/ci/gitlab.yml" "$@"
}
gitlab umadrig-scenarios UMADRIG_SCENARIOS=passes.mad
tap_is "without a repository it stops" "$status:$(cat "$work/asked")" 1:
tap_has "and says so" "$(cat "$work/said")" "UMADRIG_REPOSITORY: is not set"
url=UMADRIG_REPOSITORY=file://$work/source
prepares="apt-get update
apt-get install -y --no-install-recommends ca-certificates git $libraries"
gitlab umadrig-scenarios "$url" UMADRIG_SCENARIOS=passes.mad
tap_is "a scenario that passes" "$(picture captures)" "status 0
$prepares
$installs
quickstart --prefix .umadrig run
kept passes.pcapng
kept scenarios.xml"
gitlab umadrig-scenarios "$url" UMADRIG_SCENARIOS='fails.mad skips.mad' UMADRIG_PACKAGES=
tap_is "not built again; those that fail and are skipped" "$(picture captures)" "status 1
$prepares
kept fails-01.ladder.txt
kept fails-01.pcapng
kept fails-02.ladder.txt
kept fails-02.pcapng
kept scenarios.xml"
tap_is "both are in the report" "$(grep -c '<failure' captures/scenarios.xml)" 2
repository commit --allow-empty -m 2
gitlab umadrig-command "$url" UMADRIG_COMMAND="$probe open; false; true"
tap_is "another commit is built; a command that fails" "$(picture captures)" "status 1
$prepares
$installs
quickstart --prefix .umadrig run
kept command.ladder.txt
kept command.pcapng"
gitlab umadrig-command "$url" UMADRIG_COMMAND="$probe open"
tap_is "one that passes" "$(picture captures)" "status 0
$prepares
$installs
kept command.pcapng"
gitlab umadrig-explore "$url" UMADRIG_EXPLORE="$probe open" UMADRIG_RUNS=2
tap_is "explore" "$(picture captures)" "status 0
$prepares
$installs
kept explore.xml"
tap_done
