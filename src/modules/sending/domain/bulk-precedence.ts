/** Others get at most this many permits in a row while bulk messages wait. */
const OTHERS_IN_A_ROW = 19;

/** Decides who gets the next permit: bulk messages only if no others wait, but at least every twentieth. */
export class BulkPrecedence {
  private others = 0;

  /** One of the two must be waiting. */
  next({ others, bulk }: { others: boolean; bulk: boolean }): 'others' | 'bulk' {
    const isBulk = bulk && (!others || this.others >= OTHERS_IN_A_ROW);
    this.others = isBulk || !bulk ? 0 : this.others + 1;
    return isBulk ? 'bulk' : 'others';
  }
}
