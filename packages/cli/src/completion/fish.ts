import { type CompletedOption, type Place, quoted } from "./places.ts";

/** What fish sources to complete the command. */
export function fishCompletion(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `# Completion of colophon for fish: colophon completion fish | source
function __colophon_at --argument-names wanted
  set -l command ""
  for word in (commandline -opc)[2..-1]
    switch (string trim "$command $word")
      case ${known.join(" ")}
        set command (string trim "$command $word")
    end
  end
  test "$command" = "$wanted"
end
complete -c colophon -f
${places.flatMap(lines).join("\n")}
`;
}

function lines({ path, words, files, options }: Place): string[] {
  const start = `complete -c colophon -n ${quoted(`__colophon_at "${path}"`)}`;
  return [
    ...words.map(({ name, summary }) => `${start} -a ${quoted(name)} -d ${fishQuoted(summary)}`),
    ...(files ? [`${start} -F`] : []),
    ...options.map((option) => `${start} ${flag(option)} -d ${fishQuoted(option.summary)}`),
  ];
}

function flag({ name, value }: CompletedOption): string {
  if (value === "none") return `-l ${name}`;
  return value === "file" ? `-l ${name} -r -F` : `-l ${name} -x`;
}

/** Within single quotes fish knows two escapes, the quote and the backslash. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
