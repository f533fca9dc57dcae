import { createHash } from "node:crypto";
import { brotliDecompressSync } from "node:zlib";
import { type Inflate, type ManifestForm, readC2paStore, type SoftBinding } from "@colophon/formats";
import { sql } from "kysely";
import { type Database, type Read, type Write, writing } from "../database.ts";

/** A C2PA manifest store among the manifests of a record. */
export interface StorePlace {
  readonly position: number;
  /** Of its active manifest. */
  readonly label: string;
  readonly bindings: readonly Buffer[];
}

/** A store that was found. */
export interface FoundStore {
  readonly imageNo: number;
  readonly originalImageHash: Buffer;
  readonly label: string;
}

/** What a soft binding is found by. */
export function bindingDigest({ alg, value }: SoftBinding): Buffer {
  return createHash("sha256").update(alg).update("\0").update(value).digest();
}

/** The C2PA stores among manifests in their order; what is no whole store is not among them. */
export function storesAmong(
  manifests: readonly { readonly form: ManifestForm; readonly stored: Uint8Array }[],
): readonly StorePlace[] {
  const inflate = inflater();
  return manifests.flatMap(({ form, stored }, position) => {
    const store = form === "jumbf" ? readC2paStore(stored, inflate) : null;
    if (store === null) return [];
    const digests = store.softBindings.map((binding) => bindingDigest(binding).toString("hex"));
    const bindings = [...new Set(digests)].map((digest) => Buffer.from(digest, "hex"));
    return [{ position, label: store.activeLabel, bindings }];
  });
}

/** What the compressed manifests of one record may grow to together: as much as a store may have by default. */
const MOST_INFLATED = 4 * 1_048_576;

/**
 * Inflates those of one record. One that cannot be read uses up what is left: how much it took to find out is not
 * known.
 */
function inflater(): Inflate {
  let left = MOST_INFLATED;
  return (compressed) => {
    if (left === 0) return null;
    try {
      const bytes = brotliDecompressSync(compressed, { maxOutputLength: left });
      left -= bytes.length;
      return bytes;
    } catch {
      left = 0;
      return null;
    }
  };
}

/** Has the stores of records found, in the transaction that publishes them. */
export async function indexStores(
  write: Write,
  records: readonly { readonly imageNo: number; readonly stores: readonly StorePlace[] }[],
): Promise<void> {
  const places = records.flatMap(({ imageNo, stores }) => stores.map((store) => ({ imageNo, ...store })));
  if (places.length === 0) return;
  await write
    .insertInto("c2paStore")
    .values(places.map(({ imageNo, position, label }) => ({ imageNo, position, label })))
    .execute();
  const bindings = places.flatMap(({ imageNo, position, bindings: own }) =>
    own.map((binding) => ({ imageNo, position, binding })),
  );
  await sql`insert into c2pa_binding (image_no, position, binding) select * from unnest(
    ${bindings.map(({ imageNo }) => imageNo)}::int[], ${bindings.map(({ position }) => position)}::int[],
    ${bindings.map(({ binding }) => binding)}::bytea[])`.execute(write);
}

/** Has the stores of a record found no more. */
export async function forgetStores(write: Write, imageNo: number): Promise<void> {
  // First what a sweep may be reading: it waits for that, and then sees what the sweep wrote.
  await write.deleteFrom("c2paUnread").where("imageNo", "=", imageNo).execute();
  await write.deleteFrom("c2paStore").where("imageNo", "=", imageNo).execute();
}

/** The stores of originals, in the order of the originals and of their manifests. */
export async function storesOf(read: Read, imageNumbers: readonly number[]): Promise<readonly FoundStore[]> {
  if (imageNumbers.length === 0) return [];
  const { rows } = await sql<FoundStore>`
    select image_no, original_image_hash, label
    from unnest(${imageNumbers}::int[]) with ordinality as asked (image_no, place)
    join c2pa_store using (image_no) join original using (image_no)
    order by place, position`.execute(read);
  return rows;
}

/** Stores of the earliest records first, in the order of their manifests. */
const earliestStores = (read: Read, limit: number) =>
  read
    .selectFrom("c2paStore")
    .innerJoin("original", "original.imageNo", "c2paStore.imageNo")
    .select(["c2paStore.imageNo", "originalImageHash", "label"])
    .orderBy("c2paStore.imageNo")
    .orderBy("c2paStore.position")
    .limit(limit);

/** The stores that state a soft binding, the earliest records first. */
export async function storesByBinding(
  read: Read,
  binding: SoftBinding,
  limit: number,
): Promise<readonly FoundStore[]> {
  return earliestStores(read, limit)
    .innerJoin("c2paBinding", (join) =>
      join
        .onRef("c2paBinding.imageNo", "=", "c2paStore.imageNo")
        .onRef("c2paBinding.position", "=", "c2paStore.position"),
    )
    .where("binding", "=", bindingDigest(binding))
    .execute();
}

/** The stores of the live record under a hash, in their order. */
export async function storesByOriginal(
  read: Read,
  originalImageHash: Uint8Array,
  limit: number,
): Promise<readonly FoundStore[]> {
  return earliestStores(read, limit)
    .where("originalImageHash", "=", Buffer.from(originalImageHash))
    .execute();
}

/**
 * The bytes of the store with a label: of the earliest record that has one, or of the record under a hash.
 * @param originalImageHash null for any record
 */
export async function readStore(
  read: Read,
  label: string,
  originalImageHash: Buffer | null,
): Promise<Buffer | null> {
  const { rows } = await sql<{ stored: Buffer }>`
    select coalesce(manifest.stored, sequence_manifest.stored) as stored
    from c2pa_store join original using (image_no) join manifest using (image_no, position)
    left join sequence_manifest
      on sequence_manifest.sequence_id = original.sequence_id and sequence_manifest.position = manifest.position
    where label = ${label} and (${originalImageHash}::bytea is null or original_image_hash = ${originalImageHash})
    order by c2pa_store.image_no, c2pa_store.position limit 1`.execute(read);
  return rows[0]?.stored ?? null;
}

/** The hash of the record whose store `readStore` answers; null without one. */
export async function recordOfStore(
  read: Read,
  label: string,
  originalImageHash: Buffer | null,
): Promise<Buffer | null> {
  const row = await read
    .selectFrom("c2paStore")
    .innerJoin("original", "original.imageNo", "c2paStore.imageNo")
    .select("originalImageHash")
    .where("label", "=", label)
    .$if(originalImageHash !== null, (stores) => stores.where("originalImageHash", "=", originalImageHash))
    .orderBy("c2paStore.imageNo")
    .orderBy("c2paStore.position")
    .limit(1)
    .executeTakeFirst();
  return row?.originalImageHash ?? null;
}

/** Records read in one call, one in each transaction. */
const BATCH = 1024;

/**
 * Indexes records from before there was an index, or some of them. Interrupted, the next call goes on.
 * @returns records read
 */
export async function indexUnreadStores(database: Database): Promise<number> {
  for (let count = 0; count < BATCH; count += 1) {
    if (!(await writing(database, indexNextUnread))) return count;
  }
  return BATCH;
}

async function indexNextUnread(write: Write): Promise<boolean> {
  const { rows } = await sql<{ imageNo: number }>`
    delete from c2pa_unread where image_no = (
      select image_no from c2pa_unread order by image_no limit 1 for update skip locked)
    returning image_no`.execute(write);
  const [next] = rows;
  if (next === undefined) return false;
  await indexStores(write, [{ ...next, stores: await storedStores(write, next.imageNo) }]);
  return true;
}

/** The C2PA stores among the manifests of a record, read from the manifests themselves. */
export async function storedStores(read: Read, imageNo: number): Promise<readonly StorePlace[]> {
  const { rows } = await sql<{ form: ManifestForm; stored: Buffer }>`
    select manifest.form, case when manifest.form = 'jumbf' then coalesce(manifest.stored, sequence_manifest.stored) else '' end as stored
    from manifest join original using (image_no)
    left join sequence_manifest
      on sequence_manifest.sequence_id = original.sequence_id and sequence_manifest.position = manifest.position
    where image_no = ${imageNo} order by manifest.position`.execute(read);
  return storesAmong(rows);
}

/** How the stores of a record are found, in their order; null of a record that was not read yet. */
export async function indexedStores(read: Read, imageNo: number): Promise<readonly StorePlace[] | null> {
  const { rows } = await sql<StorePlace>`
    select position, label, array(
        select binding from c2pa_binding as own
        where own.image_no = c2pa_store.image_no and own.position = c2pa_store.position) as bindings
    from c2pa_store where image_no = ${imageNo} order by position`.execute(read);
  const unread = await read
    .selectFrom("c2paUnread")
    .select("imageNo")
    .where("imageNo", "=", imageNo)
    .execute();
  return unread.length > 0 ? null : rows;
}
