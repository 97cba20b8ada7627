import type { AwsAccount } from './aws-account.js';
import type { Journal } from './journal.js';

export interface AwsRequest {
  service: 'ses' | 'sns';
  /** AWS's own name of it, and `GetSigningCertificate` for the download of a certificate. */
  operation: string;
  /** Both out of the signature; empty where AWS asks for none. */
  accessKeyId: string;
  region: string;
  /** The fields of the JSON body, those in the path included, or of the form. */
  parameters: Readonly<Record<string, unknown>>;
}

/** What an operation is given. */
export interface AwsCall {
  request: AwsRequest;
  account: AwsAccount;
  journal: Journal;
}
