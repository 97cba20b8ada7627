import type { KeyObject } from 'node:crypto';

/** An RSA key for DKIM signatures. */
export interface SigningKey {
  domainName: string;
  selector: string;
  privateKey: KeyObject;
}

/** The keys of verified domains. Read for every submitted message. */
export abstract class SigningKeys {
  /**
   * Null unless the account has exactly this domain, its DKIM check is verified, and the service signs (SES signs for
   * itself). A change may take up to a minute to be seen. `domainName` is lower-cased, in punycode.
   */
  abstract find(accountId: string, domainName: string): Promise<SigningKey | null>;
}
