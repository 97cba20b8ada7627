import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { SMTP_VENDORS, type SmtpVendor } from '../../../src/shared/account-provider.js';
import type { TestAccount } from '../../support/account.js';
import { budget, FUZZ_SEED } from '../../support/budget.js';
import { errorFault } from '../../support/errors.js';
import { HOSTILE_VALUES, toJson } from '../../support/hostile-requests.js';
import { ProviderEvents, sample, samplesOf } from '../../support/provider-events.js';
import { KEYS, SIGN } from '../../support/vendor-posts.js';

const RUNS = budget({ quick: 25, soak: 1_000 });

const GENERIC = {
  id: 'e1',
  type: 'bounced',
  messageLogId: 'm1',
  occurredAt: '2026-11-01T00:00:00Z',
  data: { bounceType: 'hard' },
};

/** Whoever holds the key may be mistaken all the same. */
describe('Signed events that hold anything', () => {
  let events: ProviderEvents;
  let stored = 0;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(async () => {
    await events.stop();
    expect(stored).toBeGreaterThan(RUNS);
  });

  const samplesOfVendor = (vendor: SmtpVendor): unknown[] =>
    ['mailgun', 'postmark', 'sendgrid'].includes(vendor)
      ? samplesOf(vendor).map((file) => sample(`${vendor}/${file}`))
      : [GENERIC];

  async function expectDocumented({ status, text }: { status: number; text: string }) {
    const body: unknown = JSON.parse(text);
    if (status === 200) stored += 1;
    if (status === 200) expect(body).toEqual({ stored: true });
    else expect({ status, fault: errorFault(status, body) }).toEqual({ status: 400, fault: undefined });
    await events.service.request('get', '/health/ready').expect(200);
  }

  it.each(SMTP_VENDORS)('are stored, passed over or refused: %s', async (vendor) => {
    const account = await events.service.createAccount();
    const smtp = { host: 'smtp.example.com', port: 587, vendor, eventSigningKey: KEYS[vendor] };
    await account.asAdmin('patch', '/api/settings').send({ smtp }).expect(200);
    await fc.assert(
      fc.asyncProperty(damaged(samplesOfVendor(vendor)), async (event) => {
        const { body, headers } = SIGN[vendor](event as object);
        const response = await events.postSmtp(account, body, headers);
        await expectDocumented({ status: response.status, text: await response.text() });
      }),
      { seed: FUZZ_SEED, numRuns: RUNS },
    );
  });

  it('are stored, passed over or refused: SES', async () => {
    const account: TestAccount = await events.openAccount();
    const samples = samplesOf('ses').map((file) => sample(`ses/${file}`));
    await fc.assert(
      fc.asyncProperty(damaged(samples), async (event) => {
        const { status, body } = await events.postSes(account, toJson(event));
        await expectDocumented({ status, text: body });
      }),
      { seed: FUZZ_SEED, numRuns: RUNS },
    );
  });
});

/** A sample with anything in up to three places, or anything at all. */
function damaged(samples: readonly unknown[]): fc.Arbitrary<unknown> {
  const hostile = fc.oneof(fc.constantFrom(...HOSTILE_VALUES), fc.jsonValue({ maxDepth: 3 }));
  const change = fc.record({ at: fc.nat(), value: hostile });
  const changed = fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([event, changes]) => changes.reduce((found, { at, value }) => put(found, at, value), event));
  return fc.oneof(
    { weight: 9, arbitrary: changed },
    hostile.map((value) => [value]),
  );
}

/** A copy with the value in one of its places, those within inner objects included. */
function put(into: unknown, at: number, value: unknown): unknown {
  if (typeof into !== 'object' || into === null) return value;
  const keys = Object.keys(into);
  const key = keys[at % (keys.length || 1)];
  if (key === undefined) return value;
  const inner: unknown = (into as Record<string, unknown>)[key];
  const rest = Math.floor(at / keys.length);
  const isHere = rest % 3 === 0 || typeof inner !== 'object' || inner === null;
  const changed = isHere ? value : put(inner, Math.floor(rest / 3), value);
  return Array.isArray(into)
    ? into.map((one: unknown, n) => (String(n) === key ? changed : one))
    : { ...into, [key]: changed };
}
