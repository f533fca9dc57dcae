import type { ColophonClient } from "@colophon/client";

type AnswerOf<Method extends "inspect" | "register" | "stats"> = Awaited<ReturnType<ColophonClient[Method]>>;

/** Which originals show in a picture, and where. */
export type Inspection = AnswerOf<"inspect">;
/** What registering one picture answers. */
export type Registration = AnswerOf<"register">;
/** The account's allowance and use. */
export type Usage = AnswerOf<"stats">;
