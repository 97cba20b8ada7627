import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { budget } from '../../support/budget.js';
import { TestService } from '../../support/service.js';
import { addTopic } from '../../support/topics.js';
import { waitFor } from '../../support/wait-for.js';

const CLICKS = budget({ quick: 150, soak: 500 });
const ROWS = 4 * CLICKS;

describe('Many recipients who unsubscribe by one click', () => {
  let service: TestService;
  let account: TestAccount;
  let other: TestAccount;
  let topicId: string;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  beforeEach(async () => {
    account = await service.createAccount();
    other = await service.createAccount();
    topicId = (await addTopic(account)).id;
  });
  afterAll(() => service.stop());

  const pathFor = (email: string, topicId: string | null) => {
    const links = service.app.get(UnsubscribeLinks, { strict: false });
    const target = { accountId: account.id, messageId: 'c123456789012345678901234', email, topicId };
    return new URL(links.linkTo(target)).pathname;
  };
  /** Repeats what is refused because the account is locked for too long, which a slow machine brings about. */
  const clickOn =
    (topicId: string | null) =>
    async (email: string): Promise<number> => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = 'List-Unsubscribe=One-Click';
      return waitFor(`${email} to be unsubscribed`, async () => {
        const answer = await fetch(`${service.url}${pathFor(email, topicId)}`, { method: 'POST', headers, body });
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
  const statuses = () =>
    service.query<{ status: string; count: number }>(
      'SELECT status, count(*)::integer AS count FROM contacts WHERE account_id = $1 GROUP BY status ORDER BY status',
      [account.id],
    );

  const emails = Array.from({ length: CLICKS }, (_, i) => `user${i}@example.com`);
  const clickAll = async (click: (email: string) => Promise<number>) => {
    const imports = [account, other].flatMap((of) => Array.from({ length: 8 }, (_, i) => upload(of, `file${i}`)));
    const clicks = [...emails, ...emails.slice(0, CLICKS / 5)].map(click);
    expect(new Set(await Promise.all(clicks))).toEqual(new Set([200]));
    expect(new Set(await Promise.all(imports))).toEqual(new Set([200]));
  };
  /** Outside of the transaction of `hold`, whose view of pg_stat_activity does not change. */
  const countWaiting = async () => {
    const { rowCount } = await service.database.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rowCount;
  };
  const emitted = async (type: string) => {
    const events = await service.query<{ email: string }>(
      `SELECT data ->> 'email' AS email FROM outbox_events WHERE account_id = $1 AND type = $2`,
      [account.id, type],
    );
    return { count: events.length, people: new Set(events.map(({ email }) => email)).size };
  };

  it('are answered and suppressed while contacts are imported into their account and another', async () => {
    await clickAll(clickOn(null));
    expect(await statuses()).toEqual([
      { status: 'active', count: ROWS - CLICKS },
      { status: 'unsubscribed', count: CLICKS + 8 },
    ]);
    expect(await emitted('contact.unsubscribed')).toEqual({ count: CLICKS + 8, people: CLICKS + 8 });
  });

  it('from a topic are answered and recorded once in the same circumstances', async () => {
    await clickAll(clickOn(topicId));
    expect(await statuses()).toEqual([
      { status: 'active', count: ROWS },
      { status: 'unsubscribed', count: 8 },
    ]);
    expect(await emitted('contact.preferences_changed')).toEqual({ count: CLICKS, people: CLICKS });
    const withdrawn = await service.query(
      `SELECT FROM consent_records WHERE account_id = $1 AND topic_id = $2 AND action = 'withdrawn'`,
      [account.id, topicId],
    );
    expect(withdrawn).toHaveLength(CLICKS);
  });

  it.each(['everything', 'a topic'])(
    'from %s take one connection while their account is locked, and none if they unsubscribed before',
    async (what) => {
      const click = clickOn(what === 'a topic' ? topicId : null);
      await click('early@example.com');
      const answers: Promise<PromiseSettledResult<number>[]>[] = [];
      await service.hold(async () => {
        await service.query('SELECT pg_advisory_xact_lock(7203118, hashtext($1))', [account.id]);
        answers.push(Promise.allSettled(Array.from({ length: 100 }, (_, i) => click(`late${i}@example.com`))));
        expect(await click('early@example.com')).toBe(200);
        await waitFor('a connection that waits', async () => ((await countWaiting()) ?? 0) > 0);
        expect(await countWaiting()).toBe(1);
      });
      const settled = (await answers[0]) ?? [];
      expect(settled).toEqual(settled.map(() => ({ status: 'fulfilled', value: 200 })));
    },
  );
});
