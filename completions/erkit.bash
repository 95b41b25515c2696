# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion for bash. The options come from each program's --help, once in each shell; only what kinds
# of values there are is said here.

declare -gA _erkit_help # program: its options, each with what it takes, as "-a MODE"

# The part of a line of help that names options: everything before two blanks, or the end.
_erkit_read_help() { # PROGRAM
	local line names name previous
	_erkit_help[$1]=
	while IFS= read -r line; do
		[[ $line =~ ^\ +-[-A-Za-z] ]] || continue
		names=${line#"${line%%[! ]*}"}
		names=${names%%  *}
		previous=
		for name in ${names//, / }; do
			if [[ $name = -[A-Z][A-Z]* ]]; then
				break # any command, not this word
			elif [[ $name = -* ]]; then
				previous=${name%%=*}
				_erkit_help[$1]+=$'\n'$previous
				[[ $name != *=* ]] || _erkit_help[$1]+=" ${name#*=}"
			elif [[ $previous ]]; then
				_erkit_help[$1]+=" $name"
				previous=
			fi
		done
	done < <(command "$1" --help 2>/dev/null)
	[[ ${_erkit_help[$1]} ]]
}

_erkit_know() { # PROGRAM
	[[ ${_erkit_help[$1]} ]] || _erkit_read_help "$1"
}

# The kind of value that OPTION takes, in the word of --help; nothing if it takes none.
_erkit_value_of() { # PROGRAM OPTION
	local line other
	while IFS= read -r line; do
		[[ $line = "$2 "* ]] && echo "${line#* }" && return
	done <<<"${_erkit_help[$1]}"
	# "-o, --output FILE": the value follows the last name only.
	while IFS= read -r line; do
		[[ $line = -* ]] || continue
		[[ ${other-} = "$2" && $line = --*\ * ]] && echo "${line#* }" && return
		other=${line%% *}
	done <<<"${_erkit_help[$1]}"
}

_erkit_kinds='notes log map samples profile hwc heap sync io omp races deadlocks mpi jclasses'

# Words separated by commas.
_erkit_list() { # BEGINNING WORDS
	local before=
	[[ $1 = *,* ]] && before=${1%,*},
	compgen -P "$before" -W "$2" -- "${1##*,}"
}

# Values of one kind. Returns 1 for unknown kinds.
_erkit_values() { # KIND BEGINNING
	case $1 in
	MODE) compgen -W 'off on copy usedcopy src usedsrc' -- "$2" ;;
	MPI) compgen -W 'OPENMPI MPICH MVAPICH2 INTEL PLATFORM auto off' -- "$2" ;;
	FORMAT) compgen -W 'pprof collapsed speedscope firefox chrome callgrind csv json text' -- "$2" ;;
	SOURCES) compgen -W 'all used usedsrc off' -- "$2" ;;
	WORD,...) _erkit_list "$2" 'race deadlock all off terminate abort continue' ;;
	KIND,...) _erkit_list "$2" "$_erkit_kinds" ;;
	METHOD) compgen -W 'zstd gzip xz none' -- "$2" ;;
	DIR) compgen -d -- "$2" ;;
	FILE) compgen -f -- "$2" ;;
	NAME.er) compgen -d -- "$2" ;;
	*.erg*) _erkit_files "$2" '*.erg' ;;
	COMMAND) compgen -c -- "$2" ;;
	SIG*) compgen -A signal -X '!SIG*' -- "$2" ;;
	PID) compgen -W "$(_erkit_processes)" -- "$2" ;;
	*\|*) compgen -W "$(_erkit_words "$1")" -- "$2" ;;
	N | '[T1-]T2' | AGE | SIZE | REGEX | PATTERN | TEXT | ARGUMENT | FOUNDER | METRIC,...) ;;
	*) return 1 ;;
	esac
	return 0
}

# Those that are the user's own.
_erkit_processes() {
	local process
	for process in /proc/[1-9]*; do
		[[ -O $process ]] && echo "${process#/proc/}"
	done
}

# The words in on|off|N[m|u].
_erkit_words() { # ALTERNATIVES
	local word
	for word in ${1//|/ }; do
		[[ $word = [a-z]* && $word != *[!a-z-]* ]] && echo "$word"
	done
}

_erkit_files() { # BEGINNING PATTERN...
	local beginning=$1 name pattern
	shift
	compgen -d -- "$beginning"
	for pattern; do
		compgen -f -X "!$pattern" -- "$beginning" | while IFS= read -r name; do
			[[ -d $name ]] || printf '%s\n' "$name"
		done
	done
}

_erkit_operands() { # PROGRAM-AND-ACTION BEGINNING
	case $1 in
	er_import) _erkit_files "$2" '*.tar' '*.tar.*' '*.tgz' '*.data' ;;
	er_export | er_html | er_print | tha | 'er_archive --check')
		_erkit_files "$2" '*.erg' '*.tar' '*.tar.*' '*.tgz'
		;;
	*) _erkit_files "$2" '*.erg' ;;
	esac
}

_erkit_commands() { # of er_print
	command "$1" -help 2>/dev/null | sed -n 's/^  \([a-z_-]*\).*/-\1/p'
}

_erkit_options() { # PROGRAM
	_erkit_know "$1"
	sed -n 's/^\(-[^ ]*\).*/\1/p' <<<"${_erkit_help[$1]}"
	[[ $1 = er_print ]] && _erkit_commands "$1"
	return 0
}

# The program to record is the first word of the command line of collect, or er_kernel, that is not its own.
_erkit_target() { # PROGRAM
	local i value
	for ((i = 1; i < COMP_CWORD; i++)); do
		if [[ ${COMP_WORDS[i]} = -- ]]; then
			echo $((i + 1))
			return
		fi
		if [[ ${COMP_WORDS[i]} != -* ]]; then
			echo "$i"
			return
		fi
		value=$(_erkit_value_of "$1" "${COMP_WORDS[i]}")
		[[ $value ]] && ((i++))
	done
	echo "$COMP_CWORD"
}

_erkit_reply() { # lines of the standard input
	local line
	while IFS= read -r line; do
		[[ $line ]] && COMPREPLY+=("$line")
	done
}

_erkit() {
	local program=${COMP_WORDS[0]##*/} word=${COMP_WORDS[COMP_CWORD]}
	local before=${COMP_WORDS[COMP_CWORD - 1]} value target
	COMPREPLY=()
	_erkit_know "$program" || return 0
	# bash makes separate words of = and the text around it.
	if [[ $word = '=' ]]; then
		word=
	elif [[ $before = '=' ]]; then
		before=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	if [[ $program = collect || $program = er_kernel ]]; then
		target=$(_erkit_target "$program")
		if ((COMP_CWORD > target)); then
			type _command_offset &>/dev/null && _command_offset "$target"
			[[ ${COMPREPLY[*]} ]] || compopt -o default 2>/dev/null
			return 0
		fi
	fi
	[[ $before = -* ]] && value=$(_erkit_value_of "$program" "$before")
	if [[ $value ]]; then
		_erkit_reply < <(_erkit_values "$value" "$word")
	elif [[ $word = -* ]]; then
		_erkit_reply < <(compgen -W "$(_erkit_options "$program")" -- "$word")
		return 0
	elif [[ $program = collect || $program = er_kernel ]]; then
		_erkit_reply < <(compgen -c -- "$word")
	else
		[[ $program = er_archive && " ${COMP_WORDS[*]} " = *' --check '* ]] && program+=' --check'
		_erkit_reply < <(_erkit_operands "$program" "$word")
	fi
	compopt -o filenames 2>/dev/null
	return 0
}

complete -F _erkit collect er_archive er_cp er_export er_html er_import er_kernel er_mv er_print er_rm tha
