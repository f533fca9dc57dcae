import { type Command, operand, textOption } from "../command.ts";
import { Failure } from "../failure.ts";
import { DATA_DIR_OPTION, deploymentEnvironment } from "../settings/deployment-options.ts";

const ROTATED = ["intermediate", "packet-key", "encryption-key", "operator-token"] as const;

/** Puts another key in the place of one of a deployment's. */
export const keyRotate: Command = {
  words: ["key", "rotate"],
  operands: ["intermediate|packet-key|encryption-key|operator-token"],
  summary: "Rotate a key of a deployment, while its service runs or not",
  details: [
    "intermediate: new records are signed under another intermediate certificate of the same root; earlier ones verify as they",
    "did. packet-key: stored packets are sealed again under another key. encryption-key: all keys in the database are sealed under",
    "another key-encryption key. operator-token: another token opens the operator's routes, at once and at every process.",
    "Interrupted, it is run again and goes on.",
  ].join("\n"),
  options: {
    ...DATA_DIR_OPTION,
    "next-key-file": {
      placeholder: "FILE",
      summary: "The next key-encryption key, 32 bytes in base64, when the one of now is in the environment",
    },
  },
  run: async (invocation) => {
    const key = operand(invocation, 0);
    if (!isRotated(key)) throw Failure.usage(`colophon key rotate takes one of ${ROTATED.join(", ")}.`);
    const { runKeyRotation } = await import("@colophon/server");
    process.exitCode = await runKeyRotation(
      deploymentEnvironment(invocation),
      key,
      textOption(invocation, "next-key-file") ?? null,
    );
  },
};

function isRotated(key: string): key is (typeof ROTATED)[number] {
  return ROTATED.some((rotated) => rotated === key);
}
