import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { UnsubscribeLinks } from '../../../src/modules/suppression/index.js';
import type { TestAccount } from '../../support/account.js';
import { consentsOf, recordConsent } from '../../support/consents.js';
import { raceBehind } from '../../support/race.js';
import { TestService } from '../../support/service.js';
import { addTopic } from '../../support/topics.js';

const EMAIL = 'ada@example.org';
const MESSAGE_ID = 'c123456789012345678901234';
const ONE_CLICK = 'List-Unsubscribe=One-Click';
const GERMAN = { 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.5' };
const CLIENT = '192.0.2.10';
const BROWSER = 'Browser/1.0';

describe('The preference page', () => {
  let service: TestService;
  let account: TestAccount;
  let news: string;
  let offers: string;
  let secret: string;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    service.clock.reset();
    account = await service.createAccount({ name: 'Sons & Co' });
    news = (await addTopic(account, { description: '<i>Every</i> month' })).id;
    offers = (await addTopic(account, { name: 'Offers', byDefault: 'out' })).id;
    secret = (await addTopic(account, { name: 'Investors', visibility: 'private' })).id;
  });

  const pathFor = (topicId: string | null, of = account) => {
    const links = service.app.get(UnsubscribeLinks, { strict: false });
    return new URL(links.linkTo({ accountId: of.id, messageId: MESSAGE_ID, email: EMAIL, topicId })).pathname;
  };
  const open = async (path: string, headers: Record<string, string> = {}) =>
    (await service.request('get', path).set(headers).expect(200)).text;
  const post = (path: string, body: string) =>
    service
      .request('post', path)
      .set('Content-Type', 'application/x-www-form-urlencoded')
      .set('User-Agent', BROWSER)
      .set('X-Forwarded-For', CLIENT)
      .redirects(0)
      .send(body);
  /** What a browser posts: the hidden fields of the page, and the boxes that are checked. */
  const fieldsOf = (page: string, checked: string[], action = 'save') => {
    const fields = new URLSearchParams({ action });
    for (const [, value] of page.matchAll(/name="shown" value="([^"]+)"/g)) fields.append('shown', value!);
    for (const id of checked) fields.append('in', id);
    return fields.toString();
  };
  const save = async (path: string, checked: string[]) =>
    (await post(path, fieldsOf(await open(path), checked)).expect(200)).text;
  const isChecked = (page: string, id: string) => page.includes(`name="in" value="${id}" checked`);
  const isOffered = (page: string, id: string) => page.includes(`name="in" value="${id}"`);
  const ledger = async (of = account) =>
    (await consentsOf(of)).map((record) => {
      const { action, source, topicId, purpose } = record as typeof record & { topicId: string; purpose: string };
      return { action, source, topicId, purpose };
    });
  const events = (of = account) =>
    service.query<{ type: string; data: object }>(
      'SELECT type, data FROM outbox_events WHERE account_id = $1 ORDER BY id',
      [of.id],
    );
  const suppressions = async () =>
    (await account.asMember('get', '/api/suppressions').expect(200)).body.items as { id: string; reason: string }[];
  const changed = (source: string, topics: object[], contactId: string | null = null) => ({
    type: 'contact.preferences_changed',
    data: { email: EMAIL, contactId, topics, source },
  });
  const withdrawal = (topicId: string, source = 'one_click') => ({
    ...{ action: 'withdrawn', source, topicId, purpose: 'marketing' },
  });
  const isUntouched = async (of = account) => {
    expect(await ledger(of)).toEqual([]);
    expect(await events(of)).toEqual([]);
    expect(await suppressions()).toEqual([]);
  };
  const set = (settings: object, of = account) => of.asAdmin('patch', '/api/settings').send(settings).expect(200);
  const askToTrack = (of = account) => set({ trackingConsent: 'required' }, of);

  it('lists the public topics with what holds, and opening it changes nothing, however often', async () => {
    const path = pathFor(news);
    for (let opened = 1; opened <= 3; opened++) {
      const page = await open(path);
      expect(page).toContain('<h1>Email from Sons &amp; Co</h1>');
      expect(page).toContain('<small>&lt;i&gt;Every&lt;/i&gt; month</small>');
      expect([news, offers].map((id) => isChecked(page, id))).toEqual([true, false]);
      expect(isOffered(page, secret)).toBe(false);
      expect(page.match(/<form/g)).toHaveLength(1);
      expect(page).not.toMatch(/<script|src=|href=/);
      await service.request('get', `${path}?${ONE_CLICK}`).expect(200);
      await service.request('get', `${path}?${fieldsOf(page, [])}`).expect(200);
    }
    await isUntouched();
  });

  it('shows a private topic in its own mail alone', async () => {
    expect(isChecked(await open(pathFor(secret)), secret)).toBe(true);
    for (const other of [news, null]) expect(isOffered(await open(pathFor(other)), secret)).toBe(false);
  });

  it('is in the language of the browser', async () => {
    const response = await service.request('get', pathFor(news)).set(GERMAN).expect(200);
    expect(response.text).toContain('<html lang="de">');
    expect(response.text).toContain('<h1>E-Mails von Sons &amp; Co</h1>');
    expect(response.headers.vary).toContain('Accept-Language');
    expect(await open(pathFor(news), { 'Accept-Language': 'fr' })).toContain('<html lang="en">');
  });

  it('is as before in an account without topics, and unsubscribes from everything', async () => {
    const plain = await service.createAccount({ name: 'Plain' });
    const page = await open(pathFor(null, plain));
    expect(page).toContain('<form method="post"><button type="submit">Unsubscribe</button></form>');
    await post(pathFor(null, plain), '').expect(200);
    expect(await events(plain)).toMatchObject([{ type: 'contact.unsubscribed' }]);
  });

  it('saves what was changed, with proof, and reports it once', async () => {
    const { body: contact } = await account.asAdmin('post', '/api/contacts').send({ email: EMAIL }).expect(201);
    const path = pathFor(news);
    const page = await save(path, [offers]);
    expect(page).toContain('<p class="saved" role="status">Your choice is saved.</p>');
    expect([news, offers].map((id) => isChecked(page, id))).toEqual([false, true]);
    const records = await consentsOf(account);
    const proof = { contactId: contact.id, ip: CLIENT, userAgent: BROWSER, messageLogId: MESSAGE_ID };
    for (const record of records)
      expect(record).toMatchObject({ ...proof, source: 'preferences', actor: { type: 'person', id: null } });
    expect((await ledger()).map(({ action, topicId }) => `${action} ${topicId}`).toSorted()).toEqual(
      [`granted ${offers}`, `withdrawn ${news}`].toSorted(),
    );
    const topics = [
      { topicId: news, subscribed: false },
      { topicId: offers, subscribed: true },
    ];
    expect(await events()).toEqual([changed('preferences', topics, contact.id)]);
    expect(await suppressions()).toEqual([]);
  });

  it('changes and reports nothing if what is posted is so already, or is posted again', async () => {
    const path = pathFor(news);
    await save(path, [news]);
    await isUntouched();
    const body = fieldsOf(await open(path), []);
    await post(path, body).expect(200);
    await post(path, body).expect(200);
    expect(await ledger()).toEqual([withdrawal(news, 'preferences')]);
    expect(await events()).toHaveLength(1);
  });

  it('ignores topics that it does not show: private ones, those of others, and nonsense', async () => {
    const other = await service.createAccount();
    const foreign = (await addTopic(other)).id;
    const guesses = [secret, foreign, MESSAGE_ID, '', '.', '__proto__', "' OR 1=1"];
    const fields = new URLSearchParams({ action: 'save' });
    for (const id of guesses) for (const shown of [`${id}.in`, `${id}.out`, id]) fields.append('shown', shown);
    await post(pathFor(news), fields.toString()).expect(200);
    for (const id of guesses) fields.append('in', id);
    await post(pathFor(news), fields.toString()).expect(200);
    await isUntouched();
    await isUntouched(other);
  });

  it('does nothing for a token that was changed in any character, and that of a topic says nothing to others', async () => {
    const path = pathFor(news);
    const forged = path.slice(0, -2) + (path.at(-2) === 'A' ? 'B' : 'A') + path.at(-1)!;
    await service.request('get', forged).expect(404);
    for (const body of [ONE_CLICK, fieldsOf(await open(path), [])]) await post(forged, body).expect(404);
    await isUntouched();
    expect(Buffer.from(path.slice(3), 'base64url').toString('latin1')).not.toContain(news);
  });

  it('treats a link with a topic of another account as one without: it does not change that account', async () => {
    const other = await service.createAccount();
    const foreign = (await addTopic(other)).id;
    await post(pathFor(foreign), ONE_CLICK).expect(200);
    expect(await suppressions()).toMatchObject([{ reason: 'unsubscribed' }]);
    expect(await ledger(other)).toEqual([]);
  });

  it('withdraws the topic of the mail alone with one click, also a private one, once', async () => {
    for (const topicId of [news, secret]) {
      const { text } = await post(pathFor(topicId), ONE_CLICK).expect(200);
      expect(text).toContain('<h1>You are unsubscribed from');
      await post(pathFor(topicId), ONE_CLICK).expect(200);
    }
    expect(await ledger()).toEqual([withdrawal(secret), withdrawal(news)]);
    expect(await events()).toEqual(
      [news, secret].map((topicId) => changed('one_click', [{ topicId, subscribed: false }])),
    );
    expect(await suppressions()).toEqual([]);
  });

  it('withdraws by one click what the person is out of by default, so that this stays so', async () => {
    await post(pathFor(offers), ONE_CLICK).expect(200);
    await account.asAdmin('patch', `/api/topics/${offers}`).send({ byDefault: 'in' }).expect(200);
    expect(isChecked(await open(pathFor(news)), offers)).toBe(false);
  });

  it('means the topic alone also if that was deleted, by one click and on the page', async () => {
    const path = pathFor(news);
    await account.asAdmin('delete', `/api/topics/${news}`).expect(200);
    expect(isChecked(await open(path), news)).toBe(true);
    expect(isOffered(await open(pathFor(offers)), news)).toBe(false);
    const { text } = await post(path, ONE_CLICK).expect(200);
    expect(text).toContain('<h1>You are unsubscribed from Newsletter</h1>');
    expect(await ledger()).toEqual([withdrawal(news)]);
    expect(await events()).toEqual([changed('one_click', [{ topicId: news, subscribed: false }])]);
    expect(await suppressions()).toEqual([]);
    expect(isChecked(await open(path), news)).toBe(false);
  });

  it('does not subscribe a suppressed address to anything, but records what it withdraws', async () => {
    const path = pathFor(news);
    const body = fieldsOf(await open(path), [offers]);
    await account.asAdmin('post', '/api/suppressions').send({ email: EMAIL }).expect(201);
    expect(await open(path)).not.toContain('name="shown"');
    await post(path, body).expect(200);
    expect(await ledger()).toEqual([withdrawal(news, 'preferences')]);
  });

  it('stores nothing about an erased address', async () => {
    const path = pathFor(news);
    const body = fieldsOf(await open(path), [offers]);
    const { body: contact } = await account.asAdmin('post', '/api/contacts').send({ email: EMAIL }).expect(201);
    await account.asAdmin('post', `/api/contacts/${contact.id}/erase`).expect(200);
    for (const posted of [body, ONE_CLICK, 'action=everything']) await post(path, posted).expect(200);
    expect(await ledger()).toEqual([]);
    expect(await events()).toEqual([]);
  });

  it('asks for the consent to tracking where that is required, and only there', async () => {
    const path = pathFor(news);
    expect(isOffered(await open(path), 'tracking')).toBe(false);
    await post(path, 'shown=tracking.out&in=tracking&action=save').expect(200);
    await isUntouched();
    await askToTrack();
    const page = await save(path, [news, 'tracking']);
    expect(isChecked(page, 'tracking')).toBe(true);
    expect(isChecked(await save(path, [news]), 'tracking')).toBe(false);
    expect((await ledger()).map(({ action, purpose, topicId }) => ({ action, purpose, topicId }))).toEqual([
      { action: 'withdrawn', purpose: 'tracking', topicId: null },
      { action: 'granted', purpose: 'tracking', topicId: null },
    ]);
    expect(await events()).toEqual([changed('preferences', []), changed('preferences', [])]);
  });

  it('takes the consent to tracking back where there are no topics, and from a suppressed address', async () => {
    const plain = await service.createAccount();
    await askToTrack(plain);
    await recordConsent(plain, { email: EMAIL, purpose: 'tracking' }).expect(201);
    const path = pathFor(null, plain);
    expect(isChecked(await save(path, ['tracking']), 'tracking')).toBe(true);
    expect(await ledger(plain)).toHaveLength(1);
    await plain.asAdmin('post', '/api/suppressions').send({ email: EMAIL }).expect(201);
    expect(isChecked(await open(path), 'tracking')).toBe(true);
    const page = await save(path, []);
    expect([isOffered(page, 'tracking'), isChecked(page, 'tracking')]).toEqual([true, false]);
    expect((await ledger(plain))[0]).toMatchObject({ action: 'withdrawn', purpose: 'tracking' });
  });

  it('shows a topic as chosen only with a consent, where campaigns need one', async () => {
    await set({ consent: { requiredFor: 'campaigns' } });
    const path = pathFor(news);
    expect(isChecked(await open(path), news)).toBe(false);
    expect(isChecked(await save(path, [news]), news)).toBe(true);
    expect(await ledger()).toMatchObject([{ action: 'granted', topicId: news }]);
  });

  it('takes a topic back that was not chosen and of which messages came nevertheless, once', async () => {
    await set({ consent: { requiredFor: 'campaigns' } });
    const path = pathFor(news);
    for (let i = 0; i < 2; i++) expect(isChecked(await save(path, []), news)).toBe(false);
    expect(await ledger()).toEqual([withdrawal(news, 'preferences')]);
  });

  it('records the words that were agreed to', async () => {
    await account.asAdmin('patch', `/api/topics/${news}`).send({ description: 'What is new' }).expect(200);
    await askToTrack();
    const body = fieldsOf(await open(pathFor(null)), [news, offers, 'tracking']);
    await post(pathFor(null), body).set('Accept-Language', 'de').expect(200);
    await save(pathFor(null), [news, offers]);
    expect(await consentsOf(account)).toMatchObject([
      { action: 'withdrawn', wording: null },
      { action: 'granted', wording: { version: null, text: expect.stringMatching(/^Öffnungen.+\nDer Absender/) } },
      { action: 'granted', wording: { version: null, text: expect.stringMatching(/^Offers/) } },
    ]);
  });

  it('does not undo with an old page what has happened since', async () => {
    const path = pathFor(news);
    const old = fieldsOf(await open(path), [news, offers]);
    await post(path, ONE_CLICK).expect(200);
    await post(path, old).expect(200);
    const page = await open(path);
    expect([news, offers].map((id) => isChecked(page, id))).toEqual([false, true]);
  });

  it('keeps an unsubscription by one click while the page is saved, in any order', async () => {
    await account.asAdmin('post', '/api/contacts').send({ email: EMAIL }).expect(201);
    const path = pathFor(news);
    const body = fieldsOf(await open(path), [news, offers]);
    const answers = await raceBehind(
      service,
      () => service.query('SELECT id FROM contacts WHERE account_id = $1 FOR UPDATE', [account.id]),
      [async () => [await post(path, body)], () => Promise.all([post(path, ONE_CLICK), post(path, ONE_CLICK)])],
    );
    expect(answers.flat().map(({ status }) => status)).toEqual([200, 200, 200]);
    const page = await open(path);
    expect([news, offers].map((id) => isChecked(page, id))).toEqual([false, true]);
    expect(await ledger()).toHaveLength(2);
    expect(await events()).toHaveLength(2);
  });

  it('counts a consent that was recorded otherwise, and the later of two', async () => {
    await recordConsent(account, { email: EMAIL, action: 'withdrawn' }).expect(201);
    service.clock.advance({ seconds: 1 });
    await recordConsent(account, { email: EMAIL, topicId: offers }).expect(201);
    const page = await open(pathFor(null));
    expect([news, offers].map((id) => isChecked(page, id))).toEqual([false, true]);
  });
});
