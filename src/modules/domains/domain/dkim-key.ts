import type { KeyObject } from 'node:crypto';

/** A domain's own DKIM key pair (RFC 6376). */
export interface DkimKey {
  selector: string;
  /** SubjectPublicKeyInfo in base64, as published in DNS. */
  publicKey: string;
  /** PKCS #8 in PEM, sealed by the SecretBox. */
  sealedKey: string;
}

export const newDkimKey = (
  domainId: string,
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  seal: (plain: string) => string,
): DkimKey => ({
  selector: `ds${domainId.slice(-8)}`,
  publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  sealedKey: seal(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
});
