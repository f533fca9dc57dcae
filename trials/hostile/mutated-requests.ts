import type { Random } from "@colophon/testing/pictures.ts";
import { chance, flipped, pick, randomBytes } from "@colophon/testing/chance.ts";
import { pngOfSize } from "@colophon/testing/empty-png.ts";
import {
  BOUNDARY,
  type Draft,
  drawDraft,
  drawParts,
  type Material,
  type Part,
  setParts,
  wire,
  type WireRequest,
} from "./request-drafts.ts";

/** Draws one mutated request. */
export function hostileRequest(random: Random, material: Material): WireRequest {
  const draft = drawDraft(random, material);
  const mutation = pick(random, MUTATIONS);
  return mutation(random, draft, material);
}

type Mutation = (random: Random, draft: Draft, material: Material) => WireRequest;

function flipBody(random: Random, draft: Draft): WireRequest {
  draft.body = flipped(random, draft.body, 1 + Math.floor(random() * 20));
  return wire(draft, "body: bytes flipped");
}

function cutBody(random: Random, draft: Draft): WireRequest {
  draft.body = draft.body.subarray(0, Math.floor(random() * draft.body.length));
  return wire(draft, "body: cut short");
}

function spliceBody(random: Random, draft: Draft, material: Material): WireRequest {
  const at = Math.floor(random() * draft.body.length);
  const noise = chance(random, 0.5)
    ? randomBytes(random, Math.floor(random() * 5_000))
    : pick(random, material.pictures).bytes;
  draft.body = Buffer.concat([draft.body.subarray(0, at), noise, draft.body.subarray(at)]);
  return wire(draft, "body: bytes spliced in");
}

function stopMidBody(random: Random, draft: Draft): WireRequest {
  const whole = wire(draft, "body: connection ends in it");
  const cut = Math.max(1, Math.floor(random() * whole.bytes.length));
  return { ...whole, bytes: whole.bytes.subarray(0, cut), framed: false };
}

function oddJson(random: Random, draft: Draft): WireRequest {
  const texts: Buffer[] = [
    Buffer.from("[".repeat(200_000)),
    Buffer.from(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
    Buffer.from('{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}'),
    Buffer.from('{"originalImageHashes":{"length":1e9}}'),
    Buffer.from('{"originalImageHashes":[null,1,{},[],true,"\\ud800"]}'),
    Buffer.from(JSON.stringify({ originalImageHashes: Array.from({ length: 1_001 }, () => "a".repeat(64)) })),
    Buffer.from('{"registrations":1e400,"lookups":-0,"name":"\\u0000"}'),
    Buffer.from('{"registrations":9007199254740993}'),
    Buffer.from('{"name":1,"name":"twice"}'),
    Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
    Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from("null"),
    Buffer.from('"{}"'),
    Buffer.alloc(0),
    Buffer.from(`{"label":"${"x".repeat(1_000_000)}"}`),
    Buffer.from('{"label":"\\u0000\\ud83d"}'),
  ];
  draft.body = pick(random, texts);
  draft.headers = draft.headers.filter(([name]) => name !== "Content-Type");
  draft.headers.push([
    "Content-Type",
    pick(random, ["application/json", "application/json; charset=utf-16", "text/plain"]),
  ]);
  return wire(draft, "JSON: odd document");
}

function oddImage(random: Random, draft: Draft, material: Material): WireRequest {
  const { type, bytes } = pick(random, material.pictures);
  const images: [string, Buffer][] = [
    ["bomb", pngOfSize(60_000, 60_000)],
    ["wide bomb", pngOfSize(2_147_483_647, 1)],
    ["no pixels", pngOfSize(0, 0)],
    ["bytes flipped", flipped(random, bytes, 1 + Math.floor(random() * 60))],
    ["cut short", bytes.subarray(0, Math.floor(random() * bytes.length))],
    ["header only", bytes.subarray(0, 24)],
    ["polyglot", Buffer.concat([bytes, Buffer.from("PK\u0003\u0004<html><script>")])],
    ["doubled", Buffer.concat([bytes, bytes])],
    ["svg", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>')],
    ["gif", Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")],
    ["pdf", Buffer.from("%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>")],
    ["noise", randomBytes(random, 1 + Math.floor(random() * 20_000))],
    ["empty", Buffer.alloc(0)],
  ];
  const [what, image] = pick(random, images);
  const declared = pick(random, [
    type,
    type,
    "image/png",
    "image/webp",
    "image/gif",
    "text/html",
    "IMAGE/JPEG; q=1",
  ]);
  setParts(draft, [
    {
      headers: ['Content-Disposition: form-data; name="image"; filename="x"', `Content-Type: ${declared}`],
      bytes: image,
    },
  ]);
  return wire(draft, `image: ${what}`);
}

function oddParts(random: Random, draft: Draft, material: Material): WireRequest {
  const parts = drawParts(random, material, true);
  const [first] = parts;
  if (first === undefined) return wire(draft, "parts: unchanged");
  const small = Buffer.from("{}");
  const variants: (() => Part[])[] = [
    () => parts.toReversed(),
    () => [...parts, ...parts],
    () => Array.from({ length: 5_000 }, () => manifest("manifest[a]", "application/json", small)),
    () => [
      { headers: [`Content-Disposition: form-data; name="${"n".repeat(100_000)}"`], bytes: small },
      ...parts,
    ],
    () => [{ headers: Array.from({ length: 3_000 }, (_, at) => `X-${at}: 1`), bytes: small }, ...parts],
    () => [{ headers: [], bytes: small }, ...parts],
    () => [{ headers: ["Content-Disposition: form-data"], bytes: small }, ...parts],
    () => [{ headers: ["Content-Disposition: attachment; filename=../../x"], bytes: small }, ...parts],
    () => [{ ...first, headers: [...first.headers, "Content-Transfer-Encoding: base64"] }, ...parts.slice(1)],
    () => [manifest("manifest[__proto__]", "application/json", small), ...parts],
    () => [manifest(`manifest[${"k".repeat(65)}]`, "application/json", small), ...parts],
    () => [manifest("manifest[]", "application/json", small), ...parts],
    () => [manifest("manifest[\u0000]", "application/json", small), ...parts],
    () => [
      manifest("manifest[a]", "application/jumbf", Buffer.from([0, 0, 0, 8, 0x6a, 0x75, 0x6d, 0x62])),
      ...parts,
    ],
    () => [manifest("manifest[a]", "application/jumbf", randomBytes(random, 64)), ...parts],
    () => [manifest("manifest[a]", "application/json", Buffer.from("[".repeat(100_000))), ...parts],
    () => [manifest("manifest[a]", "application/json", Buffer.alloc(1_100_000, 0x20)), ...parts],
    () => [manifest("image", "image/jpeg", small)],
    () => [],
  ];
  setParts(draft, pick(random, variants)());
  return wire(draft, "parts: odd set");
}

function oddMultipart(random: Random, draft: Draft, material: Material): WireRequest {
  const boundary = pick(random, [
    BOUNDARY,
    "",
    "a".repeat(71),
    "a".repeat(5_000),
    'quo"ted',
    "sp ace",
    "\t",
    "--",
  ]);
  setParts(draft, drawParts(random, material, true), boundary);
  const text = pick(random, ["keep", "lf", "noEnd", "preamble", "nested"]);
  if (text === "lf") {
    draft.body = Buffer.from(draft.body.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
  }
  if (text === "noEnd") draft.body = draft.body.subarray(0, draft.body.length - boundary.length - 6);
  if (text === "preamble") draft.body = Buffer.concat([randomBytes(random, 3_000), draft.body, draft.body]);
  if (text === "nested") draft.body = Buffer.concat([draft.body.subarray(0, 60), draft.body, draft.body]);
  return wire(draft, `multipart: ${text}`);
}

function oddHeaders(random: Random, draft: Draft): WireRequest {
  const extra: [string, string][][] = [
    [["Authorization", "Bearer"]],
    [["Authorization", "Basic YTpi"]],
    [["Authorization", `Bearer ${"x".repeat(8_000)}`]],
    [["Content-Type", "multipart/form-data"]],
    [["Content-Type", "multipart/form-data; boundary"]],
    [["Content-Type", "application/x-www-form-urlencoded"]],
    [["Content-Type", "\u00ff\u00fe"]],
    [["Accept", "application/xml"]],
    [["Accept-Encoding", "gzip;q=bad"]],
    [["Content-Encoding", "gzip"]],
    [["Expect", "100-continue"]],
    [["Expect", "200-maybe"]],
    [["X-Sequence-Ticket", "\u0080"]],
    [["traceparent", "00-zzzz-zz-00"]],
    [
      ["Connection", "upgrade"],
      ["Upgrade", "websocket"],
    ],
    [["X-Forwarded-For", "' or 1=1 --"]],
    [["Range", "bytes=0-0,5-"]],
    [["If-None-Match", "*"]],
  ];
  const added = pick(random, extra);
  const names = new Set(added.map(([name]) => name));
  draft.headers = [...draft.headers.filter(([name]) => !names.has(name)), ...added];
  return wire(draft, `header: ${added[0]?.[0] ?? ""}`);
}

function brokenFraming(random: Random, draft: Draft): WireRequest {
  const { length } = draft.body;
  const framings: [string, string][][] = [
    [["Content-Length", String(length + 100)]],
    [["Content-Length", String(Math.max(0, length - 100))]],
    [["Content-Length", "-1"]],
    [["Content-Length", "99999999999999999999"]],
    [
      ["Content-Length", "1"],
      ["Content-Length", "2"],
    ],
    [
      ["Content-Length", String(length)],
      ["Transfer-Encoding", "chunked"],
    ],
    [["Transfer-Encoding", "chunked"]],
    [["Transfer-Encoding", "gzip, chunked"]],
    [["X-Null", "a\u0000b"]],
    [["X Space", "1"]],
    [["X-Long", "y".repeat(200_000)]],
    Array.from({ length: 3_000 }, (_, at): [string, string] => [`X-${at}`, "1"]),
    [
      ["Host", "a"],
      ["Host", "b"],
    ],
  ];
  const headers = [...draft.headers, ...pick(random, framings)].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = Buffer.from(`${draft.method} ${draft.target} HTTP/1.1\r\n${headers.join("")}\r\n`, "latin1");
  return { bytes: Buffer.concat([head, draft.body]), route: null, framed: false, label: "framing: broken" };
}

function oddRequestLine(random: Random, draft: Draft): WireRequest {
  const lines: (() => void)[] = [
    () => (draft.method = pick(random, ["PUT", "TRACE", "OPTIONS", "HEAD", "PROPFIND", "DELETE", "PATCH"])),
    () => (draft.target += pick(random, ["?a=b", "?topK=5", "?%", "#x", "/", "/../..", "//", ";v=1"])),
    () => (draft.target = `/${"a".repeat(9_000)}`),
    () => (draft.target = `/records/${pick(random, ["%00", "%", "%zz", "..%2f..", "A".repeat(64), "é"])}`),
    () => (draft.target = `/registrations/${pick(random, ["%27", "null", "0", "🙂", "a".repeat(300)])}`),
    () => (draft.target = `/admin/accounts/${pick(random, ["x", "%20", "../accounts", "a'--"])}`),
    () => (draft.target = "*"),
    () => (draft.target = `http://elsewhere${draft.target}`),
    () => (draft.target = draft.target.toUpperCase()),
  ];
  pick(random, lines)();
  return wire(draft, "request line: odd", { route: null, framed: false });
}

/** Some id, name or number that an address holds, or a word of its route, becomes something that cannot be one. */
function oddSegment(random: Random, draft: Draft): WireRequest {
  const odd = [
    "%00",
    "a%00b",
    "%0A",
    "%EF%BF%BF",
    "%F0%9F%92%A9",
    "-1",
    "9".repeat(40),
    "__proto__",
    "a".repeat(4_608),
  ];
  const segments = draft.target.split("/");
  segments[1 + Math.floor(random() * (segments.length - 1))] = pick(random, odd);
  draft.target = segments.join("/");
  return wire(draft, "address: odd segment", { route: null });
}

function noHttp(random: Random, draft: Draft): WireRequest {
  const starts = [
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    Buffer.from("GET /health\r\n\r\n"),
    Buffer.from(`${draft.method} ${draft.target} HTTP/9.9\r\nHost: a\r\n\r\n`, "latin1"),
    Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]),
    randomBytes(random, 500),
    flipped(random, wire(draft, "").bytes, 5 + Math.floor(random() * 40)),
    Buffer.from("\r\n\r\n\r\n"),
  ];
  return { bytes: pick(random, starts), route: null, framed: false, label: "no HTTP" };
}

const MUTATIONS: readonly Mutation[] = [
  flipBody,
  cutBody,
  spliceBody,
  stopMidBody,
  oddJson,
  oddImage,
  oddImage,
  oddParts,
  oddMultipart,
  oddHeaders,
  brokenFraming,
  oddRequestLine,
  oddSegment,
  noHttp,
];

function manifest(name: string, type: string, bytes: Buffer): Part {
  return { headers: [`Content-Disposition: form-data; name="${name}"`, `Content-Type: ${type}`], bytes };
}
