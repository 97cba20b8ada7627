import { PublishCommand } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { confirmFirst, AFTER_SIGNING, SnsClients } from '../../../src/platform/aws/aws-clients.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { FakeAws } from '../../support/fake-aws/fake-aws.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

const SENDER = 'shop@example.com';
const VICTIM = 'victim@example.org';
const CONNECTIONS = 10;
const MESSAGES = 40;
const SES = {
  ...{ region: 'eu-west-1', accessKeyId: 'AKIASHOP', secretAccessKey: 'a secret of SES' },
  configurationSet: 'shop',
};
const ACCESS = { region: 'us-east-1', credentials: { accessKeyId: 'AKIASMS', secretAccessKey: 'a secret of SNS' } };

/** Blocks every caller until it is opened. */
class Gate {
  waiting = 0;
  private open!: (answer: undefined) => void;
  private readonly opened = new Promise<undefined>((resolve) => (this.open = resolve));

  pass(): Promise<undefined> {
    this.waiting += 1;
    return this.opened;
  }

  release(): void {
    this.open(undefined);
  }
}

describe('An address that is suppressed while messages to it are waiting', () => {
  let aws: FakeAws;
  let relay: SmtpSink;
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;
  let gate: Gate;

  beforeAll(async () => {
    aws = await FakeAws.start();
    relay = await SmtpSink.start();
    process.env.AWS_ENDPOINT_URL_SESV2 = aws.url;
    process.env.AWS_ENDPOINT_URL_SNS = aws.url;
    service = await TestService.start({ SMTP_URL: relay.url });
  });
  afterAll(async () => {
    await service.stop();
    await relay.stop();
    await aws.stop();
  });
  beforeEach(async () => {
    aws.reset();
    relay.reset();
    gate = new Gate();
    account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey();
  });

  const send = (to = VICTIM) => sendEmail(service, key.secret, { to, text: 'Hello' });
  const suppress = () => account.asAdmin('post', '/api/suppressions').send({ email: VICTIM }).expect(201);
  const withStatus = async (status: string) =>
    (await service.query('SELECT id FROM message_logs WHERE account_id = $1 AND status = $2', [account.id, status]))
      .length;

  it('gets no SMTP transaction after the response 201, even with a slow relay', async () => {
    let begun = 0;
    relay.answer = (stage) => {
      if (stage === 'mail') begun += 1;
      return stage === 'data' ? gate.pass() : undefined;
    };
    await Promise.all(Array.from({ length: MESSAGES }, () => send()));
    await waitFor('a mail on every connection', () => gate.waiting === CONNECTIONS);
    await suppress();
    gate.release();
    await waitFor('the outcome of all', async () => (await withStatus('suppressed')) === MESSAGES - CONNECTIONS);
    expect(begun).toBe(CONNECTIONS);
    expect(await withStatus('sent')).toBe(CONNECTIONS);
  });

  it('gets none if a new connection has to be opened first', async () => {
    let begun = 0;
    relay.answer = (stage) => {
      if (stage === 'mail') begun += 1;
      return stage === 'connect' ? gate.pass() : undefined;
    };
    await account
      .asAdmin('patch', '/api/settings')
      .send({ smtp: { host: 'localhost', port: relay.port } })
      .expect(200);
    await send();
    await waitFor('the connection', () => gate.waiting > 0);
    await suppress();
    gate.release();
    await waitFor('the outcome', async () => (await withStatus('suppressed')) === 1);
    expect(begun).toBe(0);
  });

  it('does not occupy the connections', async () => {
    relay.answer = (stage) => (stage === 'data' ? gate.pass() : undefined);
    await Promise.all(Array.from({ length: CONNECTIONS * 2 }, () => send()));
    await waitFor('a mail on every connection', () => gate.waiting === CONNECTIONS);
    await suppress();
    await send('ada@example.org');
    gate.release();
    await waitFor('the mail to another address', async () => (await withStatus('sent')) === CONNECTIONS + 1);
  });

  it('gets nothing through SES while the event destinations are updated', async () => {
    await account.asAdmin('patch', '/api/settings').send({ emailProvider: 'ses', ses: SES }).expect(200);
    await account.verifySendersAgain();
    aws.answer = ({ operation }) => (/ConfigurationSetEventDestinations/.test(operation) ? gate.pass() : undefined);
    await send();
    await waitFor('the update of the event destinations', () => gate.waiting > 0);
    await suppress();
    gate.release();
    await waitFor('the outcome', async () => (await withStatus('suppressed')) === 1);
    expect(aws.requests('SendEmail')).toBe(0);
  });

  it('gets no SMS that was waiting for a connection to SNS', async () => {
    const clients = service.app.get(SnsClients, { strict: false });
    aws.answer = ({ operation }) => (operation === 'Publish' ? gate.pass() : undefined);
    let isSuppressed = false;
    const confirm = () => (isSuppressed ? Promise.reject(new Error('It is suppressed')) : Promise.resolve());
    const check = { confirm, isConfirmed: () => false, isHeld: () => true };
    const submissions = Array.from({ length: 100 }, () => {
      const command = new PublishCommand({ PhoneNumber: '+14155550100', Message: 'Hello' });
      command.middlewareStack.add(confirmFirst(check), AFTER_SIGNING);
      return clients.submit(ACCESS, (client) => client.send(command));
    });
    const settled = Promise.allSettled(submissions);
    await waitFor('a request on every connection', () => gate.waiting === 90);
    isSuppressed = true;
    gate.release();
    const refused = (await settled).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(10);
    expect(gate.waiting).toBe(90);
  });
});
