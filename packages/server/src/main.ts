import { runService } from "./run.ts";

process.exitCode = await runService(process.env);
