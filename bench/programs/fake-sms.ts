/** SNS and Twilio for a worker. Reports when one of them has been sent the requested number of messages. */
import { FakeAws } from '../../test/support/fake-aws/fake-aws.js';
import { FakeTwilio } from '../../test/support/fake-twilio/fake-twilio.js';

export interface FakeSms {
  snsUrl: string;
  twilioUrl: string;
  accountSid: string;
  authToken: string;
}

export interface SmsReport {
  received: number;
  /** From the first message after the warm-up to the last. */
  ms: number;
}

const authToken = 'the token of the bench account';
const aws = await FakeAws.start();
const twilio = await FakeTwilio.start();
let accountSid = twilio.openAccount(authToken);
let wanted = { count: Infinity, warmUp: 0 };
let received = 0;
let startedAt = 0;

function count(): void {
  received += 1;
  if (received === wanted.warmUp) startedAt = performance.now();
  if (received === wanted.count)
    process.send?.({ received: received - wanted.warmUp, ms: performance.now() - startedAt } satisfies SmsReport);
}

process.on('message', (message: typeof wanted) => {
  aws.reset(); // it would keep all messages
  twilio.reset();
  accountSid = twilio.openAccount(authToken, accountSid);
  aws.answer = ({ operation }) => {
    if (operation === 'Publish') count();
    return undefined;
  };
  twilio.answer = () => {
    count();
    return undefined;
  };
  [wanted, received] = [message, 0];
});
process.send?.({ snsUrl: aws.url, twilioUrl: twilio.url, accountSid, authToken } satisfies FakeSms);
