import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs openssl in a directory of its own that holds `files`; answers its stdout, throws its stderr. */
export function openssl(args: string[], files: Record<string, string | Uint8Array>): string {
  const directory = mkdtempSync(join(tmpdir(), "colophon-openssl-"));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
    const run = spawnSync("openssl", args, { cwd: directory, encoding: "utf8" });
    if (run.status !== 0) {
      throw new Error(`openssl ${args[0]}: ${run.error?.message ?? run.stderr}${run.stdout}`);
    }
    return run.stdout;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Whether openssl finds `signature` to be Ed25519 over `message` by the key of a PEM certificate. */
export function opensslVerifies(certificate: string, message: Uint8Array, signature: Uint8Array): boolean {
  const key = openssl(["x509", "-in", "c.pem", "-noout", "-pubkey"], { "c.pem": certificate });
  const args = ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "k.pem", "-in", "m", "-sigfile", "s"];
  try {
    return openssl(args, { "k.pem": key, m: message, s: signature }).includes("Verified Successfully");
  } catch (error) {
    if (String(error).includes("Signature Verification Failure")) return false;
    throw error;
  }
}
