import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { filePage, htmlPage, type Page, slashRedirect } from "./page.ts";

const REFERENCE = new URL("../../../reference/", import.meta.url);
/** The viewer's one file: of its package here, in the published package beside the other two (`tools/pack.ts`). */
const VIEWER = import.meta.resolve("#redoc");

/** The viewer makes its styles as it draws, and searches in a worker that it starts from a blob. */
const REFERENCE_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The one address of another host in the viewer: its maker's sign, which it leaves out when it cannot be had. */
const MAKERS_SIGN = "https://cdn.redoc.ly/redoc/logo-mini.svg";

/** The API reference: an existing viewer, and files of our own that have it draw the contract of this service. */
export async function referencePages(): Promise<readonly Page[]> {
  const viewer = await readFile(fileURLToPath(VIEWER), "utf8");
  const file = (name: string, body: Uint8Array): Promise<Page> =>
    filePage(`/docs/${name}`, body, REFERENCE_POLICY, "ask");
  return Promise.all([
    slashRedirect("/docs"),
    htmlPage("/docs/", 200, await ownFile("index.html"), REFERENCE_POLICY),
    file("reference.css", await ownFile("reference.css")),
    file("reference.js", await ownFile("reference.js")),
    file("samples.js", await ownFile("samples.js")),
    file("redoc.standalone.js", Buffer.from(viewer.replaceAll(MAKERS_SIGN, "data:,"))),
  ]);
}

function ownFile(name: string): Promise<Uint8Array> {
  return readFile(new URL(name, REFERENCE));
}
