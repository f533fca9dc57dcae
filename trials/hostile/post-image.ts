import { IMAGE_REJECTIONS, type OperationId, type Registration } from "@colophon/contract";
import type { Reply } from "@colophon/testing/api-client.ts";
import { chance } from "@colophon/testing/chance.ts";
import type { Random } from "@colophon/testing/pictures.ts";
import { bodyFrame, SequenceClient } from "@colophon/testing/sequence-client.ts";
import { type PostedImage, SlotClient, uploadForm } from "@colophon/testing/slot-client.ts";
import type { ImageMaker } from "@colophon/testing/test-pictures.ts";
import type { HostileImage } from "./image-mutations/mutate-image.ts";
import { answerOf, faultOfAnswer } from "./listed-answers.ts";

const REJECTIONS: readonly string[] = Object.values(IMAGE_REJECTIONS);

/** What came of posting an image: what the service said, and what it should not have. */
export interface Posted {
  readonly way: string;
  /** The answer's title, the image's rejection, or `answered`. */
  readonly said: string;
  readonly faults: readonly string[];
}

/** Posts images by every way that one can take into the service, for one account. */
export class ImagePoster {
  readonly #slots: SlotClient;
  readonly #sequences: SequenceClient;
  readonly #soundImage: ImageMaker;

  /** @param soundImage makes pictures that nothing else resembles, to be uploaded beside hostile ones */
  constructor(baseUrl: string, token: string, soundImage: ImageMaker) {
    this.#slots = new SlotClient(baseUrl, token);
    this.#sequences = new SequenceClient(baseUrl, token);
    this.#soundImage = soundImage;
  }

  /** Posts one image by a way drawn at random. */
  async post(random: Random, image: HostileImage): Promise<Posted> {
    const drawn = random();
    if (drawn < 0.4) return this.#asQuery(image);
    if (drawn < 0.65) return this.#asRegistration(image);
    if (drawn < 0.8) return this.#inSlot(image, chance(random, 0.5));
    if (drawn < 0.9) return this.#inLookupSlot(image, chance(random, 0.7));
    return this.#inSequence(image);
  }

  async #asQuery(image: HostileImage): Promise<Posted> {
    const reply = await this.#slots.call<object>("POST", "/lookup", uploadForm([part(image)]));
    return { way: "/lookup", said: titleOf(reply), faults: faultsOf("lookUp", reply) };
  }

  async #asRegistration(image: HostileImage): Promise<Posted> {
    const reply = await this.#slots.call<Registration>("POST", "/registrations", uploadForm([part(image)]));
    const faults = faultsOf("createRegistration", reply);
    if (reply.status === 200) faults.push(...(await this.#takeDown(reply.body.id)));
    return { way: "/registrations", said: titleOf(reply), faults };
  }

  /** What registered goes again: images that match hundreds of others would cost more than they show. */
  async #takeDown(registrationId: string): Promise<string[]> {
    return faultsOf("deleteRegistration", await this.#slots.takeDown(registrationId));
  }

  /** Uploads the image with a sound one behind it, which it must not harm. */
  async #inSlot(image: HostileImage, commits: boolean): Promise<Posted> {
    const { slotId } = (await this.#slots.openSlot()).body;
    const sound = await this.#soundImage();
    const reply = await this.#slots.upload(slotId, [part(image), { bytes: sound }]);
    const faults = faultsOf("uploadToSlot", reply);
    const [hostile, beside] = reply.status === 200 ? reply.body.outcomes : [];
    faults.push(...unlisted(hostile?.rejectionReason ?? null));
    if (
      reply.status === 200 &&
      beside?.accepted !== true &&
      beside?.rejectionReason !== IMAGE_REJECTIONS.notCheckedYet
    ) {
      faults.push(`a sound image beside it is refused: ${beside?.rejectionReason}`);
    }
    if (!commits) faults.push(...faultsOf("abandonSlot", await this.#slots.abandon(slotId)));
    else {
      const commit = await this.#slots.commit(slotId);
      faults.push(...faultsOf("commitSlot", commit));
      for (const { state, registrationId } of commit.status === 200 ? commit.body.entries : []) {
        if (state === "registered" && registrationId !== null) {
          faults.push(...(await this.#takeDown(registrationId)));
        }
      }
    }
    return { way: "/slots", said: hostile?.rejectionReason ?? titleOf(reply), faults };
  }

  async #inLookupSlot(image: HostileImage, commits: boolean): Promise<Posted> {
    const { lookupSlotId } = (await this.#slots.openLookupSlot()).body;
    const reply = await this.#slots.uploadQueries(lookupSlotId, [part(image)]);
    const faults = faultsOf("uploadQueries", reply);
    if (!commits) {
      faults.push(...faultsOf("abandonLookupSlot", await this.#slots.abandonLookup(lookupSlotId)));
      return { way: "/lookup/slots", said: titleOf(reply), faults };
    }
    const commit = await this.#slots.commitLookup(lookupSlotId);
    faults.push(...faultsOf("commitLookupSlot", commit));
    const state = commit.status === 200 ? commit.body.queries[0]?.state : undefined;
    return { way: "/lookup/slots", said: state ?? titleOf(commit), faults };
  }

  async #inSequence(image: HostileImage): Promise<Posted> {
    const sequence = (await this.#sequences.openSequence()).body;
    const reply = await this.#sequences.admit(sequence, [bodyFrame(sequence, 1, image.bytes)]);
    const faults = faultsOf("admitFrames", reply);
    faults.push(...faultsOf("abandonSequence", await this.#sequences.abandon(sequence)));
    return { way: "/sequences", said: titleOf(reply), faults };
  }
}

function part({ type, bytes }: HostileImage): PostedImage {
  return { bytes, type };
}

function titleOf({ body }: Reply<object | null>): string {
  return body !== null && "title" in body ? String(body.title) : "answered";
}

function faultsOf(route: OperationId, reply: Reply<object | null>): string[] {
  const fault = faultOfAnswer(route, answerOf(reply));
  return fault === undefined ? [] : [`${route}: ${fault}`];
}

function unlisted(reason: string | null): string[] {
  return reason === null || REJECTIONS.includes(reason) ? [] : [`an unlisted rejection: ${reason}`];
}
