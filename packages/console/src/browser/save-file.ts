/** Hands the reader a file to keep. */
export function saveFile(name: string, type: string, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? content : Uint8Array.from(content);
  const address = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
