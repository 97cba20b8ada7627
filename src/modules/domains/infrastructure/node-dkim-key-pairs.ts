import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

import { Injectable } from '@nestjs/common';

import { type DkimKeyPair, DkimKeyPairs } from '../application/ports/dkim-key-pairs.js';

const MODULUS_BITS = 2_048;

/** Uses one of libuv's threads. */
@Injectable()
export class NodeDkimKeyPairs extends DkimKeyPairs {
  generate(): Promise<DkimKeyPair> {
    return promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  }
}
