import type { Route } from "../route.ts";
import { Registration } from "../schemas/registrations.ts";

export const REGISTRATION_ROUTES = [
  {
    operationId: "createRegistration",
    method: "POST",
    path: "/registrations",
    tag: "Registrations",
    summary: "Register one image",
    description:
      "Checks the image against every live registration, then registers it with its manifests. The check reserves one look-up and spends it only when it finds a match; a registered image spends one registration. A match refuses the image, and the answer names the matching registration only when it is the caller's.",
    auth: "account",
    body: {
      kind: "multipart",
      description: "The manifests first, then the image they belong to.",
      parts: [
        { part: "manifest", occurs: "any" },
        { part: "image", occurs: "once" },
      ],
    },
    answer: { status: 200, description: "The image is registered.", schema: Registration },
    refusals: [
      "malformedRequest",
      "invalidManifest",
      "imageNotRegistered",
      "openSlotCapReached",
      "requestTooLarge",
      "imageTooLarge",
      "manifestTooLarge",
      "unsupportedImageContentType",
      "imageCouldNotBeChecked",
      "quotaExceeded",
      "imageCouldNotBeCheckedYet",
      "engineNotConfigured",
    ],
    malformed: ["notMultipart", "malformedMultipart", "unexpectedPart", "manifestAfterImage", "notOneImage"],
  },
  {
    operationId: "deleteRegistration",
    method: "DELETE",
    path: "/registrations/{registrationId}",
    tag: "Registrations",
    summary: "Take a registration down",
    description:
      "Removes a live registration and its manifests for good. The image stops matching and may be registered again, under a new id.",
    auth: "account",
    answer: { status: 204, description: "The registration is taken down." },
    refusals: ["registrationNotFound", "takeDownRefused", "engineNotConfigured"],
  },
] as const satisfies readonly Route[];
