import { type DkimKeyPair, DkimKeyPairs } from '../../src/modules/domains/application/dkim-key-pairs.js';

const PAIRS = 4;

/** Real key pairs that take turns, because each would take 150 ms of CPU: those made one after the other differ. */
class ReusedKeyPairs implements DkimKeyPairs {
  private readonly pairs: Promise<DkimKeyPair>[] = [];
  private readonly source = new DkimKeyPairs();
  private generated = 0;

  generate(): Promise<DkimKeyPair> {
    return (this.pairs[this.generated++ % PAIRS] ??= this.source.generate());
  }
}

/** Shared by all tests of the process. */
export const reusedKeyPairs = new ReusedKeyPairs();
