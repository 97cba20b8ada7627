import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';

import { currentVerificationProvider, currentProviderKey } from '../../src/providers/index.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { FakeAws } from '../support/fake-aws/fake-aws.js';
import { killServiceProcesses, type ServiceProcess, startListening } from '../support/service-process.js';
import { SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait-for.js';

const INFO = 30;
const random = (what: string) => `${what}-${randomBytes(12).toString('hex')}`;

const SECRETS = {
  adminPassword: random('admin-password'),
  memberPassword: random('member-password'),
  guess: random('guess'),
  relayPassword: random('relay-password'),
  smtpPassword: random('smtp-password'),
  eventSigningKey: random('signing-key'),
  sesSecret: random('ses-secret'),
  appSecret: random('app-secret'),
  unknownKey: `sk_${randomBytes(32).toString('base64url')}`,
};

const ADDRESSES = {
  admin: 'the.admin@people.example',
  member: 'the.member@people.example',
  stranger: 'the.stranger@people.example',
  sender: 'the.sender@shop.example',
  refusedSender: 'the.refused@shop.example',
  recipient: 'the.recipient@readers.example',
  bounced: 'the.bounced@readers.example',
  deferred: 'the.deferred@readers.example',
  suppressed: 'the.suppressed@readers.example',
};

interface Answer {
  status: number;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- looked at as a client would
  body: any;
}

describe('Logs and metrics of a full run', () => {
  let database: TestDatabase;
  let sink: SmtpSink;
  let aws: FakeAws;
  let process: ServiceProcess;
  let url: string;
  let sql: Client;
  /** Names and values that must not be seen; those that come up on the way are added. */
  const secrets: Record<string, string> = { ...SECRETS };

  beforeAll(async () => {
    [database, aws] = [await createTestDatabase(), await FakeAws.start()];
    sink = await SmtpSink.start({ credentials: { username: 'relay-user', password: SECRETS.relayPassword } });
    sink.answer = (stage, _session, address) => {
      if (stage === 'rcpt' && /bounced|refused/.test(address))
        return { code: 550, message: `5.1.1 <${address}> is unknown` };
      if (stage === 'rcpt' && address.includes('deferred'))
        return { code: 451, message: `4.2.0 <${address}> is greylisted` };
      return undefined;
    };
    sql = new Client({ connectionString: database.url });
    await sql.connect();
    ({ process, url } = await startListening({
      DATABASE_URL: database.url,
      SMTP_URL: `smtp://relay-user:${SECRETS.relayPassword}@127.0.0.1:${sink.port}`,
      APP_SECRET: SECRETS.appSecret,
      ADMIN_EMAIL: ADDRESSES.admin,
      ADMIN_PASSWORD: SECRETS.adminPassword,
      MAIL_FROM: 'service@shop.example',
      AWS_ENDPOINT_URL_SESV2: aws.url,
      LOG_LEVEL: 'trace',
    }));
  });
  afterAll(async () => {
    await killServiceProcesses();
    await sql.end();
    await Promise.all([sink.stop(), aws.stop()]);
    await database.drop();
  });

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const isText = typeof body === 'string';
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(body === undefined || isText ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  }

  const logIn = (email: string, password: string) => call('POST', '/api/auth/login', { email, password });
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  it('hold no secret, and from level info on no address', async () => {
    const admin = await signIn();
    const key = await useKeys(admin);
    await changeSettings(admin);
    await verifySenders(admin);
    await sendAndFollow(key, admin);
    await report(admin);
    await failInside(admin);
    await sendThroughSes(key, admin);
    const metrics = (await call('GET', '/metrics')).text + (await call('GET', '/health/ready')).text;
    expect(metrics).toContain('message_delivery_duration_seconds');
    await process.kill('SIGTERM');
    expect(process.printed).toMatch(/"event":"request".*"status":401/);
    expect(results(process.printed + metrics, secrets)).toEqual([]);
    expect(results(process.printed.split('\n').filter(isShown).join('\n') + metrics, ADDRESSES)).toEqual([]);
  });

  async function signIn(): Promise<Record<string, string>> {
    const { body } = await logIn(ADDRESSES.admin, SECRETS.adminPassword);
    secrets.adminToken = body.accessToken as string;
    const admin = bearer(secrets.adminToken);
    const member = { email: ADDRESSES.member, password: SECRETS.memberPassword, role: 'member' };
    expect(await call('POST', '/api/users', member, admin)).toMatchObject({ status: 201 });
    expect(await call('POST', '/api/users', member, admin)).toMatchObject({ status: 409 });
    expect(await call('POST', '/api/users', { ...member, role: SECRETS.guess }, admin)).toMatchObject({ status: 400 });
    for (let n = 0; n < 11; n++) await logIn(ADDRESSES.member, `${SECRETS.guess}${n}`);
    await logIn(ADDRESSES.stranger, SECRETS.guess);
    await call('POST', '/api/auth/login', `{"email":"${ADDRESSES.member}","password":"${SECRETS.guess}`, {
      'Content-Type': 'application/json',
    });
    expect(await call('GET', '/api/auth/me', undefined, bearer(`${secrets.adminToken}x`))).toMatchObject({
      status: 401,
    });
    await call('GET', `/api/auth/me?access_token=${secrets.adminToken}&email=${ADDRESSES.admin}`);
    await call('GET', `/nothing/${secrets.adminToken}?key=${SECRETS.unknownKey}`);
    return admin;
  }

  async function useKeys(admin: Record<string, string>): Promise<Record<string, string>> {
    const create = () => call('POST', '/api/api-keys', { name: 'Shop', scopes: ['send', 'read_events'] }, admin);
    const [used, revoked] = [(await create()).body, (await create()).body];
    Object.assign(secrets, { usedKey: used.secret, revokedKey: revoked.secret });
    await call('DELETE', `/api/api-keys/${revoked.id}`, undefined, admin);
    for (const secret of [SECRETS.unknownKey, revoked.secret as string])
      expect(await call('GET', '/api/messages', undefined, { 'X-API-Key': secret })).toMatchObject({ status: 401 });
    return { 'X-API-Key': used.secret as string };
  }

  async function changeSettings(admin: Record<string, string>) {
    const smtp = { host: '127.0.0.1', port: sink.port, username: 'relay-user', password: SECRETS.smtpPassword };
    const patch = (settings: object) => call('PATCH', '/api/settings', settings, admin);
    // Wrong: the relay refuses it, and says so.
    expect(await patch({ tracking: 'native', smtp })).toMatchObject({ status: 200 });
    await call('POST', '/api/senders', { email: ADDRESSES.sender }, admin);
    const right = { ...smtp, password: SECRETS.relayPassword, eventSigningKey: SECRETS.eventSigningKey };
    expect(await patch({ smtp: right })).toMatchObject({ status: 200 });
    const ses = { region: 'eu-west-1', accessKeyId: 'AKIATEST', secretAccessKey: SECRETS.sesSecret };
    expect(await patch({ ses })).toMatchObject({ status: 200 });
    expect(await patch({ ses: { ...ses, region: 'nowhere' } })).toMatchObject({ status: 400 });
    expect(await patch({ smtp: { ...right, port: SECRETS.smtpPassword } })).toMatchObject({ status: 400 });
  }

  async function verifySenders(admin: Record<string, string>) {
    await waitFor('the verification mail', async () => {
      const { body } = await call('GET', '/api/senders', undefined, admin);
      const [sender] = body.items as { id: string }[];
      if (!sender) await call('POST', '/api/senders', { email: ADDRESSES.sender }, admin);
      else if (sink.received().length === 0) await call('POST', `/api/senders/${sender.id}/resend`, undefined, admin);
      return sink.received().length > 0;
    });
    secrets.senderToken = /\/verify-sender\/([\w.-]+)/.exec(sink.received()[0]!.parsed.text!)![1]!;
    for (const method of ['GET', 'POST', 'POST']) await call(method, `/verify-sender/${secrets.senderToken}`);
    expect(await call('POST', '/api/senders', { email: ADDRESSES.refusedSender }, admin)).toMatchObject({
      status: 500,
    });
  }

  const mail = {
    fromEmail: ADDRESSES.sender,
    subject: 'News',
    html: '<a href="https://shop.example/">{{unsubscribeUrl}}</a>',
  };
  const send = (to: string, key: Record<string, string>) =>
    call('POST', '/api/send/transactional', { ...mail, to }, key);

  async function sendAndFollow(key: Record<string, string>, admin: Record<string, string>) {
    await call('POST', '/api/suppressions', { email: ADDRESSES.suppressed }, admin);
    expect(await send(ADDRESSES.suppressed, key)).toMatchObject({ status: 400 });
    expect(await send('not an address', key)).toMatchObject({ status: 400 });
    for (const to of [ADDRESSES.recipient, ADDRESSES.bounced, ADDRESSES.deferred])
      expect(await send(to, key)).toMatchObject({ status: 201 });
    const { parsed } = await waitFor('the mail', () =>
      sink.received().find(({ envelope }) => envelope.to[0] === ADDRESSES.recipient),
    );
    const links = [...(parsed.html || '').matchAll(/https?:\/\/[^/"]+(\/(?:r|u)\/[^"<]+)/g)].map(([, path]) =>
      path!.replaceAll('&amp;', '&'),
    );
    expect(links.length).toBeGreaterThanOrEqual(3);
    secrets.unsubscribeToken = links.find((path) => path.startsWith('/u/'))!.slice('/u/'.length);
    secrets.linkSignature = new URLSearchParams(links.find((path) => path.includes('u='))!.split('?')[1]).get('s')!;
    for (const path of links) await call('GET', path);
    for (const path of links) await call('GET', `${path}x`);
    await call('POST', `/u/${secrets.unsubscribeToken}`, 'List-Unsubscribe=One-Click', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    await process.waitForOutput(/"event":"delivery".*"outcome":"bounced"/);
    await process.waitForOutput(/"event":"delivery".*"outcome":"retry"/);
  }

  async function report(admin: Record<string, string>) {
    const { body } = await call('GET', '/api/messages', undefined, admin);
    const { id } = (body.items as { id: string }[])[0]!;
    const claims = JSON.parse(Buffer.from(secrets.adminToken!.split('.')[1]!, 'base64url').toString()) as {
      accountId: string;
    };
    const event = {
      id: 'e1',
      type: 'bounced',
      messageLogId: id,
      recipient: ADDRESSES.bounced,
      data: { bounceType: 'hard', diagnosticCode: ADDRESSES.bounced },
    };
    for (const signature of [SECRETS.eventSigningKey, 't=1,v1=00'])
      await call('POST', `/api/provider-events/smtp/${claims.accountId}`, event, { 'X-Signature': signature });
    await call('POST', '/api/suppressions/import', `email\n${ADDRESSES.suppressed}\nnot an address`, {
      ...admin,
      'Content-Type': 'text/csv',
    });
    await call('GET', `/api/suppressions?search=${ADDRESSES.suppressed}`, undefined, admin);
    await call('GET', '/api/suppressions/export', undefined, admin);
  }

  /** Faults of the service's own, which are logged with all that is known of them. */
  async function failInside(admin: Record<string, string>) {
    await sql.query('ALTER TABLE suppressions RENAME TO elsewhere');
    await sql.query('ALTER TABLE senders ADD CONSTRAINT broken CHECK (false) NOT VALID');
    expect(
      await call('POST', '/api/suppressions', { email: ADDRESSES.stranger, note: ADDRESSES.stranger }, admin),
    ).toMatchObject({ status: 500 });
    expect(await call('POST', '/api/senders', { email: ADDRESSES.stranger }, admin)).toMatchObject({ status: 500 });
    await sql.query('ALTER TABLE elsewhere RENAME TO suppressions');
    await sql.query('ALTER TABLE senders DROP CONSTRAINT broken');
    await sql.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await process.waitFor(
      'the service to be back',
      async () => (await call('GET', '/api/auth/me', undefined, admin)).status === 200,
    );
  }

  async function sendThroughSes(key: Record<string, string>, admin: Record<string, string>) {
    expect(await call('PATCH', '/api/settings', { emailProvider: 'ses' }, admin)).toMatchObject({ status: 200 });
    await sql.query(`UPDATE senders SET set_up_for = ${currentProviderKey('a')}, link_carrier = ${currentVerificationProvider('a')}
      FROM accounts a WHERE a.id = account_id`);
    await waitFor('a delivery through SES', async () => {
      await send('success@simulator.amazonses.com', key);
      return aws.requests('SendEmail') > 0;
    });
    await call('POST', '/api/domains', { name: 'shop.example' }, admin);
  }
});

/** Which of the values the text holds, in any of the usual disguises, and where. */
function results(text: string, values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const forms = [
      value,
      encodeURIComponent(value),
      Buffer.from(value).toString('base64').replace(/=+$/, '').slice(0, -1),
      Buffer.from(value).toString('hex'),
    ];
    const at = Math.max(...forms.map((form) => text.toLowerCase().indexOf(form.toLowerCase())));
    return at < 0 ? [] : [`${name}: ${text.slice(Math.max(0, at - 200), at + 200)}`];
  });
}

function isShown(line: string): boolean {
  if (!line.startsWith('{')) return true;
  return (JSON.parse(line) as { level: number }).level >= INFO;
}
