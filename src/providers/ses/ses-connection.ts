import type { AwsAccess } from '../../shared/aws-access.js';
import type { MailConnection } from '../capabilities/sending.js';

export interface SesConnection extends MailConnection {
  kind: 'ses';
  access: AwsAccess;
  configurationSet: string | null;
}
