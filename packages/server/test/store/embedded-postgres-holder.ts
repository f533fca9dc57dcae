/**
 * A process of its own for the launcher's tests: holds the embedded database under `argv[2]`, prints its connection as
 * one JSON line, and gives it back on SIGTERM or when `argv[3]` is `once`.
 */
import { startEmbeddedPostgres } from "../../src/store/embedded/embedded-postgres.ts";

const [, , dataDir = "", mode = "hold"] = process.argv;
const silent = { info: (): void => {}, warn: (): void => {} };
try {
  const server = await startEmbeddedPostgres({ dataDir, log: silent });
  const stop = (): void => {
    void server[Symbol.asyncDispose]().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.stdout.write(`${JSON.stringify(server.connection)}\n`);
  if (mode === "once") stop();
} catch (error) {
  process.stderr.write(String(error));
  process.exit(1);
}
