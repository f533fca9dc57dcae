import { ColophonConnectionError, ColophonError, OperatorClient } from "@colophon/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_TOKEN, TestService } from "./support.ts";

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});

afterAll(async () => {
  await service[Symbol.asyncDispose]();
});

function operator(token = ADMIN_TOKEN): OperatorClient {
  return new OperatorClient({ baseUrl: service.baseUrl, token });
}

/** An operator whose every answer is this body, in these pieces, which breaks off after them unless told otherwise. */
function operatorReading(pieces: readonly string[], end: "whole" | "broken"): OperatorClient {
  const body = (): ReadableStream =>
    new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        if (end === "whole") controller.close();
      },
      pull: (controller) => controller.error(new Error("gone")),
    });
  const fetch = async (): Promise<Response> => new Response(body());
  return new OperatorClient({ baseUrl: service.baseUrl, token: ADMIN_TOKEN, fetch });
}

async function seqs(rows: AsyncIterable<{ readonly seq: number }>): Promise<number[]> {
  const found: number[] = [];
  for await (const { seq } of rows) found.push(seq);
  return found;
}

describe("a ledger's rows", () => {
  it("come one by one, however the network cuts them", async () => {
    const pieces = ['{"seq":1}\n{"s', 'eq":2', '}\n{"seq":3}\n'];
    expect(await seqs(operatorReading(pieces, "whole").custody("a"))).toEqual([1, 2, 3]);
  });

  it("of any length come in time that grows with it, a character at a time", async () => {
    const long = JSON.stringify({ seq: 1, note: "x".repeat(400_000) });
    const before = process.cpuUsage().user;
    expect(await seqs(operatorReading([...long.split(""), "\n"], "whole").custody("a"))).toEqual([1]);
    expect(process.cpuUsage().user - before).toBeLessThan(20_000_000);
  });

  it("never end short without a word: an answer that breaks off is an error", async () => {
    for (const pieces of [['{"seq":1}\n'], ['{"seq":1}\n{"seq"']]) {
      await expect(seqs(operatorReading(pieces, "broken").usage("a"))).rejects.toThrow(
        ColophonConnectionError,
      );
    }
    await expect(seqs(operatorReading(['{"seq":1}\n{"seq"'], "whole").usage("a"))).rejects.toThrow(
      ColophonConnectionError,
    );
  });

  it("of an account that is not there are a refusal", async () => {
    const nobody = "00000000-0000-4000-8000-000000000000";
    const error = await seqs(operator().custody(nobody)).catch((reason: unknown) => reason);
    expect(error instanceof ColophonError && error.is("accountNotFound")).toBe(true);
  });

  it("stop when the caller does", async () => {
    const ended = new AbortController();
    ended.abort(new Error("enough"));
    const { accountId } = await operator().createAccount();
    await expect(seqs(operator().custody(accountId, { signal: ended.signal }))).rejects.toThrow("enough");
  });
});

it("the operator's routes do not open under another token", async () => {
  const error = await operator(await service.token())
    .accounts()
    .catch((reason: unknown) => reason);
  expect(error instanceof ColophonError && error.is("unauthorized")).toBe(true);
});
