# Completes the command line of throng in bash. What it offers is generated; see completion.c.
# shellcheck shell=bash disable=SC2154,SC2207

# Keys of a scenario that begin with WORD. A list entry is offered by the index or name in WORD.
_throng_matching_keys() { # WORD
  local key head rest
  while read -r key; do
    if [[ $key == *'*'* ]]; then
      head=${key%%\**}
      rest=${1#"$head"}
      if [[ $1 == "$head"*.* ]]; then key=$head${rest%%.*}${key#*\*}; else key=${key/\*/0}; fi
    fi
    [[ $key != "$1"* ]] || printf '%s=\n' "$key"
  done <<<"$_throng_keys"
}

_throng_offer_files() { # WORD PATTERNS
  local pattern
  local -a patterns
  read -ra patterns <<<"$2"
  mapfile -t COMPREPLY < <(
    compgen -d -- "$1"
    for pattern in "${patterns[@]}"; do compgen -f -X "!$pattern" -- "$1"; done
  )
  compopt -o filenames 2>/dev/null
}

# The command before the word to complete, if there is one.
_throng_command() {
  local word
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ " $_throng_commands " != *" $word "* ]] || { echo "$word" && return; }
  done
}

_throng_offer_values() { # OPTION WORD
  case $(_throng_kind "$1") in
    choice) COMPREPLY=($(compgen -W "$(_throng_choices "$1")" -- "$2")) ;;
    directory) _throng_offer_files "$2" '' ;;
    scenario) _throng_offer_files "$2" '*.yaml *.yml' ;;
    restart)
      _throng_offer_files "$2" '*.h5'
      [[ auto != "$2"* ]] || COMPREPLY+=(auto)
      ;;
    override)
      COMPREPLY=($(_throng_matching_keys "$2"))
      compopt -o nospace 2>/dev/null
      ;;
  esac
}

_throng() {
  local word=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD key command
  COMPREPLY=()
  # bash divides KEY=VALUE and --option=VALUE into three words.
  if [[ $word == = || ${COMP_WORDS[at - 1]} == = ]]; then
    [[ $word != = ]] || { word='' && ((++at)); }
    key=${COMP_WORDS[at - 2]}
    if [[ $key == --* ]]; then
      _throng_offer_values "$key" "$word"
    else
      COMPREPLY=($(compgen -W "$(_throng_choices "$key")" -- "$word"))
    fi
    return
  fi
  if [[ -n $(_throng_kind "${COMP_WORDS[at - 1]}") ]]; then
    _throng_offer_values "${COMP_WORDS[at - 1]}" "$word"
    return
  fi
  command=$(_throng_command)
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$_throng_options" -- "$word"))
  elif [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "$_throng_commands" -- "$word"))
  else
    _throng_offer_files "$word" "$(_throng_files "$command")"
  fi
}

complete -F _throng throng
