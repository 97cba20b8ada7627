import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { CampaignRuns } from '../../../src/modules/campaigns/application/ports/campaign-runs.js';
import { ImportClaims } from '../../../src/modules/imports/application/ports/import-claims.js';
import { ImportRepository } from '../../../src/modules/imports/application/ports/import.repository.js';
import { PendingDeliveryRepository } from '../../../src/modules/messages/index.js';
import { OptOutSyncRepository } from '../../../src/modules/sms/application/ports/opt-out-sync.repository.js';
import { OutboxDispatcher } from '../../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import { WebhookDeliveryRepository } from '../../../src/modules/webhooks/application/ports/webhook-delivery.repository.js';
import { DatabaseClock } from '../../../src/platform/database/database-clock.js';
import { RateSlots } from '../../../src/platform/rate-limit/rate-slots.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { CampaignFixture } from '../../support/campaign-fixture.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { makeClockSettable } from '../../support/database-clock.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'hello@example.org';

/** A row that is leased: how a process claims it, null if it may not, and renews its claim. */
interface Leased {
  claim: (service: TestService) => Promise<{ renew: () => Promise<void> } | null>;
}

const get = <T>(service: TestService, token: abstract new (...values: never[]) => T): T =>
  service.app.get<T>(token, { strict: false });

async function aMessage(service: TestService, account: TestAccount): Promise<Leased> {
  const { secret } = await account.createKey();
  const { body } = await postEmail(service, secret, { fromEmail: SENDER, text: 'Hello' }).expect(201);
  return {
    claim: async (by) => {
      const deliveries = get(by, PendingDeliveryRepository);
      const claimed = await deliveries.claim(account.id, [body.messageLogId as string]);
      return claimed.length === 0 ? null : { renew: () => deliveries.renew(claimed) };
    },
  };
}

async function aWebhook(service: TestService, account: TestAccount): Promise<Leased> {
  const endpoint = { url: 'https://hooks.example.com', events: ['contact.suppressed'] };
  const { body } = await account.asAdmin('post', '/api/webhooks').send(endpoint).expect(201);
  await account.asAdmin('post', '/api/suppressions').send({ email: 'ada@example.net' }).expect(201);
  await get(service, OutboxDispatcher).dispatch();
  return {
    claim: async (by) => {
      const deliveries = get(by, WebhookDeliveryRepository);
      const claimed = await deliveries.claimAcrossAccounts(body.id as string, 10);
      return claimed.length === 0 ? null : { renew: () => deliveries.renew(claimed) };
    },
  };
}

async function anImport(service: TestService, account: TestAccount): Promise<Leased> {
  const imports = get(service, ImportRepository);
  const now = service.clock.now();
  const id = newId(now);
  await imports.open(account.id, id, now);
  await imports.append(account.id, id, 0, Buffer.from('email\n'), now);
  await imports.queue(account.id, id, { mapping: { email: 'email' }, listId: null, dryRun: false });
  return {
    claim: async (by) => {
      const claims = get(by, ImportClaims);
      const claim = await claims.claim(account.id, by.clock.now());
      return claim && { renew: () => claims.renew(claim.claimed) };
    },
  };
}

async function aCampaign(service: TestService, account: TestAccount): Promise<Leased> {
  const fixture = CampaignFixture.forAccount(service, account);
  const listId = await fixture.addList('Readers');
  await fixture.addContact('reader@example.com', { listIds: [listId] });
  const { id } = await fixture.create({ audience: { listIds: [listId] } });
  await fixture.act(id as string, 'start').expect(200);
  return {
    claim: async (by) => {
      const runs = get(by, CampaignRuns);
      const run = await runs.claim(account.id, id as string, by.clock.now());
      return run && { renew: () => runs.renew(run) };
    },
  };
}

const anOptOutSync = (_: TestService, account: TestAccount): Promise<Leased> =>
  Promise.resolve({
    claim: async (by) => {
      const syncs = get(by, OptOutSyncRepository);
      const pass = await syncs.claim(account.id, 'source', by.clock.now());
      return pass && { renew: () => syncs.renew(pass) };
    },
  });

/** As after a failover, or when the machine of the database was paused. Each service has its own copy of the clock. */
describe('When the clock of the database is set', () => {
  let database: TestDatabase;
  let setClock: (shiftSeconds: number) => Promise<void>;
  let holder: TestService;
  let other: TestService;

  beforeAll(async () => {
    database = await createTestDatabase();
    setClock = await makeClockSettable(database);
    const variables = {
      ROLE: 'api',
      SMTP_URL: 'smtp://127.0.0.1:1',
      APP_SECRET: 'one secret of both processes, long enough',
    };
    holder = await TestService.start(variables, database);
    other = await TestService.start(variables, database);
  });
  afterAll(async () => {
    await other.stop();
    await holder.stop();
    await database.drop();
  });
  const clockOf = (service: TestService): DatabaseClock =>
    service.app.get<DatabaseClock>(DatabaseClock, { strict: false });
  /** As some time after the clock was set. */
  const settle = async (service: TestService) => {
    await clockOf(service).synchronise();
    Object.assign(clockOf(service), { steppedAt: -Infinity });
  };

  it.each([
    ['a message', aMessage],
    ['a webhook delivery', aWebhook],
    ['an import', anImport],
    ['a campaign', aCampaign],
    ['an opt-out sync', anOptOutSync],
  ])('%s stays with the process that holds it, and is taken over once its lease has ended', async (_, prepare) => {
    for (const shift of [-60, 60]) {
      await setClock(0);
      for (const service of [holder, other]) await settle(service);
      const account = await holder.createAccount();
      await account.verifySender(SENDER);
      const leased = await prepare(holder, account);
      const held = await leased.claim(holder);
      expect(held).not.toBeNull();

      await setClock(shift);
      expect(await leased.claim(other)).toBeNull();
      await clockOf(other).synchronise();
      expect(await leased.claim(other)).toBeNull();
      await held!.renew();
      await settle(other);
      expect(await leased.claim(other)).toBeNull();

      await setClock(shift + 61);
      other.clock.advance({ minutes: 5 }); // the times of webhooks that are due are compared with it
      await settle(other);
      expect(await leased.claim(other)).not.toBeNull();
    }
  });

  it('reserves slots of a rate from the new time on once the clock is set back', async () => {
    const slots = get(holder, RateSlots);
    const reserve = (intervalMs: number) => slots.reserve('a rate', { count: 1, intervalMs, isShared: true });
    await setClock(3_600);
    await reserve(60_000);
    expect(await reserve(1)).toEqual({ count: 1, waitMs: expect.any(Number), intervalMs: 60_000 });
    await setClock(0);
    expect(await reserve(1)).toEqual({ count: 1, waitMs: 0, intervalMs: 1 });
  });
});
