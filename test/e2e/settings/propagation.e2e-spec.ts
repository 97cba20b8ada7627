import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SigningKeys } from '../../../src/modules/domains/application/ports/signing-keys.js';
import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import { SenderDirectory } from '../../../src/modules/senders/index.js';
import { AccountChanges } from '../../../src/shared/ports/account-changes.js';
import type { TestAccount } from '../../support/account.js';
import { sendEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';
import { verifyDomain } from '../../support/verify-domain.js';
import { waitFor } from '../../support/wait-for.js';

const SMS = { enabled: true, region: 'eu-west-1', originationNumber: '+12065550100' };
const VARIABLES = { APP_SECRET: 'a secret that both processes share' };

describe('A change of settings', () => {
  let service: TestService;
  let other: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.start(VARIABLES);
    other = await TestService.start({ ...VARIABLES, ROLE: 'worker' }, { url: service.database.url });
    account = await service.createAccount();
  });
  afterAll(async () => {
    await other.stop();
    await service.stop();
  });

  const change = (body: object) => account.asAdmin('patch', '/api/settings').send(body).expect(200);
  const directoryOf = (process: TestService) => process.app.get(ProviderDirectory, { strict: false });

  it('applies at once in the process that made it', async () => {
    const directory = directoryOf(service);
    for (const originationNumber of ['+12065550100', '+12065550101', '+12065550102']) {
      await directory.findSms(account.id);
      await change({ sms: { ...SMS, originationNumber } });
      expect(await directory.findSms(account.id)).toMatchObject({ originationNumber });
      await directory.findSms(account.id);
      await change({ sms: null });
      expect(await directory.findSms(account.id)).toBeNull();
    }
  });

  it('reaches another process', async () => {
    const directory = directoryOf(other);
    for (const host of ['smtp1.example.com', 'smtp2.example.com', 'smtp3.example.com']) {
      await directory.find(account.id);
      const changes = changesOf(other);
      await change({ smtp: { host, port: 587, username: null, password: null } });
      await waitFor('the announcement', () => changes.includes(account.id));
      expect(await directory.find(account.id)).toMatchObject({ relay: { host } });
    }
  });

  it('is announced only if it commits', async () => {
    const [here, there] = [changesOf(service), changesOf(other)];
    const announcements = service.app.get(AccountChanges, { strict: false });
    const rolledBack = service.database.run(async () => {
      await announcements.announce('rolled back');
      throw new Error('after the announcement');
    });
    await expect(rolledBack).rejects.toThrow('after the announcement');
    await service.database.run(async () => {
      await announcements.announce('committed');
      expect(here).toEqual([]);
    });
    expect(new Set(here)).toEqual(new Set(['committed']));
    await waitFor('the announcement', () => there.includes('committed'));
    expect(there).toEqual(['committed']);
  });

  it('is not missed by a process that lost its connection: it clears its caches when it listens again', async () => {
    const directory = directoryOf(other);
    await directory.find(account.id);
    const changes = changesOf(other);
    await service.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'delivery-service-changes' AND datname = current_database()`,
    );
    await waitFor('both processes to listen again', async () => {
      const [row] = await service.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_stat_activity
         WHERE application_name = 'delivery-service-changes' AND datname = current_database() AND query ILIKE 'LISTEN%'`,
      );
      return row?.count === 2 && changes.filter((accountId) => accountId === null).length >= 2;
    });
    await change({ smtp: { host: 'smtp4.example.com', port: 587, username: null, password: null } });
    await waitFor('the announcement', () => changes.includes(account.id));
    expect(await directory.find(account.id)).toMatchObject({ relay: { host: 'smtp4.example.com' } });
  });

  it('of a domain ends the use of its signing key', async () => {
    const keys = service.app.get(SigningKeys, { strict: false });
    const { body: domain } = await account
      .asAdmin('post', '/api/domains')
      .send({ name: 'signed.example.com' })
      .expect(201);
    await service.query(`UPDATE domains SET dkim_status = 'verified' WHERE id = $1`, [domain.id]);
    expect(await keys.find(account.id, 'signed.example.com')).not.toBeNull();
    await account.asAdmin('delete', `/api/domains/${domain.id}`).expect(200);
    expect(await keys.find(account.id, 'signed.example.com')).toBeNull();
  });

  it('of a sender or domain ends the acceptance of its mail', async () => {
    const [here, there] = [service, other].map((process) => process.app.get(SenderDirectory, { strict: false }));
    const requireBoth = async (email: string) => {
      for (const directory of [here!, there!]) await directory.requireRecentlyVerified(account.id, email);
    };
    const endsAfter = async (email: string, change: () => Promise<unknown>) => {
      await requireBoth(email);
      const changes = changesOf(other);
      await change();
      const refusal = { code: 'sender_not_verified' };
      await expect(here!.requireRecentlyVerified(account.id, email)).rejects.toMatchObject(refusal);
      await waitFor('the announcement', () => changes.length > 0);
      await expect(there!.requireRecentlyVerified(account.id, email)).rejects.toMatchObject(refusal);
    };
    const idOf = async (path: string) =>
      ((await account.asAdmin('get', path).expect(200)).body as { items: { id: string }[] }).items[0]!.id;

    await account.verifySender('ada@alone.example');
    await endsAfter('ada@alone.example', async () =>
      account.asAdmin('delete', `/api/senders/${await idOf('/api/senders')}`).expect(200),
    );
    await verifyDomain(service, account, 'gone.example');
    await endsAfter('ada@gone.example', async () =>
      account.asAdmin('delete', `/api/domains/${await idOf('/api/domains')}`).expect(200),
    );
    await account.verifySender('ada@taken.example');
    const owner = await service.createAccount();
    await endsAfter('ada@taken.example', () => verifyDomain(service, owner, 'taken.example'));
  });

  it('of its daily cap counts for the next request', async () => {
    await account.verifySender('shop@example.com');
    const key = await account.createKey();
    const invalid = () => service.request('post', '/api/send/transactional').set('X-API-Key', key.secret).send({});
    await sendEmail(service, key.secret, { text: 'Hello' });
    await invalid().expect(400);
    await change({ dailySendCap: 1 });
    await invalid().expect(429);
    await change({ dailySendCap: 1_000 });
    await invalid().expect(400);
  });

  function changesOf(process: TestService): (string | null)[] {
    const changes: (string | null)[] = [];
    process.app.get(AccountChanges, { strict: false }).onChange((accountId) => changes.push(accountId));
    return changes;
  }
});
