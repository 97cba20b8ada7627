import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Config } from '../../../src/config/config.js';
import { KnownDevices } from '../../../src/modules/accounts/application/ports/known-devices.js';
import { JwtSessionTokens } from '../../../src/modules/accounts/infrastructure/jwt-session-tokens.js';
import { UnsubscribeLinks } from '../../../src/modules/suppression/application/ports/unsubscribe-links.js';
import { TrackedLinks } from '../../../src/modules/tracking/application/ports/tracked-links.js';
import { AesSecretBox } from '../../../src/platform/crypto/aes-secret-box.js';
import { rotateSecretFromArguments } from '../../../src/commands/secret-rotate.js';
import { newId } from '../../../src/shared/ids.js';
import { SecretBox } from '../../../src/shared/ports/secret-box.js';
import type { TestAccount } from '../../support/account.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { TestService } from '../../support/service.js';

const FORMER = 'the former secret, of thirty-two characters and more';
const NEW = 'the new secret, which has thirty-two characters as well';
const OTHER = 'a secret that was never used, of thirty-two characters';
const REFUSED = 'APP_SECRET is not the one of this database';
const SENDER = 'shop@example.com';
const ERASED = 'erased@example.org';
const TARGET = 'https://example.com/';
const SEALED = `
  SELECT sealed FROM accounts, unnest(ARRAY[smtp ->> 'sealedPassword', smtp ->> 'sealedEventSigningKey',
    ses ->> 'sealedSecretAccessKey', sms ->> 'sealedEventSigningKey', sms ->> 'sealedTwilioAuthToken']) AS sealed WHERE sealed IS NOT NULL
  UNION ALL SELECT sealed FROM webhook_endpoints, unnest(ARRAY[sealed_secret, sealed_previous_secret]) AS sealed
  UNION ALL SELECT sealed_dkim_key FROM domains
  UNION ALL SELECT sealed_email FROM contact_erasures
  UNION ALL SELECT sealed FROM installation_keys`;
const SEALED_TEXTS = 10;
/** How many of them are sealed anew before the keys of domains. */
const BEFORE_DOMAINS = 7;

describe('APP_SECRET', () => {
  let database: TestDatabase;
  let account: TestAccount;
  let key: string;
  let issued: Awaited<ReturnType<typeof issueAll>>;

  beforeAll(async () => {
    database = await createTestDatabase();
    await inService(FORMER, undefined, async (service) => {
      account = await service.createAccount();
      key = (await account.createKey()).secret;
      await sealAll(service);
      issued = issueAll(service);
    });
  });
  afterAll(() => database.drop());

  async function inService(
    APP_SECRET: string,
    previous: string | undefined,
    work: (service: TestService) => Promise<void>,
  ): Promise<void> {
    const service = await TestService.start({ ROLE: 'api', APP_SECRET, APP_SECRET_PREVIOUS: previous ?? '' }, database);
    try {
      await work(service);
    } finally {
      await service.stop();
    }
  }

  const rotate = (args: string[] = []) =>
    rotateSecretFromArguments(args, {
      databaseUrl: database.url,
      dataDir: '/nowhere',
      appSecret: NEW,
      appSecretPrevious: FORMER,
    });

  /** One of every text that is stored sealed, and an erased person. */
  async function sealAll(service: TestService): Promise<void> {
    await account.verifySender(SENDER);
    const write = (path: string, body: object) => account.asAdmin('post', path).send(body);
    const smtp = { host: '127.0.0.1', port: 25, secure: false, username: 'ada', password: 'a relay password' };
    await account
      .asAdmin('patch', '/api/settings')
      .send({
        smtp: { ...smtp, allowPlaintext: true, vendor: 'generic', eventSigningKey: 'an event signing key' },
        ses: { region: 'eu-west-1', accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'an AWS secret' },
        sms: { enabled: true, region: 'eu-west-1', eventSigningKey: 'another event signing key' },
      })
      .expect(200);
    const twilio = { accountSid: `AC${'a'.repeat(32)}`, authToken: 'the token of an account' };
    const change = account.asAdmin('patch', '/api/settings');
    await change.send({ sms: { provider: 'twilio', twilio } }).expect(200);
    const webhook = { url: 'https://example.com/hook', events: ['contact.suppressed'] };
    const { body: endpoint } = await write('/api/webhooks', webhook).expect(201);
    await write(`/api/webhooks/${endpoint.id}/rotate-secret`, {}).expect(200);
    await write('/api/domains', { name: 'example.net' }).expect(201);
    const { body: contact } = await write('/api/contacts', { email: ERASED }).expect(201);
    await write(`/api/contacts/${contact.id}/erase`, {}).expect(200);
    expect(await service.query(SEALED)).toHaveLength(SEALED_TEXTS);
  }

  const port = <T>(service: TestService, token: abstract new () => T): T => service.app.get(token, { strict: false });

  function issueAll(service: TestService) {
    const messageId = newId(service.clock.now());
    const device = { id: account.id, sessionStamp: 'a stamp' };
    const target = { accountId: account.id, messageId, email: 'bob@example.org', topicId: null };
    return {
      messageId,
      device,
      unsubscribe: new URL(port(service, UnsubscribeLinks).linkTo(target)).pathname.slice('/u/'.length),
      click: new URL(port(service, TrackedLinks).click(messageId, TARGET)).searchParams.get('s')!,
      cookie: port(service, KnownDevices).remember(undefined, device),
    };
  }

  /** What the service accepts of what was issued with the former secret. */
  const accepted = async (service: TestService) => ({
    unsubscribe: port(service, UnsubscribeLinks).read(issued.unsubscribe) !== null,
    click: port(service, TrackedLinks).isClick(issued.messageId, TARGET, issued.click),
    device: port(service, KnownDevices).identify(issued.cookie, issued.device) !== null,
    session: (await service.request('get', '/api/auth/me', account.adminToken)).status === 200,
  });

  const expectErasedIsSuppressed = (service: TestService) =>
    service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', key)
      .send({ to: ERASED, fromEmail: SENDER, subject: 'Hello', text: 'Hello' })
      .expect(400)
      .expect(({ body }) => {
        expect(body.message).toBe(`${ERASED} is suppressed`);
      });

  async function readableWith(service: TestService, appSecret: string): Promise<number> {
    const box = new AesSecretBox({ appSecret });
    const rows = await service.query<{ sealed: string }>(SEALED);
    return rows.filter(({ sealed }) => {
      try {
        return box.open(sealed) !== '';
      } catch {
        return false;
      }
    }).length;
  }

  it('of another database prevents the start, and says what to do', async () => {
    await expect(inService(OTHER, undefined, () => Promise.resolve())).rejects.toThrow(REFUSED);
    await expect(inService(NEW, OTHER, () => Promise.resolve())).rejects.toThrow('npm run secret:rotate');
  });

  it('verifies and decrypts also with the previous one, and signs and encrypts with the new one', async () => {
    await inService(NEW, FORMER, async (service) => {
      expect(await accepted(service)).toEqual({ unsubscribe: true, click: true, device: true, session: true });
      await expectErasedIsSuppressed(service);
      const sealed = port(service, SecretBox).seal('a password');
      expect(new AesSecretBox({ appSecret: NEW }).open(sealed)).toBe('a password');
      const { adminToken } = await service.createAccount();
      expect(await new JwtSessionTokens({ appSecret: NEW } as Config).verify(adminToken)).not.toBeNull();
    });
  });

  it('needs the previous one until everything is encrypted anew, and then no longer', async () => {
    await inService(NEW, FORMER, async (service) => {
      await service.query('ALTER TABLE domains RENAME sealed_dkim_key TO hidden');
      await expect(rotate()).rejects.toThrow('sealed_dkim_key does not exist');
      await service.query('ALTER TABLE domains RENAME hidden TO sealed_dkim_key');
      expect(await readableWith(service, NEW)).toBe(BEFORE_DOMAINS);
    });
    await expect(inService(NEW, undefined, () => Promise.resolve())).rejects.toThrow(REFUSED);

    expect(await rotate()).toBe(
      `Encrypted anew: ${SEALED_TEXTS - BEFORE_DOMAINS}\nReadable with neither secret, and left as they are: 0`,
    );
    expect(await rotate()).toContain('Encrypted anew: 0');
    await expect(inService(FORMER, undefined, () => Promise.resolve())).rejects.toThrow(REFUSED);
    await inService(NEW, undefined, async (service) => {
      expect(await readableWith(service, NEW)).toBe(SEALED_TEXTS);
      expect(await accepted(service)).toEqual({ unsubscribe: false, click: false, device: false, session: false });
      await expectErasedIsSuppressed(service);
    });
  });

  it('changed together with the upgrade to this release prevents the start: the database keeps no key of it', async () => {
    await inService(NEW, undefined, async (service) => {
      await service.query('DELETE FROM installation_keys');
    });
    await expect(inService(OTHER, undefined, () => Promise.resolve())).rejects.toThrow(REFUSED);
    await inService(NEW, undefined, async (service) => {
      expect(await readableWith(service, NEW)).toBe(SEALED_TEXTS);
    });
  });

  it('that is lost can be replaced', async () => {
    expect(await rotate(['--lost'])).toContain('The next start takes its APP_SECRET');
    // As in a database of an earlier release, it is unknown which of two the hashes of erased addresses are of.
    const withoutPrevious = 'without APP_SECRET_PREVIOUS';
    await expect(inService(OTHER, NEW, () => Promise.resolve())).rejects.toThrow(withoutPrevious);
    await expect(rotate()).rejects.toThrow(withoutPrevious);
    await inService(OTHER, undefined, () => Promise.resolve());
    await expect(inService(NEW, undefined, () => Promise.resolve())).rejects.toThrow(REFUSED);
  });
});
