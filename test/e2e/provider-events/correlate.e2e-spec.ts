import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { SmtpVendor } from '../../../src/shared/account-provider.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';

/** Where each vendor reads the message id, according to its documentation. */
const READ: Record<Exclude<SmtpVendor, 'generic'>, (header: (name: string) => string) => unknown> = {
  sendgrid: (header) => (JSON.parse(header('X-SMTPAPI')) as { unique_args: object }).unique_args,
  mailgun: (header) => JSON.parse(header('X-Mailgun-Variables')),
  postmark: (header) => ({ mid: header('X-PM-Metadata-mid') }),
  resend: (header) => ({ mid: header('X-Message-Ref') }),
};

describe('A mail to an SMTP vendor', () => {
  let service: TestService;
  let relay: SmtpSink;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start();
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
  });

  it.each(Object.keys(READ) as (keyof typeof READ)[])('carries the message id in the format of %s', async (vendor) => {
    relay.reset();
    const account = await service.createAccount();
    await account.verifySender(SENDER);
    const { hostname: host, port } = new URL(relay.url);
    await account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host, port: Number(port), vendor } })
      .expect(200);
    const key = await account.createKey();
    const id = await sendEmail(service, key.secret, { text: 'Thank you' });
    const raw = await waitFor('the mail', () => relay.received()[0]?.raw);
    const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(raw)?.[1] ?? '';
    expect(READ[vendor](header)).toEqual({ mid: id });
  });
});
