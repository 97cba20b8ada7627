import type { AwsAccess } from '../../shared/aws-access.js';
import type { TextConnection } from '../capabilities/sending.js';

export interface SnsConnection extends TextConnection {
  kind: 'sns';
  access: AwsAccess;
  senderId: string | null;
  /** Messages per second. */
  maxSendRate: number;
}
