import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AddressRanges } from "../src/config/address-ranges.ts";
import { BadSetting } from "../src/config/bad-setting.ts";
import { readConfig, readSecrets } from "../src/config/environment.ts";

/** The path of a file with this content, until the test has ended. */
function secretFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), "colophon-secret-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "secret");
  writeFileSync(path, content);
  return path;
}

describe("the configuration", () => {
  test("has a default for everything", () => {
    expect(readConfig({})).toEqual({
      host: "127.0.0.1",
      port: 8400,
      baseUrl: null,
      dataDir: resolve("data"),
      engine: "embedded",
      console: true,
      consolePinsRoot: true,
      inspect: true,
      c2pa: "token",
      c2paFingerprint: null,
      log: true,
      witnesses: [],
      timestampUrl: null,
      allowedOrigins: [],
      acceptedTypes: ["image/jpeg", "image/png", "image/webp"],
      maxRequestBytes: 268_435_456,
      maxImageBytes: 67_108_864,
      maxImagePixels: 200_000_000,
      maxManifestBytes: { json: 1_048_576, jumbf: 4_194_304 },
      maxManifestsPerImage: 16,
      maxDeclaredHashes: 10_000,
      maxRecordHashes: 1_000,
      maxOpenSlots: 16,
      maxOpenLookupSlots: 16,
      maxOpenSequences: 256,
      preCheckCover: 0.25,
      maxQueriesPerRequest: 256,
      maxQueriesPerSlot: 10_000,
      maxErrataPerSlot: 10_000,
      maxFramesPerSequence: 10_000,
      slotIdleSeconds: 3_600,
      slotMaxSeconds: 86_400,
      sweepSeconds: 30,
      bodyMemoryBytes: 536_870_912,
      bodySilenceSeconds: 30,
      drainSeconds: 0,
      diskReserve: 1_073_741_824,
      public: "off",
      publicLookupsPerMinute: 30,
      publicRecordsPerMinute: 300,
      trustedProxies: new AddressRanges([]),
      metrics: null,
      logLevel: "info",
    });
    expect(readSecrets({})).toEqual({
      databaseUrl: null,
      adminToken: null,
      keyEncryptionKey: null,
    });
  });

  test("takes what is set, and an empty value for unset", () => {
    const config = readConfig({
      COLOPHON_PORT: "0",
      COLOPHON_BASE_URL: "https://registry.example/api/",
      COLOPHON_ACCEPTED_TYPES: "image/png, IMAGE/PNG,image/webp",
      COLOPHON_SLOT_IDLE_SECONDS: "0.5",
      COLOPHON_CONSOLE: "off",
      COLOPHON_CONSOLE_PINS_ROOT: "off",
      COLOPHON_INSPECT: "off",
      COLOPHON_C2PA: "public",
      COLOPHON_C2PA_FINGERPRINT: "net.press.original.1",
      COLOPHON_ALLOWED_ORIGINS: "https://desk.example, http://127.0.0.1:5173",
      COLOPHON_HOST: "",
      COLOPHON_METRICS: "[::1]:9464",
      COLOPHON_LOG_LEVEL: "debug",
    });
    expect(config).toMatchObject({
      port: 0,
      baseUrl: "https://registry.example/api",
      acceptedTypes: ["image/png", "image/webp"],
      slotIdleSeconds: 0.5,
      console: false,
      consolePinsRoot: false,
      inspect: false,
      c2pa: "public",
      c2paFingerprint: "net.press.original.1",
      allowedOrigins: ["https://desk.example", "http://127.0.0.1:5173"],
      host: "127.0.0.1",
      metrics: { host: "::1", port: 9464 },
      logLevel: "debug",
    });
    const key = Buffer.alloc(32, 7);
    const path = secretFile(`${key.toString("base64")}\n`);
    const fromFile = { COLOPHON_KEY_ENCRYPTION_KEY_FILE: path };
    expect(readSecrets(fromFile).keyEncryptionKey).toEqual({
      bytes: key,
      setting: "COLOPHON_KEY_ENCRYPTION_KEY_FILE",
    });
    expect(() => readSecrets({ COLOPHON_ADMIN_TOKEN_FILE: `${path}-not` })).toThrow(BadSetting);
    const fromVariable = { COLOPHON_KEY_ENCRYPTION_KEY: key.toString("base64") };
    expect(readSecrets(fromVariable).keyEncryptionKey).toEqual({
      bytes: key,
      setting: "COLOPHON_KEY_ENCRYPTION_KEY",
    });
  });

  test.each([
    ["COLOPHON_ALLOWED_ORIGINS", "desk.example"],
    ["COLOPHON_ALLOWED_ORIGINS", "https://desk.example/"],
    ["COLOPHON_PORT", "http"],
    ["COLOPHON_PORT", "65536"],
    ["COLOPHON_PORT", "-1"],
    ["COLOPHON_PORT", "1e3"],
    ["COLOPHON_BASE_URL", "registry.example"],
    ["COLOPHON_BASE_URL", "ftp://registry.example"],
    ["COLOPHON_BASE_URL", "https://registry.example/?a"],
    ["COLOPHON_BASE_URL", "https://user:secret@registry.example"],
    ["COLOPHON_ENGINE", "remote"],
    ["COLOPHON_PUBLIC", "on"],
    ["COLOPHON_PUBLIC_LOOKUPS_PER_MINUTE", "0"],
    ["COLOPHON_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["COLOPHON_TRUSTED_PROXIES", "proxy.example"],
    ["COLOPHON_CONSOLE", "yes"],
    ["COLOPHON_CONSOLE_PINS_ROOT", "pin"],
    ["COLOPHON_INSPECT", "ON"],
    ["COLOPHON_C2PA", "on"],
    ["COLOPHON_C2PA_FINGERPRINT", "original"],
    ["COLOPHON_ACCEPTED_TYPES", "image/svg+xml"],
    ["COLOPHON_ACCEPTED_TYPES", ","],
    ["COLOPHON_MAX_REQUEST_BYTES", "0"],
    ["COLOPHON_MAX_IMAGE_BYTES", "64MB"],
    ["COLOPHON_MAX_IMAGE_PIXELS", "9007199254740993"],
    ["COLOPHON_MAX_MANIFESTS_PER_IMAGE", "1.5"],
    ["COLOPHON_PRECHECK_COVER", "1.01"],
    ["COLOPHON_PRECHECK_COVER", "a quarter"],
    ["COLOPHON_SLOT_IDLE_SECONDS", "0"],
    ["COLOPHON_SWEEP_SECONDS", "often"],
    ["COLOPHON_SWEEP_SECONDS", "99999999"],
    ["COLOPHON_METRICS", "9464"],
    ["COLOPHON_METRICS", "127.0.0.1:99999"],
    ["COLOPHON_METRICS", "::1:9464"],
    ["COLOPHON_LOG_LEVEL", "verbose"],
    ["COLOPHON_DATABASE_URL", "mysql://localhost/colophon"],
    ["COLOPHON_ADMIN_TOKEN", "short"],
    ["COLOPHON_ADMIN_TOKEN", "with spaces in the middle"],
    ["COLOPHON_KEY_ENCRYPTION_KEY", "c2hvcnQ="],
  ])("refuses %s=%s in one line that names it", (name, value) => {
    const read = (): unknown => [readConfig({ [name]: value }), readSecrets({ [name]: value })];
    expect(read).toThrow(BadSetting);
    expect(read).toThrow(new RegExp(`^${name} must be [^\\n]+\\.$`));
  });

  test.each([
    ["?sslmode=require", "?sslmode=verify-full"],
    [
      "?application_name=a&sslmode=prefer&sslrootcert=/ca.pem",
      "?application_name=a&sslmode=verify-full&sslrootcert=/ca.pem",
    ],
    ["?sslmode=no-verify", "?sslmode=no-verify"],
    ["?uselibpqcompat=true&sslmode=require", "?uselibpqcompat=true&sslmode=require"],
  ])("asks for the database's certificate by its driver's own word: %s", (query, meant) => {
    const url = "postgresql://colophon:p%40ss@database/colophon";
    expect(readSecrets({ COLOPHON_DATABASE_URL: `${url}${query}` }).databaseUrl).toBe(`${url}${meant}`);
  });

  test.each(["COLOPHON_ADMIN_TOKEN", "COLOPHON_KEY_ENCRYPTION_KEY"])(
    "names %s_FILE where its file holds what is too short",
    (name) => {
      const path = secretFile("c2hvcnQ=\n");
      expect(() => readSecrets({ [`${name}_FILE`]: path })).toThrow(
        new RegExp(`^${name}_FILE must be the path of a file that holds [^\\n]+\\.$`),
      );
    },
  );

  test.each([
    ["COLOPHON_ENGINE", "embedded or none"],
    ["COLOPHON_LOG", "on or off"],
    ["COLOPHON_PUBLIC", "one of off, records, lookups"],
  ])("says which words %s takes", (name, words) => {
    expect(() => readConfig({ [name]: "maybe" })).toThrow(`${name} must be ${words}.`);
  });

  test.each([
    ["COLOPHON_DATABASE_URL", "mysql://user:secret@localhost/colophon"],
    ["COLOPHON_ADMIN_TOKEN", "not so secret"],
    ["COLOPHON_KEY_ENCRYPTION_KEY", "c2VjcmV0"],
  ])("never repeats what %s was set to", (name, value) => {
    expect(() => readSecrets({ [name]: value })).toThrow(/^(?!.*(?:secret|c2Vj)).*$/);
  });
});
