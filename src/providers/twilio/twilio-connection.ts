import type { TextConnection } from '../capabilities/sending.js';

export interface TwilioConnection extends TextConnection {
  kind: 'twilio';
  accountSid: string;
  authToken: string;
  /** Messages per second. */
  maxSendRate: number;
}
