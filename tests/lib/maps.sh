# shellcheck shell=sh
# Handmade experiments, as far as er_archive reads them: a map.xml.

map_address=4194304

# experiment NAME: an experiment with an empty map.
experiment() {
	mkdir -p "$1"
	: >"$1/log.xml"
	echo >"$1/map.xml"
}

# segment EXPERIMENT PATH [ATTRIBUTES]: a mapping of the file as code.
segment() {
	map_address=$((map_address + 1048576))
	printf '<event kind="map" object="segment" tstamp="0.000000001" vaddr="0x%016X" size="4096" pagesz="4096" foffset="+0x00000000" modes="0x005" chksum="0xFFFFFFFF" name="%s"%s/>\n' \
		$map_address "$2" "${3:+ $3}" >>"$1/map.xml"
}

# library PATH NUMBER: make a shared library, different for each number.
library() {
	echo "int function_$2(void) { return $2; }" >library.c
	cc -shared -fPIC -Wl,--build-id -o "$1" library.c
	rm -f library.c
}

# names LIBRARY FILE[=MD5]...: make a library whose line table names these files.
names() {
	names_library=$1
	names_count=0
	shift
	echo '	.text' >names.s
	for names_file; do
		names_count=$((names_count + 1))
		names_sum=
		case $names_file in
		*=*) names_sum=" md5 0x${names_file##*=}" ;;
		esac
		names_path=${names_file%%=*}
		printf '\t.file %s "%s" "%s"%s\n\t.loc %s 1\n\tnop\n' $names_count \
			"${names_path%/*}" "${names_path##*/}" "$names_sum" $names_count
	done >>names.s
	cc -shared -nostdlib -Wa,-gdwarf-5 -Wl,--build-id -o "$names_library" names.s
}

build_id() {
	readelf -n "$1" | sed -n 's/^ *Build ID: //p'
}

# identity PATH: the attributes that our recorder writes to identify a mapped file.
identity() {
	printf 'buildid="%s" fsize="%s" mtime="%s"' "$(build_id "$1")" \
		"$(stat -c %s "$1")" "$(stat -c %.9Y "$1")"
}

# stored EXPERIMENT PATH: print the copy of the file at PATH, whatever its code is.
stored() {
	find "$1/archives" -name "$(basename "$2")_???????????" | head -n 1
}
