import type { ServerResponse } from "node:http";
import { type NamedRoute, Refusal, refuse } from "@colophon/contract";
import type { Config } from "../config/environment.ts";
import type { BodyBudget } from "../custody/body-budget.ts";
import { ClientGone } from "../registry/client-gone.ts";
import { databaseFault, isPassing } from "../store/database-fault.ts";
import { onBehalfOf } from "../store/fair-pool.ts";
import type { TokenResolver } from "../store/accounts/token-resolver.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type Answer, isLarge, type Printed, printed } from "./answers/answer.ts";
import type { AnonymousCallers } from "./anonymous/anonymous-callers.ts";
import { type AccountAuthentication, authenticateAccount, authenticateOperator } from "./authentication.ts";
import { Body } from "./body/body.ts";
import { type DiscardBounds, discardUnasked } from "./body/discard.ts";
import type { Exchange } from "./body/exchange.ts";
import type { BodyPace } from "./body/patience.ts";
import type { ReadBuffer } from "./body/read-buffer.ts";
import type { AccountHandlers, Call, OpenHandlers, OperatorHandlers } from "./call.ts";
import { admitOrigin } from "./cross-origin.ts";
import type { FaultLog } from "./fault-log.ts";
import type { GatheredRequest } from "./pace/gathered-request.ts";
import type { KnownCallers } from "./pace/known-callers.ts";
import type { LoopPace } from "./pace/loop-pace.ts";
import { RequestPace } from "./pace/request-pace.ts";
import { homeOf } from "./pages/home.ts";
import { type Page, sendPage } from "./pages/page.ts";
import { sendRefusal, sendUnread } from "./answers/problem-answer.ts";
import type { RequestLog } from "./request-log.ts";
import type { Router } from "./router.ts";
import { JSON_HEADERS, sendAnswer } from "./answers/send-answer.ts";
import { traceIdOf } from "./trace-id.ts";

/** Seconds after which a request that found the database away, or the disk full, is told to come again. */
const DATABASE_RETRY_SECONDS = 2;
/** A client that takes nothing of its answer for so long is given up on. */
const UNREAD_ANSWER_MS = 60_000;

/** What answers requests. */
export interface EdgeParts {
  readonly config: Config;
  readonly router: Router;
  readonly authentication: AccountAuthentication;
  readonly anonymous: AnonymousCallers;
  readonly operatorTokens: TokenResolver<true>;
  readonly bodies: BodyBudget;
  readonly loop: LoopPace;
  readonly callers: KnownCallers;
  readonly readBuffer: ReadBuffer;
  readonly faults: FaultLog;
  readonly requests: RequestLog;
  readonly metrics: Pick<Metrics, "refused">;
  readonly accountHandlers: AccountHandlers;
  readonly operatorHandlers: OperatorHandlers;
  readonly openHandlers: OpenHandlers;
}

/** Answers requests: finds their route, asks for the token it needs, and sends what its handler answers or refuses. */
export class Edge {
  readonly #parts: EdgeParts;
  #closing = false;

  constructor(parts: EdgeParts) {
    this.#parts = parts;
  }

  /** From now on every answer ends its connection: one kept alive would keep the process alive. */
  close(): void {
    this.#closing = true;
    this.#parts.loop.close();
  }

  /** Answers a request. Never rejects. */
  async answer(request: GatheredRequest, response: ServerResponse): Promise<void> {
    const traceId = traceIdOf(request);
    response.setTimeout(0);
    const { router, config, faults, requests, loop, callers } = this.#parts;
    const exchange = { request, response, pace: new RequestPace(loop, callers, request) };
    try {
      requests.open({ request, response, route: router.templateAt(request.url ?? ""), traceId });
      await exchange.pace.begin();
      if (request.socket.destroyed) return;
      if (admitOrigin(request, response, config.allowedOrigins, router)) return;
      const target = router.find(request.method ?? "", request.url ?? "");
      if (request.httpVersion === "1.1" && hostsIn(request) !== 1) {
        await this.#refuse(exchange, refuse("malformedRequest", "unreadableRequest"), traceId);
      } else if (target === null) {
        await this.#miss(exchange, traceId);
      } else if (target.kind === "page") {
        await this.#page(exchange, target.page);
      } else {
        await this.#route(exchange, target, traceId);
      }
    } catch (error) {
      faults.report(error, traceId);
      response.destroy();
    }
  }

  async #route(
    exchange: Exchange,
    { route, params }: { readonly route: NamedRoute; readonly params: Call["params"] },
    traceId: string,
  ): Promise<void> {
    const { response } = exchange;
    // What an answer holds is given back once its client has taken it.
    using held = new DisposableStack();
    try {
      const answer = await this.#erasing(route, this.#handle(exchange, params, route, held));
      response.setTimeout(UNREAD_ANSWER_MS);
      if (answer.kind === "last") {
        const { body } = answer;
        // What its client still sends may take minutes.
        held.dispose();
        response.setHeader("connection", "close");
        await sendUnread(exchange, { status: 200, headers: JSON_HEADERS, body }, this.#rest);
        return;
      }
      await discardUnasked(exchange);
      this.#endIfLast(exchange);
      await sendAnswer(exchange, answer, route);
    } catch (error) {
      held.dispose();
      if (error instanceof ClientGone && error.mayListen) {
        await this.#refuse(exchange, refuse("malformedRequest", "unreadableRequest"), traceId);
        return;
      }
      if (error instanceof ClientGone || response.headersSent) {
        if (!(error instanceof ClientGone)) this.#parts.faults.report(error, traceId);
        response.destroy();
        return;
      }
      await this.#refuse(exchange, this.#refusalOf(error, route, traceId), traceId);
    }
  }

  /** Has the route's handler answer, once the caller has shown the token that the route needs, or may do without. */
  async #handle(
    exchange: Exchange,
    params: Call["params"],
    route: NamedRoute,
    held: DisposableStack,
  ): Promise<Printed> {
    const {
      accountHandlers,
      operatorHandlers,
      openHandlers,
      operatorTokens,
      authentication,
      anonymous,
      bodies,
    } = this.#parts;
    const { request, pace } = exchange;
    const call = { request, params };
    const patience = this.#patience;
    const holding = async (holder: string, work: (body: Body) => Promise<Answer>): Promise<Printed> => {
      const hold = held.use(bodies.open(holder));
      const answer = printed(await work(new Body(exchange, { hold, patience })));
      // What has been changed is answered, no matter who else is being answered.
      if (request.method === "GET" && isLarge(answer)) hold.take(answer.body.length);
      return answer;
    };
    switch (route.auth) {
      case "none":
        return holding(route.auth, (body) => openHandlers[route.operationId]({ ...call, body }));
      case "admin":
        await authenticateOperator(operatorTokens, request);
        pace.isOf(route.auth);
        pace.isHandled(route);
        return holding(route.auth, (body) => operatorHandlers[route.operationId]({ ...call, body }));
      case "account": {
        const { account, slots } =
          anonymous.admit(route, request) ?? (await authenticateAccount(authentication, request));
        if (request.headers.authorization !== undefined) pace.isOf(account.accountId);
        pace.isHandled(route);
        const handler = accountHandlers[route.operationId];
        return onBehalfOf(account.accountId, () =>
          holding(account.accountId, (body) => handler({ ...call, body, account, slots })),
        );
      }
      default:
        return route satisfies never;
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
  async #page(exchange: Exchange, page: Page): Promise<void> {
    const { request, response } = exchange;
    response.setTimeout(UNREAD_ANSWER_MS);
    await discardUnasked(exchange);
    this.#endIfLast(exchange);
    await sendPage(request, response, page);
  }

  /** An address that no route answers, or not with this method; a browser at the root is led to the console. */
  async #miss(exchange: Exchange, traceId: string): Promise<void> {
    const { request, response } = exchange;
    const home = this.#parts.config.console ? homeOf(request) : null;
    if (home !== null) return this.#page(exchange, home);
    const methods = this.#parts.router.methodsAt(request.url ?? "");
    if (methods.length > 0) response.setHeader("allow", methods.join(", "));
    const refusal = refuse(methods.length > 0 ? "methodNotAllowed" : "notFound");
    await this.#refuse(exchange, refusal, traceId);
  }

  async #refuse(exchange: Exchange, refusal: Refusal, traceId: string): Promise<void> {
    const { response } = exchange;
    this.#parts.metrics.refused(refusal.code);
    response.setTimeout(UNREAD_ANSWER_MS);
    if (this.#closing) response.setHeader("connection", "close");
    await sendRefusal(exchange, refusal, traceId, this.#rest);
  }

  /** How slowly a body may come. */
  get #patience(): BodyPace {
    return { silenceMs: this.#parts.config.bodySilenceSeconds * 1000 };
  }

  /** What is read of a body once its request has been answered. */
  get #rest(): DiscardBounds {
    return { bytes: this.#parts.config.maxRequestBytes, ...this.#patience };
  }

  #endIfLast({ request, response }: Exchange): void {
    if (this.#closing || !request.complete) response.setHeader("connection", "close");
  }

  /** The refusal an error becomes; any other error is reported, and the caller learns nothing of it. */
  #refusalOf(error: unknown, route: NamedRoute, traceId: string): Refusal {
    const { faults } = this.#parts;
    if (error instanceof Refusal) {
      if (error.cause !== undefined) faults.report(error.cause, traceId);
      if (error.code !== "serviceUnavailable") return error;
      return unavailable(route, Number(error.extensions["retryAfterSeconds"]));
    }
    faults.report(error, traceId);
    const retryAfterSeconds = DATABASE_RETRY_SECONDS;
    // The one sentence of the two that says nothing of what was done.
    if (databaseFault(error) === "lost") return refuse("serviceUnavailable", { retryAfterSeconds });
    // Nothing was charged that the sweep does not settle.
    return isPassing(error) ? unavailable(route, retryAfterSeconds) : refuse("unexpectedError");
  }
}

/** The refusal for a request that the service cannot work now, in the words that its route has for it. */
function unavailable({ refusals }: NamedRoute, retryAfterSeconds: number): Refusal {
  return refuse(
    refusals.includes("imageCouldNotBeCheckedYet") ? "imageCouldNotBeCheckedYet" : "serviceUnavailable",
    { retryAfterSeconds },
  );
}

/** How many Host fields a request has; RFC 9112 section 3.2 wants one. */
function hostsIn({ rawHeaders }: GatheredRequest): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
}
