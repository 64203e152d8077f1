# SPDX-License-Identifier: Apache-2.0
"""What shells read to complete the command lines of samara.

`samara` itself tells what may come next, in the way of Typer: with _SAMARA_COMPLETE in
its environment it prints proposals in the form that the shell expects.
"""

_BASH = """\
_samara() {
  local IFS=$'\\n'
  COMPREPLY=($(env COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD="$COMP_CWORD" \\
    _SAMARA_COMPLETE=complete_bash "$1"))
}
complete -o default -F _samara samara
"""
# Zsh reads the file as the body of the function that completes.
_ZSH = """\
#compdef samara
eval "$(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" \\
  _SAMARA_COMPLETE=complete_zsh "${words[1]}")"
"""
_FISH_CALL = (
    "env _SAMARA_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION={action}"
    " _TYPER_COMPLETE_ARGS=(commandline -cp) samara"
)
_FISH = (
    "complete --command samara --no-files"
    f' --arguments "({_FISH_CALL.format(action="get-args")})"'
    f' --condition "{_FISH_CALL.format(action="is-args")}"\n'
)

SCRIPTS = {
    "bash-completion/completions/samara": _BASH,
    "fish/vendor_completions.d/samara.fish": _FISH,
    "zsh/site-functions/_samara": _ZSH,
}
"""The scripts by their places below share/, where each shell looks for them."""
