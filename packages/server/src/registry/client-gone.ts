/** The client went away, fell silent, or sends too slowly to be waited for; it gets no answer. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
  constructor() {
    super("The client went away before its request was complete.");
  }
}
