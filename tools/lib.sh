# Shared by the scripts in tools/: places, progress lines, stamps. To be sourced.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
var=$top/var
app=$top/examples/laravel
mkdir -p "$var/log" "$var/stamp" "$var/run"
export COMPOSER_ALLOW_SUPERUSER=1

fail() {
	printf '%s\n' "$@" >&2
	exit 1
}

# step LABEL COMMAND…: runs it with its output in var/log/, prints one line with the seconds it took.
step() {
	local label=$1 log begin status=0
	shift
	log=$var/log/$(tr -c 'a-z0-9\n' '-' <<< "${label,,}" | tr -s '-').log
	begin=$(date +%s.%N)
	printf '  %-46s' "$label"
	"$@" > "$log" 2>&1 < /dev/null || status=$?
	if [ "$status" -ne 0 ]; then
		printf 'failed\n'
		tail -n 40 "$log" >&2
		fail "$label failed (status $status). The whole log: $log"
	fi
	LC_ALL=C awk -v b="$begin" -v e="$(date +%s.%N)" 'BEGIN { printf "%6.1f s\n", e - b }'
	# What a step wants people to read.
	sed -n 's/^NOTE: /    /p' "$log"
}

# fingerprint PATH…: changes when one of the files (or files below the folders) does.
fingerprint() {
	local path
	for path in "$@"; do
		if [ -e "$path" ]; then find "$path" -type f -print0; fi
	done | sort -z | xargs -0r md5sum | md5sum | cut -c1-32
}

# fresh NAME FINGERPRINT: whether this was done before with the same input.
fresh() {
	[ "$(cat "$var/stamp/$1" 2> /dev/null)" = "$2" ]
}

stamp() {
	printf '%s\n' "$2" > "$var/stamp/$1"
}

# as_root COMMAND…
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# retry TIMES COMMAND…: for mirrors that are slow to answer.
retry() {
	local times=$1 try
	shift
	for ((try = 1; ; try++)); do
		if "$@"; then return 0; fi
		[ "$try" -lt "$times" ] || return 1
		sleep $((try * 3))
	done
}

# npm_packages FOLDER PACKAGE.JSON: what it names, into FOLDER/node_modules. npm writes beside package.json: that belongs below var/.
npm_packages() {
	mkdir -p "$1"
	cp "$2" "$1/package.json"
	(cd "$1" && retry 2 timeout 300 npm install --no-package-lock --no-audit --no-fund --ignore-scripts)
}

# listening PORT: whether somebody accepts connections there.
listening() {
	(exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

# listener PORT: who that is, as far as it can be known.
listener() {
	local who
	who=$(ss -Hltnp "sport = :$1" 2> /dev/null | sed -n 's/.*users:((\("[^"]*"\),pid=\([0-9]*\).*/\1, process \2/p' | head -1)
	printf '%s' "${who:-another program}"
}

# worker_of PID: the process below that one that has none below itself.
worker_of() {
	ps -eo pid=,ppid= | awk -v top="$1" '{ parent[$1] = $2; children[$2]++ }
		END { for (p in parent) { q = p; while (q > 1 && q != top) q = parent[q]; if (q == top && !children[p]) print p } }' | head -1
}
