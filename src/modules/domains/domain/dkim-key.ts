import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

const MODULUS_BITS = 2_048;

/** A domain's own DKIM key pair (RFC 6376). */
export interface DkimKey {
  selector: string;
  /** SubjectPublicKeyInfo in base64, as published in DNS. */
  publicKey: string;
  /** PKCS #8 in PEM, sealed by the SecretBox. */
  sealedKey: string;
}

export async function newDkimKey(domainId: string, seal: (plain: string) => string): Promise<DkimKey> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  return {
    selector: `ds${domainId.slice(-8)}`,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    sealedKey: seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  };
}
