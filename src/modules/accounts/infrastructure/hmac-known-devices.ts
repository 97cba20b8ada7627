import { createHmac, randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import type { KeyPair } from '../../../platform/crypto/aes-gcm.js';
import { deriveKeys } from '../../../platform/crypto/aes-secret-box.js';
import { isSame } from '../../../platform/crypto/is-same.js';
import { type DeviceUser, KnownDevices } from '../application/ports/known-devices.js';

const ID_BYTES = 16;
/** A browser may be used by several people. */
const MAX_USERS = 5;
/** `<device>.<signature>…`, with one signature per user. */
const TOKEN = /^[\w-]{22}(?:\.[\w-]{43}){1,5}$/;

/** HMAC-SHA256 over device, user and password, with a key for this purpose only. */
@Injectable()
export class HmacKnownDevices extends KnownDevices {
  private readonly keys: KeyPair;

  constructor(config: Config) {
    super();
    this.keys = deriveKeys(config, 'known-devices');
  }

  identify(token: string | undefined, user: DeviceUser): string | null {
    const { device, signatures } = this.read(token);
    const expected = this.keys.flatMap((key) => (key === undefined ? [] : [sign(key, device, user)]));
    const matches = signatures.filter((signature) => expected.some((each) => isSame(signature, each)));
    return matches.length > 0 ? device : null;
  }

  remember(token: string | undefined, user: DeviceUser): string {
    const { device, signatures } = this.read(token);
    const signature = sign(this.keys[0], device, user);
    const others = signatures.filter((other) => other !== signature).slice(0, MAX_USERS - 1);
    return [device, signature, ...others].join('.');
  }

  /** Returns a new device without signatures if there is no valid token. */
  private read(token = ''): { device: string; signatures: string[] } {
    const [device, ...signatures] = TOKEN.test(token) ? token.split('.') : [];
    return { device: device ?? randomBytes(ID_BYTES).toString('base64url'), signatures };
  }
}

const sign = (key: Buffer, device: string, { id, sessionStamp }: DeviceUser): string =>
  createHmac('sha256', key).update(`${device}.${id}.${sessionStamp}`).digest('base64url');
