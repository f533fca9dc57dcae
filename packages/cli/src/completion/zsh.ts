import { type Choice, optionsWith, type Place, quoted } from "./places.ts";

/** What zsh sources to complete the command. */
export function zshCompletion(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `#compdef colophon
# Completion of colophon for zsh: source <(colophon completion zsh), after compinit
_colophon() {
  local command="" word
  local -a choices options
  local files=""
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${command:+$command }$word" in
      ${known.join(" | ")}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command" in
${places.map(branch).join("\n")}
  esac
  case "$command \${words[CURRENT-1]}" in
    ${optionsWith("file", places).map(quoted).join(" | ")}) _files; return ;;
    ${optionsWith("text", places).map(quoted).join(" | ")}) return ;;
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option options
    return
  fi
  (( \${#choices} )) && _describe command choices
  [[ -n "$files" ]] && _files
}
compdef _colophon colophon
`;
}

function branch({ path, words, files, options }: Place): string {
  const flags = options.map(({ name, summary }) => ({ name: `--${name}`, summary }));
  const parts = [`choices=(${list(words)})`, `options=(${list(flags)})`, ...(files ? ["files=yes"] : [])];
  return `    ${quoted(path)}) ${parts.join(" ")} ;;`;
}

function list(choices: readonly Choice[]): string {
  return choices.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(" ");
}
