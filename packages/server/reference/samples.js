/** The manifests of the calls below: the picture is reserved from training. */
const MANIFESTS = `const manifests = [{
  kind: "cawg.training-mining",
  json: { entries: { "cawg.ai_generative_training": { use: "notAllowed" } } },
}];`;

/**
 * How the client library makes the calls that it has a method for. `client` is a ColophonClient, `operator` an OperatorClient, `image` a Blob or
 * a File.
 */
const CLIENT_CALLS = {
  createRegistration: `${MANIFESTS}
const { id, originalImageHash } = await client.register(image, { manifests });`,
  deleteRegistration: "await client.takeDown(registrationId);",
  openSlot: "const { slotId } = await client.slots.open();",
  getSlot: "const slot = await client.slots.get(slotId);",
  abandonSlot: "await client.slots.abandon(slotId);",
  uploadToSlot: `${MANIFESTS}
const outcomes = await client.slots.upload(slotId, [{ image, manifests }]);`,
  missingFromSlot: "const missing = await client.slots.missing(slotId, hashes);",
  getSlotManifest: "const entries = await client.slots.entries(slotId);",
  replaceEntryManifests: `${MANIFESTS}
await client.slots.replaceManifests(slotId, imageHash, manifests);`,
  removeEntry: "await client.slots.remove(slotId, imageHash);",
  commitSlot: "const { entries } = await client.slots.commit(slotId);",
  getSlotProgress: "const { status, counts } = await client.slots.progress(slotId);",
  lookUp: "const { matched, matchedOriginalImageHashes } = await client.lookUp(image);",
  openLookupSlot: "const { lookupSlotId } = await client.lookupSlots.open();",
  abandonLookupSlot: "await client.lookupSlots.abandon(lookupSlotId);",
  uploadQueries: "const outcomes = await client.lookupSlots.upload(lookupSlotId, [image]);",
  missingFromLookupSlot: "const missing = await client.lookupSlots.missing(lookupSlotId, hashes);",
  getLookupSlotManifest: "const entries = await client.lookupSlots.entries(lookupSlotId);",
  removeQuery: "await client.lookupSlots.remove(lookupSlotId, imageHash);",
  commitLookupSlot: "const queries = await client.lookupSlots.commit(lookupSlotId);",
  getLookupSlotProgress: "const { status, counts } = await client.lookupSlots.progress(lookupSlotId);",
  getLookupSlotResults: "const queries = await client.lookupSlots.results(lookupSlotId);",
  getRecord: "const record = await client.record(originalImageHash);",
  getRecords: "const records = await client.records(originalImageHashes);",
  getAccountStats: "const { registrations, lookups } = await client.stats();",
  openSequence: `${MANIFESTS}
const sequence = await client.sequences.open({ expectedSize: 240, manifests });`,
  admitFrames: "const admitted = await client.sequences.admit(sequence, frames);",
  removeFrame: "await client.sequences.removeFrame(sequence, frameId);",
  commitSequence: "const { sequenceHash } = await client.sequences.commit(sequence);",
  getSequenceGaps: "const gaps = await client.sequences.gaps(sequence);",
  getSequenceProgress: "const { state } = await client.sequences.progress(sequence);",
  getSequenceResults: "const { sequenceHash, committedAt } = await client.sequences.results(sequence);",
  setExpectedSize: "await client.sequences.setExpectedSize(sequence, 240);",
  abandonSequence: "await client.sequences.abandon(sequence);",
  inspect: "const { matches } = await client.inspect(image);",
  listRegistrations: "const { registrations, next } = await client.library.registrations();",
  getLibraryRegistration: "const registration = await client.library.registration(registrationId);",
  listSlots: "const slots = await client.library.slots();",
  listLookupSlots: "const slots = await client.library.lookupSlots();",
  listSequences: "const sequences = await client.library.sequences();",
  getLogProof: "const proof = await client.logProof(originalImageHash);",
  setOriginalAside: "await operator.setOriginalAside(originalImageHash, reason);",
  reinstateOriginal: "await operator.reinstateOriginal(originalImageHash, reason);",
  takeDownOriginal: "await operator.takeDownOriginal(originalImageHash, reason);",
  takeDownAccount: "await operator.takeDownAccount(accountId, reason);",
  getSuspension: "const { suspendedAt } = await operator.suspension(accountId);",
  listSuspensions: "const { suspensions } = await operator.suspensions();",
  suspendAccount: "await operator.suspendAccount(accountId, reason);",
  resumeAccount: "await operator.resumeAccount(accountId, reason);",
  exportOperations: "for await (const row of operator.operations(accountId)) console.log(row);",
  listTokenExpiries: "const { tokens } = await operator.tokenExpiries(accountId);",
  setTokenExpiry: "await operator.setTokenExpiry(accountId, tokenId, expiresAt);",
  createAccount: `const { accountId } = await operator.createAccount({
  name: "Harbour Press",
  registrations: 1000,
  lookups: 5000,
});`,
  listAccounts: "const { accounts } = await operator.accounts();",
  getAccount: "const account = await operator.account(accountId);",
  updateAccount: "await operator.updateAccount(accountId, { lookups: 9000 });",
  mintToken: 'const { token } = await operator.mintToken(accountId, { label: "newsroom" });',
  listTokens: "const { tokens } = await operator.tokens(accountId);",
  revokeToken: "await operator.revokeToken(accountId, tokenId);",
  exportCustody: "for await (const row of operator.custody(accountId)) console.log(row);",
  exportUsage: "for await (const row of operator.usage(accountId)) console.log(row);",
  getTrustRoot: "const { certificate } = await operator.trustRoot();",
};

/** Variables of the shell that hold the tokens. */
const TOKEN_OF = { accountToken: "TOKEN", adminToken: "ADMIN_TOKEN" };

/** The document with, at each operation, its call in a shell and with the client library. */
export function withSamples(document) {
  const paths = Object.entries(document.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [
        method,
        { ...operation, "x-codeSamples": samplesOf(method.toUpperCase(), path, operation, document) },
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) };
}

function samplesOf(method, path, operation, document) {
  const curl = { lang: "Shell", label: "curl", source: curlOf(method, path, operation, document) };
  const call = CLIENT_CALLS[operation.operationId];
  return call === undefined ? [curl] : [curl, { lang: "TypeScript", label: "TypeScript", source: call }];
}

/** The call as a line of the shell; what the caller has to fill in are its variables. */
function curlOf(method, path, { security, parameters = [], requestBody }, { components }) {
  const query = parameters.filter((parameter) => parameter.in === "query" && parameter.required === true);
  const asked = query.map(({ name, example }) => `${name}=${encodeURIComponent(example)}`).join("&");
  const address =
    path.replaceAll(/\{(\w+)\}/g, (_, name) => `$${shouted(name)}`) + (asked === "" ? "" : `?${asked}`);
  const needed = Object.keys(security[0] ?? {});
  const parts = [`curl${method === "GET" ? "" : ` -X ${method}`} "$URL${address}"`];
  for (const [scheme, variable] of Object.entries(TOKEN_OF)) {
    if (needed.includes(scheme)) parts.push(`-H "Authorization: Bearer $${variable}"`);
  }
  if (needed.includes("sequenceTicket")) parts.push('-H "X-Sequence-Ticket: $TICKET"');
  const [body] = Object.entries(requestBody?.content ?? {});
  if (body !== undefined) parts.push(...bodyParts(...body, components.schemas));
  return parts.join(" \\\n  ");
}

function bodyParts(type, { example, schema }, schemas) {
  if (type === "multipart/form-data") return Object.entries(example).map(formPart);
  const [shown] = example === undefined ? schemas[schema.$ref.split("/").at(-1)].examples : [example];
  return [`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(shown)}'`];
}

function formPart([name, value]) {
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one === "object") return `-F '${name}=${JSON.stringify(one)};type=application/json'`;
  if (typeof one === "number") return `-F "${name}=${one}"`;
  return `-F "${name}=@${one.endsWith(".jpg") ? one.split(" ").at(-1) : `${name}.px`}"`;
}

function shouted(name) {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
