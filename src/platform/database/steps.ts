/** The result of a statement that works through rows in the order of a key, `limit` at a time. */
export interface Step {
  /** The key of the last row that it has read. */
  last: string | null;
  seen: number;
}

/** The key after which the next step begins, or null if this was the last one. */
export const nextAfter = ([step]: Step[], limit: number): string | null => (step?.seen === limit ? step.last : null);
