import type { KeyObject } from 'node:crypto';

export interface SigningCertificate {
  key: KeyObject;
  validFrom: number;
  validTo: number;
}

/** What Amazon SNS offers to its subscribers. */
export abstract class SnsGateway {
  /**
   * The certificate at this address, in force or not. Null where the address is not SNS's, or what is there no certificate.
   * Throws unavailable where it cannot be reached. What strangers name here may be forgotten for what others name.
   */
  abstract findCertificate(certificateUrl: string): Promise<SigningCertificate | null>;

  /** Confirms a subscription. Throws forbidden where the address is not SNS's, unavailable where that fails. */
  abstract confirm(subscribeUrl: string): Promise<void>;
}
