import type { KeyObject } from 'node:crypto';

export interface DkimKeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** Generates RSA key pairs of 2,048 bits, each of which takes a fraction of a second of CPU. */
export abstract class DkimKeyPairs {
  abstract generate(): Promise<DkimKeyPair>;
}
