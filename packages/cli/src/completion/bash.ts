import { optionsWith, type Place, quoted } from "./places.ts";

/** What bash sources to complete the command. */
export function bashCompletion(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `# Completion of colophon for bash: source <(colophon completion bash)
_colophon() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local command="" word words="" options="" files="" IFS=$'\\n'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
      ${known.join(" | ")}) command="\${command:+$command }$word" ;;
    esac
  done
  case "$command" in
${places.map(branch).join("\n")}
  esac
  case "$command $previous" in
    ${optionsWith("file", places).map(quoted).join(" | ")}) words="" files=yes ;;
    ${optionsWith("text", places).map(quoted).join(" | ")}) words="" files="" ;;
  esac
  case "$current" in -*) words="$options" files="" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "\${current##=}"))
  fi
}
complete -F _colophon colophon
`;
}

function branch({ path, words, files, options }: Place): string {
  const parts = [
    ...(words.length === 0 ? [] : [`words=${list(words.map(({ name }) => name))}`]),
    `options=${list(options.map(({ name }) => `--${name}`))}`,
    ...(files ? ["files=yes"] : []),
  ];
  return `    ${quoted(path)}) ${parts.join(" ")} ;;`;
}

function list(names: readonly string[]): string {
  return `$'${names.join("\\n")}'`;
}
