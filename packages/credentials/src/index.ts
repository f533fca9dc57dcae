export type { Action } from "./actions.ts";
export { type Carried, carriedBy, type CarriedManifest, type WantedOfFile } from "./carried.ts";
export { creditLine } from "./credit-line.ts";
export {
  type C2paLibrary,
  type CredentialsJudgement,
  type CredentialsToJudge,
  type Ingredient,
  judgeStore,
  type TrustList,
} from "./judge.ts";
export {
  type Candidate,
  fetchReceipt,
  fetchStore,
  findByBinding,
  findByContent,
  fingerprints,
  type Resolver,
  resolverAt,
} from "./resolver.ts";
export { ResolverError, type ResolverRefusal } from "./resolver-error.ts";
export type { CreditLine } from "./said.ts";
export type { Thumbnail } from "./thumbnail.ts";
export type { Finding } from "./validation-codes.ts";
