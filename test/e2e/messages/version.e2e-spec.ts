import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { MessageActivity } from '../../../src/modules/messages/application/ports/message-activity.js';
import { MessageRollup } from '../../../src/modules/messages/application/ports/message-maintenance.js';
import type { TestAccount } from '../../support/account.js';
import { insertMessages, type MessageRow } from '../../support/message-rows.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

describe('GET /api/messages/version', () => {
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
  });

  const versionOf = async (of = account) => {
    const { body, headers } = await of.asMember('get', '/api/messages/version').expect(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(body).toEqual({ version: expect.any(String) });
    return body.version as string;
  };
  /** Open dashboards share a query for a second. */
  const nextVersion = (before: string) =>
    waitFor('another version', async () => {
      const version = await versionOf();
      return version === before ? undefined : version;
    });
  const insert = (row: Partial<MessageRow> = {}) => insertMessages(service, account.id, [row]);

  it('changes with a new message, its status, its opens and clicks, and while it is sent', async () => {
    const seen = [await versionOf()];
    const changes: (() => Promise<unknown>)[] = [];
    let id: string | undefined;
    changes.push(async () => ([id] = await insert({ status: 'queued' })));
    changes.push(() =>
      service.query(`UPDATE pending_deliveries SET lease_ends_at = 'infinity' WHERE message_id = $1`, [id]),
    );
    changes.push(() => service.query('DELETE FROM pending_deliveries WHERE message_id = $1', [id]));
    changes.push(() => service.query(`UPDATE message_logs SET status = 'sent' WHERE id = $1`, [id]));
    changes.push(() => service.query('UPDATE message_logs SET opens = 1 WHERE id = $1', [id]));
    changes.push(() => service.query('UPDATE message_logs SET clicks = 1 WHERE id = $1', [id]));
    changes.push(() => insert());
    for (const change of changes) {
      await change();
      seen.push(await nextVersion(seen.at(-1)!));
    }
    // The message is as queued when nobody sends it as before it was leased.
    expect(new Set(seen).size).toBe(seen.length - 1);
  });

  it('does not change with other accounts, nor when counts are rolled up', async () => {
    await insert();
    const activity = service.app.get(MessageActivity, { strict: false });
    /** Not cached. */
    const current = async () => (await activity.versionsAcrossAccounts([account.id], new Date(0))).get(account.id);
    const before = await current();
    await insertMessages(service, (await service.createAccount()).id, [{}]);
    expect(await current()).toBe(before);
    await service.app.get(MessageRollup, { strict: false }).rollUpCountsAcrossAccounts();
    expect(await current()).toBe(before);
    await insert();
    expect(await current()).not.toBe(before);
  });
});
