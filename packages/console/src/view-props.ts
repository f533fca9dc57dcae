/** What every view is given. */
export interface ViewProps {
  /** What the address names after the view's path; empty when nothing. */
  readonly subject: string;
}
