import { createHmac } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { deriveKey } from '../../../platform/crypto/aes-secret-box.js';
import type { Channel } from '../../../shared/channel.js';

/** What is kept of an address that was erased: enough to know it again, with a key that the database does not hold. */
@Injectable()
export class AddressHashes {
  private readonly key: Buffer;

  constructor({ appSecret }: Config) {
    this.key = deriveKey(appSecret, 'erased-addresses');
  }

  /** Differs from account to account. */
  of(accountId: string, channel: Channel, address: string): Buffer {
    return createHmac('sha256', this.key).update(`${accountId} ${channel} ${address}`).digest();
  }
}
