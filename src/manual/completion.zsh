# Completes the command line of throng in zsh. What it offers is generated; see completion.c.

_throng_choice() {
  compadd -- ${=$(_throng_choices --backend)}
}

_throng_restart() {
  compadd -- auto
  _files -g '*.h5'
}

# KEY=VALUE. A list entry is offered by the index or name that was typed.
_throng_override() {
  local key head rest
  local -a keys
  if compset -P 1 '*='; then
    compadd -- ${=$(_throng_choices ${${IPREFIX%=}##*=})}
    return
  fi
  for key in ${=_throng_keys}; do
    if [[ $key == *\** ]]; then
      head=${key%%\**}
      rest=${PREFIX#$head}
      [[ $PREFIX == $head*.* ]] && key=$head${rest%%.*}${key#*\*} || key=${key/\*/0}
    fi
    keys+=$key
  done
  compadd -S = -- $keys
}

_throng_file() {
  local patterns=$(_throng_files $line[1])
  [[ -z $patterns ]] || _files -g "(${patterns// /|})"
}

_throng() {
  local -a line
  _arguments -s -S $_throng_specs \
    "1:command:($_throng_commands)" \
    '*:file:_throng_file'
}

_throng "$@"
