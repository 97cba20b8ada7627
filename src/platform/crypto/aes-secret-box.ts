import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

import { SecretBox } from '../../shared/ports/secret-box.js';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM; sealed text is `v1.` + base64url of nonce, tag and ciphertext. */
export class AesSecretBox extends SecretBox {
  private readonly key: Buffer;

  constructor(appSecret: string) {
    super();
    this.key = deriveKey(appSecret, 'stored-secrets');
  }

  seal(plain: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
  }

  open(sealed: string): string {
    const [version, encoded = ''] = sealed.split('.');
    if (version !== VERSION) throw new Error('The stored secret has an unknown form');
    const bytes = Buffer.from(encoded, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  }
}

/** Keys for different purposes are independent although they stem from one secret (RFC 5869). */
export const deriveKey = (appSecret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', appSecret, '', purpose, 32));
