import type { ColophonClient } from "@colophon/client";

type AnswerOf<Method extends "lookUp" | "register" | "stats"> = Awaited<ReturnType<ColophonClient[Method]>>;

/** Whether anybody holds a picture. */
export type LookupVerdict = AnswerOf<"lookUp">;
/** What registering one picture answers. */
export type Registration = AnswerOf<"register">;
/** The account's grants and use. */
export type Usage = AnswerOf<"stats">;
