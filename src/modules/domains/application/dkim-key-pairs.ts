import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { Injectable } from '@nestjs/common';

const MODULUS_BITS = 2_048;

export interface DkimKeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

/** Generates RSA key pairs, each of which takes a fraction of a second of one of libuv's threads. */
@Injectable()
export class DkimKeyPairs {
  generate(): Promise<DkimKeyPair> {
    return promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  }
}
