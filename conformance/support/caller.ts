import { type Answer, jsonOf, readAnswer } from "./answer.ts";
import type { Deployment } from "./deployment.ts";

/** A manifest as it is posted. */
export interface PostedManifest {
  /** The whole part name; `manifest[<kind>]` where it is to be accepted. */
  readonly name: string;
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Whoever calls with one bearer token. */
export class Caller {
  readonly baseUrl: string;
  /** The headers that authenticate the caller. */
  readonly authentication: Readonly<Record<string, string>>;

  constructor(baseUrl: string, token: string | null) {
    this.baseUrl = baseUrl;
    this.authentication = token === null ? {} : { authorization: `Bearer ${token}` };
  }

  /** Sends a request; the headers given come on top of the token. */
  async send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers({ ...this.authentication });
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    return readAnswer(await fetch(`${this.baseUrl}${path}`, { ...init, method, headers }));
  }

  get(path: string): Promise<Answer> {
    return this.send("GET", path);
  }

  delete(path: string): Promise<Answer> {
    return this.send("DELETE", path);
  }

  json(method: string, path: string, body: unknown): Promise<Answer> {
    return this.send(method, path, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  }

  /** Posts an image with its manifests to `/registrations`. */
  register(
    image: Uint8Array<ArrayBuffer>,
    manifests: readonly PostedManifest[] = [],
    type = "image/jpeg",
  ): Promise<Answer> {
    const form = new FormData();
    for (const manifest of manifests) {
      form.append(manifest.name, new Blob([manifest.body], { type: manifest.type }));
    }
    form.append("image", new Blob([image], { type }), "picture.jpg");
    return this.send("POST", "/registrations", { body: form });
  }

  /** Posts a query image to `/lookup`. */
  lookUp(image: Uint8Array<ArrayBuffer>, type = "image/jpeg"): Promise<Answer> {
    const form = new FormData();
    form.append("image", new Blob([image], { type }), "query.jpg");
    return this.send("POST", "/lookup", { body: form });
  }
}

/** An account made for a test, and who calls with its token. */
export interface TestAccount {
  readonly accountId: string;
  readonly tokenId: string;
  readonly caller: Caller;
}

/** The deployment's operator. */
export function operatorOf({ baseUrl, adminToken }: Deployment): Caller {
  return new Caller(baseUrl, adminToken);
}

/** Makes an account with the settings given on top of generous grants, and a token of it. */
export async function newAccount(deployment: Deployment, settings: object = {}): Promise<TestAccount> {
  const operator = operatorOf(deployment);
  const body = { name: "conformance", registrations: 1000, lookups: 1000, ...settings };
  const created = await operator.json("POST", "/admin/accounts", body);
  const { accountId } = jsonOf<{ accountId: string }>(created, 201);
  const minted = await operator.json("POST", `/admin/accounts/${accountId}/tokens`, {});
  const { token, tokenId } = jsonOf<{ token: string; tokenId: string }>(minted, 201);
  return { accountId, tokenId, caller: new Caller(deployment.baseUrl, token) };
}
