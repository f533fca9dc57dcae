export { runService } from "./run.ts";
