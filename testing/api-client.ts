import { setTimeout as sleep } from "node:timers/promises";
import type {
  Account,
  AccountSettings,
  LookupVerdict,
  MintedToken,
  PublishedRecord,
  Registration,
} from "@colophon/contract";

const RETRIES = 50;

/** An answer of the service. `body` has the route's shape only when `status` is its success. */
export interface Reply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A manifest as a multipart part. */
export interface ManifestPart {
  readonly kind: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The calls the benchmarks make, under one bearer token. */
export class ApiClient {
  readonly baseUrl: string;
  readonly token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  /** Any call. Rejects only when no answer came. */
  async call<Body>(
    method: string,
    path: string,
    body?: FormData | object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply<Body>> {
    const json = body !== undefined && !(body instanceof FormData);
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        ...headers,
        authorization: `Bearer ${this.token}`,
        ...(json ? { "content-type": "application/json" } : {}),
      },
      ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? null : JSON.parse(text),
    };
  }

  register(image: Uint8Array, manifests: readonly ManifestPart[] = []): Promise<Reply<Registration>> {
    const form = new FormData();
    for (const { kind, type, bytes } of manifests) {
      form.append(`manifest[${kind}]`, new Blob([Uint8Array.from(bytes)], { type }));
    }
    form.append("image", imageBlob(image), "image.jpg");
    return this.call("POST", "/registrations", form);
  }

  takeDown(registrationId: string): Promise<Reply<null>> {
    return this.call("DELETE", `/registrations/${registrationId}`);
  }

  lookUp(image: Uint8Array): Promise<Reply<LookupVerdict>> {
    const form = new FormData();
    form.append("image", imageBlob(image), "query.jpg");
    return this.call("POST", "/lookup", form);
  }

  record(originalImageHash: string): Promise<Reply<PublishedRecord>> {
    return this.call("GET", `/records/${originalImageHash}`);
  }
}

function imageBlob(image: Uint8Array): Blob {
  return new Blob([Uint8Array.from(image)], { type: "image/jpeg" });
}

/** Sends again what the service was too busy for, as its answer asks. */
export async function untilAnswered<Body>(send: () => Promise<Reply<Body>>): Promise<Reply<Body>> {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await send();
    if (reply.status !== 503 || attempt === RETRIES) return reply;
    await sleep(1_000 * Number(reply.headers.get("retry-after") ?? 1));
  }
}

/** An account made for one run. */
export interface TestAccount {
  readonly accountId: string;
  readonly token: string;
}

/** Creates an account with these grants and mints a token for it. */
export async function createAccount(
  baseUrl: string,
  adminToken: string,
  settings: AccountSettings,
): Promise<TestAccount> {
  const admin = new ApiClient(baseUrl, adminToken);
  const account = await admin.call<Account>("POST", "/admin/accounts", settings);
  const { accountId } = account.body;
  const minted = await admin.call<MintedToken>("POST", `/admin/accounts/${accountId}/tokens`, {});
  if (minted.status !== 201) throw new Error(`No token was minted (status ${minted.status}).`);
  return { accountId, token: minted.body.token };
}
