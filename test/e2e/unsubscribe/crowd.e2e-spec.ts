import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { raceBehind } from '../../support/race.js';
import { TestService } from '../../support/service.js';
import { waitFor } from '../../support/wait-for.js';

const CLICKS = 500;
const ROWS = 2_000;

describe('Many recipients who unsubscribe by one click', () => {
  let service: TestService;
  let account: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    service = await TestService.shared();
    account = await service.createAccount();
    other = await service.createAccount();
  });
  afterAll(() => service.stop());

  const pathFor = (email: string) => {
    const links = service.app.get(UnsubscribeLinks, { strict: false });
    return new URL(
      links.linkTo({ accountId: account.id, messageId: 'c123456789012345678901234', email, topicId: null }),
    ).pathname;
  };
  /** Repeats what is refused because the account is locked for too long, which a slow machine brings about. */
  const click = async (email: string): Promise<number> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'List-Unsubscribe=One-Click';
    return waitFor(`${email} to be unsubscribed`, async () => {
      const answer = await fetch(`${service.url}${pathFor(email)}`, { method: 'POST', headers, body });
      await answer.text();
      return answer.status !== 503 && answer.status;
    });
  };
  const upload = async (of: TestAccount, name: string): Promise<number> => {
    const contacts = Array.from({ length: ROWS }, (_, i) => ({ email: `user${i}@example.com`, company: name }));
    const first = { ...contacts[0], email: `${name}@example.com`, status: 'unsubscribed' };
    return waitFor(`the import of ${name}`, async () => {
      const { status } = await of.asAdmin('post', '/api/contacts/import').send({ contacts: [first, ...contacts] });
      return status !== 503 && status;
    });
  };
  const emails = Array.from({ length: CLICKS }, (_, i) => `user${i}@example.com`);
  const statuses = () =>
    service.query<{ status: string; count: number }>(
      'SELECT status, count(*)::integer AS count FROM contacts WHERE account_id = $1 GROUP BY status ORDER BY status',
      [account.id],
    );

  it('are answered and suppressed while contacts are imported into their account and another', async () => {
    const imports = [account, other].flatMap((of) => Array.from({ length: 8 }, (_, i) => upload(of, `file${i}`)));
    const clicks = [...emails, ...emails.slice(0, 100)].map(click);
    expect(new Set(await Promise.all(clicks))).toEqual(new Set([200]));
    expect(new Set(await Promise.all(imports))).toEqual(new Set([200]));
    expect(await statuses()).toEqual([
      { status: 'active', count: ROWS - CLICKS },
      { status: 'unsubscribed', count: CLICKS + 8 },
    ]);
    const emitted = await service.query<{ email: string }>(
      `SELECT data ->> 'email' AS email FROM outbox_events WHERE account_id = $1 AND type = 'contact.unsubscribed'`,
      [account.id],
    );
    expect(emitted).toHaveLength(CLICKS + 8);
    expect(new Set(emitted.map(({ email }) => email)).size).toBe(CLICKS + 8);
  });

  it('take one connection while their account is locked, and none if they unsubscribed before', async () => {
    const hold = () => service.query('SELECT pg_advisory_xact_lock(7203118, hashtext($1))', [account.id]);
    const crowd = async () => Promise.all(Array.from({ length: 100 }, (_, i) => click(`late${i}@example.com`)));
    const [answers] = await raceBehind(service, hold, [
      async () => {
        const waiting = crowd();
        expect(await click('user1@example.com')).toBe(200);
        return waiting;
      },
    ]);
    expect(new Set(answers)).toEqual(new Set([200]));
  });
});
