import { hkdfSync } from 'node:crypto';

import type { Config } from '../../config/config.js';
import { SecretBox } from '../../shared/ports/secret-box.js';
import { decryptWithAny, encrypt, type KeyPair } from './aes-gcm.js';

const VERSION = 'v1';

type Secrets = Pick<Config, 'appSecret'> & Partial<Pick<Config, 'appSecretPrevious'>>;

/** AES-256-GCM; sealed text is `v1.` + base64url of nonce, tag and ciphertext. */
export class AesSecretBox extends SecretBox {
  private readonly keys: KeyPair;

  constructor(secrets: Secrets) {
    super();
    this.keys = deriveKeys(secrets, 'stored-secrets');
  }

  seal(plain: string): string {
    return `${VERSION}.${encrypt(this.keys[0], plain).toString('base64url')}`;
  }

  open(sealed: string): string {
    const [version, encoded = ''] = sealed.split('.');
    if (version !== VERSION) throw new Error('The stored secret has an unknown form');
    return decryptWithAny(this.keys, Buffer.from(encoded, 'base64url'));
  }
}

/** Derives an independent key per purpose from one secret (HKDF, RFC 5869). */
export const deriveKey = (appSecret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', appSecret, '', purpose, 32));

/** The key of APP_SECRET, which encrypts and signs, and that of APP_SECRET_PREVIOUS, which decrypts and verifies. */
export const deriveKeys = ({ appSecret, appSecretPrevious }: Secrets, purpose: string): KeyPair => {
  const current = deriveKey(appSecret, purpose);
  return appSecretPrevious === undefined ? [current] : [current, deriveKey(appSecretPrevious, purpose)];
};
