/** How long messages are kept; 0 keeps for ever. */
export abstract class Retention {
  abstract readonly contentDays: number;
  /** Whole months before the current one. */
  abstract readonly messageMonths: number;
}
