/** A value that the service cannot start with; the message is one line that names the variable. */
export class BadSetting extends Error {
  override readonly name = "BadSetting";
  constructor(variable: string, expectation: string) {
    super(`${variable} must be ${expectation}.`);
  }
}
