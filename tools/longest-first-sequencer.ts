import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Folders by how long their files take, from the longest on: with a trial, with a service and a browser, with a
 * service, without.
 */
const FOLDERS = [
  "packages/server/test/trials",
  "packages/server",
  "packages/console",
  "test",
  "packages/client",
  "packages/cli",
  "conformance",
];

/**
 * Begins with the files that take longest, so that the workers end at about the same time. Files of a project stay
 * together.
 */
export default class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = FOLDERS.findIndex((folder) => moduleId.startsWith(`${root}/${folder}/`));
      return at === -1 ? FOLDERS.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, not an array's
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
