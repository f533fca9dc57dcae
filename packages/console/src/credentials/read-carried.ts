export { carriedBy } from "@colophon/credentials";
