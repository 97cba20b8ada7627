import { hkdfSync } from 'node:crypto';

import { SecretBox } from '../../shared/ports/secret-box.js';
import { decrypt, encrypt } from './aes-gcm.js';

const VERSION = 'v1';

/** AES-256-GCM; sealed text is `v1.` + base64url of nonce, tag and ciphertext. */
export class AesSecretBox extends SecretBox {
  private readonly key: Buffer;

  constructor(appSecret: string) {
    super();
    this.key = deriveKey(appSecret, 'stored-secrets');
  }

  seal(plain: string): string {
    return `${VERSION}.${encrypt(this.key, plain).toString('base64url')}`;
  }

  open(sealed: string): string {
    const [version, encoded = ''] = sealed.split('.');
    if (version !== VERSION) throw new Error('The stored secret has an unknown form');
    return decrypt(this.key, Buffer.from(encoded, 'base64url'));
  }
}

/** Derives an independent key per purpose from one secret (HKDF, RFC 5869). */
export const deriveKey = (appSecret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', appSecret, '', purpose, 32));
