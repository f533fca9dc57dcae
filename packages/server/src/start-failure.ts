import { BadSetting } from "./config/bad-setting.ts";
import { firstLineOf } from "./error-message.ts";

/** What the operating system's codes mean for a path of the data directory. */
const MEANINGS: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `${path} cannot be opened by this user`,
  EPERM: (path) => `${path} cannot be changed by this user`,
  EROFS: (path) => `${path} is on a read-only file system`,
  ENOSPC: (path) => `there is no room left for ${path}`,
  EDQUOT: (path) => `the quota leaves no room for ${path}`,
  EISDIR: (path) => `${path} is a folder where a file should be`,
  ENOTDIR: (path) => `${path} has a file where a folder should be`,
  EEXIST: (path) => `${path} is a file where a folder should be`,
  ENOENT: (path) => `there is no ${path}, and it cannot be made`,
};

/** One line that says why the service did not start. */
export function startFailure(error: unknown): string {
  return error instanceof BadSetting ? error.message : `Colophon did not start: ${failureReason(error)}`;
}

/** What an error says, in one line; an error of the operating system, what it means for the path that it names. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path }: Partial<NodeJS.ErrnoException> = error;
  const meaning = code !== undefined && path !== undefined ? MEANINGS[code]?.(path) : undefined;
  return meaning ? `${meaning}.` : firstLineOf(error);
}
