import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type NamedRoute, type OperationId, Refusal, ROUTES, refuse, routeOf } from "@colophon/contract";
import { type FastifyInstance, fastify } from "fastify";
import type { Logger } from "pino";
import type { Config } from "../config/environment.ts";
import { databaseFault } from "../store/database-fault.ts";
import type { Database } from "../store/database.ts";
import type { Answer } from "./answer.ts";
import { authenticateAccount, authenticateOperator } from "./authentication.ts";
import { ClientGone, discardBody, eraseOnceParsed } from "./body.ts";
import type { AccountHandlers, Call, OpenHandlers } from "./call.ts";
import { admitOrigin } from "./cross-origin.ts";
import { type Page, PAGE_METHODS, sendPage } from "./page.ts";
import { refuseUnreadable, sendRefusal, sendUnread } from "./problem-answer.ts";
import type { ReadBuffer } from "./read-buffer.ts";
import { methodsAt, routerPath } from "./routing.ts";
import { newTraceId, traceIdOf } from "./trace-id.ts";

/** Seconds after which a request that found the database away is told to come again. */
const DATABASE_RETRY_SECONDS = 2;
/** Bytes of a body nobody asked for that are read and dropped, so that the connection can be used again. */
const UNASKED_BODY_LIMIT = 1_048_576;
const UNASKED_BODY_MS = 5_000;

const JSON_HEADERS = { "content-type": "application/json; charset=utf-8" } as const;

/** What the HTTP edge is made of. */
export interface EdgeParts {
  readonly config: Config;
  readonly database: Database;
  readonly adminToken: string;
  readonly log: Logger;
  readonly readBuffer: ReadBuffer;
  readonly accountHandlers: AccountHandlers;
  readonly operatorHandlers: OpenHandlers;
  readonly openHandlers: OpenHandlers;
  readonly pages: readonly Page[];
}

/**
 * The HTTP server: the contract's routes, authenticated as each says, their refusals as problems (RFC 9457). Bodies
 * are left to the handlers, which read them as streams.
 */
export function buildServer(parts: EdgeParts): FastifyInstance {
  const app = fastify({
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: traceIdOf,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: 0,
    routerOptions: { maxParamLength: 4096, caseSensitive: true },
    clientErrorHandler: (_error, socket) => refuseUnreadable(socket, newTraceId()),
    frameworkErrors: (_error, request, reply) => {
      void reply.hijack();
      void edge.refuse(request.raw, reply.raw, refuse("notFound"), request.id);
    },
  });
  const edge = new Edge(parts);
  app.addHook("preClose", async () => edge.close());
  app.server.on("connection", eraseOnceParsed);
  app.addHook("onRequest", async (request, reply) => {
    if (admitOrigin(request.raw, reply.raw, parts.config.allowedOrigins)) void reply.hijack();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  for (const route of ROUTES) {
    const handler = handlerOf(parts, route);
    if (!handler) continue;
    app.route({
      method: route.method,
      url: routerPath(route),
      // Before the framework looks at the Content-Type: what an odd one means is the route's to say.
      onRequest: async (request, reply) => {
        void reply.hijack();
        const call = { request: request.raw, params: request.params as Record<string, string> };
        await edge.answer(call, reply.raw, request.id, handler, route);
      },
      handler: () => {},
    });
  }
  for (const page of parts.pages) {
    app.route({
      method: [...PAGE_METHODS],
      url: page.path,
      onRequest: async (request, reply) => {
        void reply.hijack();
        await edge.page(request.raw, reply.raw, page);
      },
      handler: () => {},
    });
  }
  // An expectation that nobody knows is none of ours to refuse: the request is answered as any other.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.setNotFoundHandler((request, reply) => {
    void reply.hijack();
    void edge.miss(request.raw, reply.raw, request.id);
  });
  app.setErrorHandler((error, request, reply) => {
    void reply.hijack();
    void edge.refuse(request.raw, reply.raw, edge.refusalOf(error, null, request.id), request.id);
  });
  return app;
}

type Handler = (call: Call) => Promise<Answer>;

/** The handler of a route behind the authentication it asks for; undefined where this build has none. */
function handlerOf(parts: EdgeParts, route: NamedRoute): Handler | undefined {
  const id: OperationId = route.operationId;
  if (route.auth === "none") return parts.openHandlers[id];
  if (route.auth === "admin") {
    const handler = parts.operatorHandlers[id];
    return (
      handler &&
      ((call) => {
        authenticateOperator(parts.adminToken, call.request);
        return handler(call);
      })
    );
  }
  const handler = parts.accountHandlers[id];
  return (
    handler &&
    (async (call) => handler({ ...call, account: await authenticateAccount(parts.database, call.request) }))
  );
}

class Edge {
  readonly #parts: EdgeParts;
  #closing = false;

  constructor(parts: EdgeParts) {
    this.#parts = parts;
  }

  /** From now on every answer ends its connection: one kept alive would keep the process alive. */
  close(): void {
    this.#closing = true;
  }

  async answer(
    call: Call,
    response: ServerResponse,
    traceId: string,
    handler: Handler,
    route: NamedRoute,
  ): Promise<void> {
    const { request } = call;
    try {
      const answer = await this.#erasing(route, handler(call));
      if (answer.kind === "last") {
        const { body } = answer;
        const limit = this.#parts.config.maxRequestBytes;
        await sendUnread(request, response, { status: 200, headers: JSON_HEADERS, body }, limit);
        return;
      }
      await discardBody(request, UNASKED_BODY_LIMIT, UNASKED_BODY_MS);
      if (this.#closing || !request.complete) response.setHeader("connection", "close");
      await send(response, answer, route);
    } catch (error) {
      if (error instanceof ClientGone || response.headersSent) {
        if (!(error instanceof ClientGone)) this.#report(error, traceId);
        response.destroy();
        return;
      }
      await this.refuse(request, response, this.refusalOf(error, route, traceId), traceId);
    }
  }

  /** Whatever becomes of a request that may carry pixels, none are left where sockets are read. */
  async #erasing<T>(route: NamedRoute, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      if (route.body?.kind === "multipart") await this.#parts.readBuffer.erase();
    }
  }

  /** A page, whatever the request carries. */
  async page(request: IncomingMessage, response: ServerResponse, page: Page): Promise<void> {
    await discardBody(request, UNASKED_BODY_LIMIT, UNASKED_BODY_MS);
    if (this.#closing || !request.complete) response.setHeader("connection", "close");
    sendPage(request, response, page);
  }

  /** An address that no route answers, or not with this method. */
  async miss(request: IncomingMessage, response: ServerResponse, traceId: string): Promise<void> {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const methods = this.#parts.pages.some((page) => page.path === path) ? PAGE_METHODS : methodsAt(path);
    if (methods.length > 0) response.setHeader("allow", methods.join(", "));
    await this.refuse(
      request,
      response,
      refuse(methods.length > 0 ? "methodNotAllowed" : "notFound"),
      traceId,
    );
  }

  async refuse(
    request: IncomingMessage,
    response: ServerResponse,
    refusal: Refusal,
    traceId: string,
  ): Promise<void> {
    if (this.#closing) response.setHeader("connection", "close");
    try {
      await sendRefusal(request, response, refusal, traceId, this.#parts.config.maxRequestBytes);
    } catch (error) {
      this.#report(error, traceId);
      response.destroy();
    }
  }

  /** The refusal an error becomes; an error that is none is reported, and says nothing to the caller. */
  refusalOf(error: unknown, route: NamedRoute | null, traceId: string): Refusal {
    if (error instanceof Refusal) {
      if (error.cause !== undefined) this.#report(error.cause, traceId);
      return error;
    }
    this.#report(error, traceId);
    // Without its database the engine cannot answer yet, and nothing was charged that the sweep does not settle.
    return route?.refusals.includes("imageCouldNotBeCheckedYet") && databaseFault(error) === "away"
      ? refuse("imageCouldNotBeCheckedYet", { retryAfterSeconds: DATABASE_RETRY_SECONDS })
      : refuse("unexpectedError");
  }

  /** Logs what failed and where, never a value: messages of the database may quote one. */
  #report(error: unknown, traceId: string): void {
    const fault = databaseFault(error);
    const err = error instanceof Error ? error : new Error("A value that is no error was thrown.");
    const details = fault
      ? { fault, code: (err as { code?: string }).code, at: err.stack?.split("\n").slice(1) }
      : { err };
    this.#parts.log.error({ traceId, ...details }, "request failed");
  }
}

async function send(
  response: ServerResponse,
  answer: Exclude<Answer, { kind: "last" }>,
  route: NamedRoute,
): Promise<void> {
  if (route.operationId === routeOf("getOpenApi").operationId) {
    response.setHeader("access-control-allow-origin", "*");
  }
  switch (answer.kind) {
    case "none":
      response.writeHead(204).end();
      return;
    case "json":
      if (answer.location !== undefined) response.setHeader("location", answer.location);
      sendBytes(response, answer.status, Buffer.from(JSON.stringify(answer.body)));
      return;
    case "jsonBytes":
      sendBytes(response, 200, answer.body);
      return;
    case "lines":
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      await new Promise<void>((resolve, reject) => {
        const lines = Readable.from(ndjson(answer.rows)).on("error", reject);
        lines.pipe(response).on("finish", resolve).on("close", resolve);
      });
      return;
    default:
      answer satisfies never;
  }
}

function sendBytes(response: ServerResponse, status: number, body: Buffer): void {
  response.writeHead(status, { ...JSON_HEADERS, "content-length": body.length }).end(body);
}

async function* ndjson(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
