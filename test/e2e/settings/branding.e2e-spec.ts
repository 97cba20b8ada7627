import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import { newId } from '../../../src/shared/ids.js';
import type { TestAccount } from '../../support/account.js';
import { PAGE_HEADERS } from '../../support/page-headers.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import type { TestService } from '../../support/service.js';

const LOGO = 'https://cdn.example.com/logo,a;b.png?v=2&w="><script>';

/** The pages for people without a login. */
describe('The branding of an account', () => {
  let fixture: RelayFixture;
  let service: TestService;
  let account: TestAccount;

  beforeAll(async () => {
    fixture = await RelayFixture.start();
    ({ service } = fixture);
  });
  afterAll(() => fixture.stop());
  beforeEach(async () => {
    fixture.relay.reset();
    account = await service.createAccount({ name: 'Ada & Sons' });
  });

  const brand = (branding: object) => account.asAdmin('patch', '/api/settings').send({ branding }).expect(200);
  const unsubscribePath = (accountId: string) => {
    const links = service.app.get(UnsubscribeLinks, { strict: false });
    const messageId = newId(service.clock.now());
    return new URL(links.linkTo({ accountId, messageId, email: 'ada@example.org', topicId: null })).pathname;
  };
  const verifyPath = async () => {
    await service.query('DELETE FROM verification_mail_counts'); // the tests share the address
    await account.asAdmin('post', '/api/senders').send({ email: 'shop@example.com' }).expect(201);
    return /\/verify-sender\/[\w-]{43}/.exec(fixture.relay.received()[0]!.parsed.text!)![0];
  };
  const pathOf = { unsubscribe: () => unsubscribePath(account.id), 'verify-sender': verifyPath };
  const policyOf = ({ headers }: { headers: Record<string, string> }) => headers['content-security-policy']!;

  it.each(['unsubscribe', 'verify-sender'] as const)('is on the page %s, before and after its button', async (page) => {
    await brand({ logoUrl: LOGO, color: '#ffd43b' });
    const path = await pathOf[page]();
    for (const method of ['get', 'post'] as const) {
      const { text, ...response } = await service.request(method, path);
      expect([200, 201]).toContain(response.status);
      expect(text).toContain(
        '<header><img src="https://cdn.example.com/logo,a;b.png?v=2&amp;w=&quot;&gt;&lt;script&gt;" alt="Ada &amp; Sons"></header>',
      );
      expect(text).toContain('--brand:#ffd43b;--on-brand:#000000;');
      expect(policyOf(response)).toMatch(
        /^default-src 'none'; img-src https:\/\/cdn\.example\.com\/logo%2Ca%3Bb\.png; style-src 'sha256-[^']+'; form-action/,
      );
    }
  });

  it('is its name alone by default, and nothing is loaded', async () => {
    const { text, headers } = await service.request('get', unsubscribePath(account.id)).expect(200);
    expect(text).toContain('<header>Ada &amp; Sons</header>');
    expect(headers).toMatchObject(PAGE_HEADERS);
  });

  it('is that of the account for a message of a test key', async () => {
    await account.createKey({ mode: 'test' });
    await brand({ color: '#0b7285' });
    const [row] = await service.query<{ id: string }>('SELECT id FROM accounts WHERE test_of = $1', [account.id]);
    const { text } = await service.request('get', unsubscribePath(row!.id)).expect(200);
    expect(text).toContain('<header>Ada &amp; Sons</header>');
    expect(text).toContain('--brand:#0b7285;--on-brand:#ffffff;');
  });

  it('is not that of another account', async () => {
    await brand({ logoUrl: LOGO, color: '#ffd43b' });
    const other = await service.createAccount({ name: 'Other' });
    const { text, ...response } = await service.request('get', unsubscribePath(other.id)).expect(200);
    expect(text).not.toMatch(/ffd43b|<img/);
    expect(policyOf(response)).not.toContain('img-src');
  });
});
