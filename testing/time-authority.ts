import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const SETTINGS = `[tsa]
default_tsa = own
[own]
serial = ./serial
signer_cert = tsa.pem
certs = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
`;

/** Answers a time-stamp query with a time-stamp reply (RFC 3161), both in DER. */
export type TimeAuthority = (query: Uint8Array) => Promise<Buffer>;

/**
 * Makes a time-stamping authority by openssl. One answer at a time.
 * @param folder where its files are; `tsa.pem` is its certificate
 */
export async function timeAuthority(folder: string): Promise<TimeAuthority> {
  const openssl = (...args: readonly string[]): void =>
    void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  await writeFile(join(folder, "tsa.cnf"), SETTINGS);
  await writeFile(join(folder, "serial"), "01\n");
  const make = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30"];
  const usage = ["extendedKeyUsage=critical,timeStamping", "keyUsage=critical,digitalSignature"];
  const extensions = usage.flatMap((one) => ["-addext", one]);
  openssl("req", ...make, ...extensions, "-subj", "/CN=tsa.test", "-keyout", "tsa.key", "-out", "tsa.pem");
  return async (query) => {
    await writeFile(join(folder, "query.tsq"), query);
    openssl("ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query.tsq", "-out", "reply.tsr");
    return readFile(join(folder, "reply.tsr"));
  };
}
