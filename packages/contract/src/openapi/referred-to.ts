type Sections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Those of a document's components that its paths refer to, directly or through others; empty sections are left out.
 */
export function referredTo(paths: object, components: Sections): Sections {
  const wanted = new Set<string>();
  const follow = (value: unknown): void => {
    for (const address of addresses(value)) {
      if (wanted.has(address)) continue;
      wanted.add(address);
      const [section = "", name = ""] = address.split("/");
      follow(components[section]?.[name]);
    }
  };
  follow(paths);
  const kept = Object.entries(components).map(([section, entries]) => {
    const named = Object.entries(entries).filter(([name]) => wanted.has(`${section}/${name}`));
    return [section, Object.fromEntries(named)] as const;
  });
  return Object.fromEntries(kept.filter(([, entries]) => Object.keys(entries).length > 0));
}

/** What a value refers to, as `<section>/<name>`: its references, and the schemes that its operations name. */
function* addresses(value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === "$ref" && typeof member === "string") yield member.replace("#/components/", "");
    else if (key === "security" && Array.isArray(member)) {
      for (const scheme of member.flatMap((entry: object) => Object.keys(entry))) {
        yield `securitySchemes/${scheme}`;
      }
    } else yield* addresses(member);
  }
}
