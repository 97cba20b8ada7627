import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { InstallationKeys } from './installation-keys.js';
import type { Channel } from '../../shared/channel.js';

const BLOCK_BYTES = 64;
const BYTEA_PREFIX = '\\x';

/** Hashes of erased addresses, which recognise an address with a key that is not in the database. */
@Injectable()
export class AddressHashes {
  private readonly inner: Buffer;
  private readonly outer: Buffer;

  constructor({ erasedAddresses }: InstallationKeys) {
    const key = Buffer.alloc(BLOCK_BYTES);
    erasedAddresses.copy(key);
    this.inner = Buffer.from(key.map((byte) => byte ^ 0x36));
    this.outer = Buffer.from(key.map((byte) => byte ^ 0x5c));
  }

  /**
   * HMAC-SHA-256 (RFC 2104) as a PostgreSQL bytea literal, different for each account. Computed from two plain hashes,
   * because an Hmac object holds a kilobyte outside the heap until it is collected: a hundred megabytes in an import.
   */
  hash(accountId: string, channel: Channel, address: string): string {
    const text = Buffer.concat([this.inner, Buffer.from(`${accountId} ${channel} ${address}`)]);
    const digest = Buffer.from(hash('sha256', text, 'hex'), 'hex');
    return `${BYTEA_PREFIX}${hash('sha256', Buffer.concat([this.outer, digest]), 'hex')}`;
  }

  /** The hash in hexadecimal. */
  hex(accountId: string, channel: Channel, address: string): string {
    return this.hash(accountId, channel, address).slice(BYTEA_PREFIX.length);
  }
}
