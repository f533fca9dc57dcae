/** A file that the build gives an address of its own. */
declare module "*?url" {
  const address: string;
  export default address;
}
