# SPDX-License-Identifier: MIT
# Completion of boardbench for bash. Names come from the program itself.

_boardbench_names() {
	boardbench list "$1" --format json 2>/dev/null |
		sed -n 's/^.*"'"$2"'":"\([A-Za-z0-9._-]*\)".*$/\1/p'
}

_boardbench() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local commands="list show run report compare doctor"
	local options="--board --profile --save --with --repeat --duration --warmup --steady
		--cpus --stall --resume --format --output --fail-below --store --profile-dir --root --quiet-run --plain --baud --size --term
		--utf8 --acs --on-hangup --yes --help --version"
	local words="" command="" word
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		case " $commands " in *" $word "*) command=$word && break ;; esac
	done
	case $previous in
	--format) words="text json csv markdown" ;;
	--resume) words="skip repeat" ;;
	--on-hangup) words="continue stop" ;;
	--board) words=$(_boardbench_names boards board) ;;
	--output | --profile)
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		return
		;;
	--store | --profile-dir | --root)
		mapfile -t COMPREPLY < <(compgen -d -- "$current")
		return
		;;
	list) words="boards subsystems modules runs" ;;
	show) words=$(_boardbench_names modules module) ;;
	run) words="$(_boardbench_names subsystems subsystem) $(_boardbench_names modules module)" ;;
	esac
	if [[ $current == -* ]]; then
		words=$options
	elif [[ -z $command && -z $words ]]; then
		words=$commands
	elif [[ -z $words && ($command == report || $command == compare) ]]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		return
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _boardbench boardbench
