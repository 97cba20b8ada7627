import type { AwsAccess } from '../../../../shared/account-provider.js';
import type { SmsStanding } from '../../../accounts/index.js';

/** What the SMS provider says of the AWS account that an account's SMS leave through. */
export abstract class SmsAccountGateway {
  /** Throws where it cannot be asked, or may not be with these credentials. */
  abstract describe(access: AwsAccess): Promise<Omit<SmsStanding, 'checkedAt'>>;
}
