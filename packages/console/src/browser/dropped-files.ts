/** The files of a drop, those within dropped folders included, in the order of their names. */
export async function droppedFiles({ items }: DataTransfer): Promise<File[]> {
  // The list of items is gone once this function has waited, so it is read first.
  const dropped = Array.from(items, (item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files = (await Promise.all(dropped.map(filesOf))).flat();
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The files of what was dropped: a file without a place in a file system, a file, a folder, or no file at all. */
async function filesOf(entry: FileSystemEntry | File | null): Promise<File[]> {
  if (entry === null) return [];
  if (entry instanceof File) return [entry];
  if (isFile(entry)) {
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  }
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const found: File[] = [];
  // A reader answers a folder in pieces, and an empty one at its end.
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (piece.length === 0) return found;
    for (const inner of piece) found.push(...(await filesOf(inner)));
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
