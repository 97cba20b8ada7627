import type { KeyObject } from 'node:crypto';

export interface SigningCertificate {
  key: KeyObject;
  validFrom: number;
  validTo: number;
}

/** The HTTP interface of Amazon SNS for subscribers. */
export abstract class SnsGateway {
  /**
   * The certificate at this URL, valid now or not. Null if the URL is not one of SNS or holds no certificate. Throws
   * unavailable if it cannot be reached. Results are cached; forged posts can evict them.
   */
  abstract findCertificate(certificateUrl: string): Promise<SigningCertificate | null>;

  /** Confirms a subscription. Throws forbidden if the URL is not one of SNS, unavailable if that fails. */
  abstract confirm(subscribeUrl: string): Promise<void>;
}
