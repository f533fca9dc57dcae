/** The client went away, fell silent, sends too slowly to be waited for, or ended its side before its body did. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
  /** Whether it may still read an answer. It gets none that would deny what was kept of its request. */
  readonly mayListen: boolean;

  constructor(mayListen = false) {
    super("The client went away before its request was complete.");
    this.mayListen = mayListen;
  }
}
