import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';

import { TimelineRepository } from '../../../src/modules/messages/index.js';
import { ProviderDirectory } from '../../../src/modules/provider-settings/index.js';
import { newId } from '../../../src/shared/ids.js';
import { recordConsent } from '../../support/consents.js';
import { RelayFixture } from '../../support/relay-fixture.js';
import { sendEmail } from '../../support/send-email.js';
import { BROWSER, TrackingAccount } from '../../support/tracking-account.js';
import { waitFor } from '../../support/wait-for.js';

const HTML = '<a href="https://shop.example/new">New</a>';
const ADA = 'ada@example.org';

let fixture: RelayFixture;
let tracking: TrackingAccount;

beforeAll(async () => {
  fixture = await RelayFixture.start();
});
afterAll(() => fixture.stop());
beforeEach(async () => {
  fixture.relay.reset();
  tracking = await TrackingAccount.open(fixture);
});

const change = (settings: object) => tracking.account.asAdmin('patch', '/api/settings').send(settings);
const requireConsent = () => change({ trackingConsent: 'required' }).expect(200);
const consent = (fields: object) =>
  recordConsent(tracking.account, { email: ADA, purpose: 'tracking', ...fields }).expect(201);
const sendTo = (to: string) => tracking.send({ to, html: HTML });

/** The outcome of a click and an open by a person, once they are written. */
const visit = (messageId: string) => {
  const occurredAt = fixture.service.clock.now();
  const data = { userAgent: BROWSER, ip: null };
  const url = 'https://shop.example/new';
  return fixture.service.app.get(TimelineRepository, { strict: false }).recordVisitsAcrossAccounts([
    { id: newId(occurredAt), messageId, type: 'clicked', occurredAt, data: { ...data, url } },
    { id: newId(occurredAt), messageId, type: 'opened', occurredAt, data },
  ]);
};

it('tracks only mail to those who have agreed, in any spelling of their address', async () => {
  await consent({});
  await requireConsent();
  expect(await sendTo('Ada@Example.org')).toMatchObject({ links: [expect.any(String)], pixel: expect.any(String) });
  const { links, pixel, html } = await sendTo('grace@example.org');
  expect({ links, pixel }).toEqual({ links: [], pixel: '' });
  expect(html).toContain('href="https://shop.example/new"');
});

it('takes a consent to marketing for none to tracking', async () => {
  await consent({ purpose: 'marketing' });
  await requireConsent();
  expect((await sendTo(ADA)).links).toEqual([]);
});

it('takes no consent that another account has recorded', async () => {
  const other = await TrackingAccount.open(fixture);
  await recordConsent(other.account, { email: ADA, purpose: 'tracking' }).expect(201);
  await requireConsent();
  expect((await sendTo(ADA)).links).toEqual([]);
});

it('tracks mail to everybody again once no consent is required', async () => {
  await requireConsent();
  await change({ trackingConsent: 'not_required' }).expect(200);
  expect((await sendTo(ADA)).links).toHaveLength(1);
});

it('still redirects after the consent was withdrawn, and records nothing', async () => {
  await consent({});
  await requireConsent();
  const mail = await sendTo(ADA);
  await tracking.get(mail.links[0]!).expect(302);
  await tracking.visited(mail.id, 1);
  await consent({ action: 'withdrawn' });
  await tracking.get(mail.links[0]!).expect(302).expect('Location', 'https://shop.example/new');
  await tracking.get(mail.pixel).expect(200).expect('Content-Type', 'image/gif');
  const outcomes = await waitFor('nobody else to have the message locked', async () => {
    const found = await visit(mail.id);
    return !found.includes('locked') && found;
  });
  expect(outcomes).toEqual(['known', 'known']);
  expect(await tracking.visited(mail.id, 1)).toMatchObject({ clicks: 1, opens: 0 });
});

it('records nothing of mail from before a consent was required', async () => {
  const mail = await sendTo(ADA);
  await requireConsent();
  expect(await visit(mail.id)).toEqual(['known', 'known']);
  expect(await tracking.visited(mail.id, 0)).toMatchObject({ clicks: 0, opens: 0 });
});

it('records nothing of test messages either, for whose consents the setting of the account counts', async () => {
  const { service } = fixture;
  const { secret } = await tracking.account.createKey({ mode: 'test' });
  const send = async (text: string) => sendEmail(service, secret, { to: 'bob@simulator.test', text, html: HTML });
  const visits = async (id: string) => {
    await visit(id);
    const [message] = await service.query<object>('SELECT opens, clicks FROM message_logs WHERE id = $1', [id]);
    return message;
  };
  expect(await visits(await send('before'))).toEqual({ opens: 1, clicks: 1 });
  await requireConsent();
  expect(await visits(await send('after'))).toEqual({ opens: 0, clicks: 0 });
});

it('lets no provider track while a consent is required', async () => {
  await change({ tracking: 'provider' }).expect(200);
  await requireConsent();
  const found = await fixture.service.app.get(ProviderDirectory, { strict: false }).find(tracking.account.id);
  expect(found).toMatchObject({ tracking: 'off' });
});

it('refuses another value of the setting', async () => {
  const { body } = await change({ trackingConsent: 'always' }).expect(400);
  expect(body).toMatchObject({ message: 'trackingConsent must be not_required or required', code: 'validation' });
});
