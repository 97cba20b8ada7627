/** Proofs of work that a browser does before a submission. */
export abstract class Challenges {
  /** Creates a challenge for the form, in the format of the widget. */
  abstract create(formId: string): Promise<object>;

  /**
   * Whether the text, as the widget submits it, solves a challenge of the form that has not expired and was not
   * redeemed before, in any process.
   */
  abstract redeem(formId: string, solution: string): Promise<boolean>;
}
