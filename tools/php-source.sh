# Fetches the source of the installed PHP's package. To be sourced, after lib.sh.

# privately COMMAND…: of apt, without touching the system's lists, with the sources that the system has. Apt's own user
# can't reach a checkout in a home that is closed.
privately() {
	local command=$1
	shift
	"$command" -o Dir::Etc::SourceList="$home/apt/sources.list" -o Dir::Etc::SourceParts="$home/apt/parts" \
		-o APT::Sandbox::User=root -o Dir::State::Lists="$home/apt/lists" -o Dir::Cache="$home/apt/cache" -o Acquire::Retries=3 "$@"
}

# The system's own places of packages, as places of sources.
name_sources() {
	local file
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		if [ -f "$file" ]; then
			sed -n 's/^deb \(\[[^]]*\] \)\?/deb-src \1/p' "$file" > "$home/apt/parts/$(basename "$file" .list).list"
		fi
	done
	for file in /etc/apt/sources.list.d/*.sources; do
		if [ -f "$file" ]; then sed 's/^Types:.*/Types: deb-src/' "$file" > "$home/apt/parts/$(basename "$file")"; fi
	done
}

# fetch_source DIR [OPTION…]: unpacks the source of the installed PHP's package there; options of tar leave some out.
fetch_source() {
	local to=$1 home=$1.apt package version archive
	shift
	command -v apt-get > /dev/null || return 1
	package=$(dpkg-query -W -f '${source:Package}' "$(basename "$(readlink -f "$(command -v php)")")-cli") || return 1
	rm -rf "$home" "$to"
	mkdir -p "$home"/apt/{parts,lists/partial,cache/archives/partial}
	name_sources
	# One place may not answer, or know no sources: what counts is whether one has the package.
	privately apt-get update || true
	# A mirror may name a version that it no longer has, or not yet: any will do, the newest first.
	while read -r version; do
		(cd "$home/apt" && privately apt-get source --download-only "$package=$version") || continue
		archive=$(find "$home/apt" -maxdepth 1 -name "${package}_*.orig.tar.*" ! -name '*.asc' | head -1)
		if [ -z "$archive" ]; then continue; fi
		mkdir -p "$to"
		tar -x -f "$archive" -C "$to" --strip-components=1 "$@" || continue
		rm -rf "$home"
		return 0
	done < <(privately apt-cache showsrc "$package" | sed -n 's/^Version: //p' | sort -Vru)
	return 1
}
