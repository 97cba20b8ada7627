import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ConfirmSignups } from '../../../src/modules/forms/application/confirm-signups.service.js';
import { PurgeSignups } from '../../../src/modules/forms/application/purge-signups.service.js';
import { FormFixture, linkIn, type TestForm } from '../../support/form-fixture.js';
import { PAGE_HEADERS } from '../../support/page-headers.js';
import { raceBehind } from '../../support/race.js';
import { TestService } from '../../support/service.js';

const EMAIL = 'Ada@Example.com';
const NORMALISED = 'ada@example.com';
const WORDING = 'I want news <b>now</b>.\nSee https://example.com/privacy.';

describe('/confirm/:token', () => {
  let service: TestService;
  let fixture: FormFixture;
  let listId: string;
  let form: TestForm;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    fixture = await FormFixture.open(service, { name: 'Sons & <i>Co</i>' });
    listId = await fixture.createList();
    form = await fixture.createForm({ listIds: [listId], fields: ['firstName'], wording: WORDING });
  });

  const purge = () => service.app.get(PurgeSignups, { strict: false }).purge();
  const messagesOf = async (email: string) => (await fixture.mailsTo(email)).length;

  it('GET shows the words and a button, and changes nothing however often it is opened', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    for (let opened = 1; opened <= 2; opened++) {
      const { text, headers } = await fixture.open(path).set('Accept-Language', 'fr, en;q=0.5').expect(200);
      expect(text).toContain('<h1>Confirm your subscription to Sons &amp; &lt;i&gt;Co&lt;/i&gt;</h1>');
      expect(text).toContain('email to Ada@Example.com?');
      expect(text).toContain('I want news &lt;b&gt;now&lt;/b&gt;.\nSee <a href="https://example.com/privacy"');
      expect(text).toContain('<form method="post"><button type="submit" name="confirm" value="yes">Confirm</button>');
      expect(text).not.toMatch(/<script|src=/);
      expect(headers).toMatchObject({ ...PAGE_HEADERS, 'content-security-policy': expect.stringContaining("'none'") });
    }
    expect(await fixture.contactOf(EMAIL)).toBeUndefined();
    expect(await fixture.consentsOf(EMAIL)).toEqual([]);
  });

  it('records no address for a client that the proxy names by something else, and confirms all the same', async () => {
    const named = 'unknown "><b>';
    await fixture.submit(form, { email: EMAIL }, named).expect(200);
    await fixture.process();
    const [mail] = await fixture.mailsTo(NORMALISED);
    await fixture.confirm(linkIn(mail!.text), named).expect(200);
    const consents = await fixture.consentsOf(EMAIL);
    expect(consents.map(({ action, ip }) => [action, ip])).toEqual([
      ['granted', null],
      ['requested', null],
    ]);
  });

  it('is asked for in a mail of the color of the account', async () => {
    const branding = { color: '#ffee00' };
    await fixture.account.asAdmin('patch', '/api/settings').send({ branding }).expect(200);
    await fixture.linkFor(form, EMAIL);
    expect((await fixture.mailsTo(NORMALISED))[0]?.html).toContain('background:#ffee00;color:#000000');
  });

  it('speaks German to a browser that prefers it', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    const { text } = await fixture.open(path).set('Accept-Language', 'de-AT, en;q=0.9').expect(200);
    expect(text).toContain('<html lang="de">');
    expect(text).toContain('>Bestätigen</button>');
    const { text: confirmed } = await fixture.confirm(path).set('Accept-Language', 'de').expect(200);
    expect(confirmed).toContain('<h1>Sie sind angemeldet</h1>');
  });

  it('POST makes an active contact with the lists, records both steps and emits the event', async () => {
    const path = await fixture.linkFor(form, EMAIL, { firstName: ' Ada ' });
    const [mail] = await fixture.mailsTo(NORMALISED);
    const { text } = await fixture.confirm(path, '192.0.2.7').expect(200);
    expect(text).toContain('<h1>You are subscribed</h1>');
    const contact = await fixture.contactOf(EMAIL);
    expect(contact).toMatchObject({ email: EMAIL, firstName: 'Ada', status: 'active', listIds: [listId] });
    const [granted, requested, ...others] = await fixture.consentsOf(EMAIL);
    expect(others).toEqual([]);
    const words = { version: 1, text: WORDING };
    const { id: contactId } = contact as unknown as { id: string };
    const shared = { contactId, source: 'form', formId: form.id, wording: words, topicId: null, purpose: 'marketing' };
    expect(requested).toMatchObject({ ...shared, action: 'requested', userAgent: 'Browser/1.0', messageLogId: null });
    expect(requested?.ip).toMatch(/^2001:db8:/);
    expect(granted).toMatchObject({ ...shared, action: 'granted', ip: '192.0.2.7', userAgent: 'Browser/2.0' });
    expect(granted).toMatchObject({ messageLogId: mail!.id, actor: { type: 'person' } });
    expect(await fixture.eventsOf('contact.subscribed')).toEqual([
      {
        ...{ email: NORMALISED, contactId, firstName: 'Ada', lastName: '' },
        ...{ formId: form.id, listIds: [listId], topicIds: [], consentIds: [granted?.id] },
      },
    ]);
    expect((await fixture.readForm(form)).stats).toEqual({ submitted: 1, confirmed: 1 });
  });

  it('POST again shows the same page and changes nothing', async () => {
    const path = await fixture.subscribe(form, EMAIL);
    const first = await fixture.confirm(path).expect(200);
    expect(first.text).toContain('<h1>You are subscribed</h1>');
    expect(await fixture.consentsOf(EMAIL)).toHaveLength(2);
    expect(await fixture.eventsOf('contact.subscribed')).toHaveLength(1);
    expect((await fixture.readForm(form)).stats.confirmed).toBe(1);
  });

  it('confirms once when two do so at the same time', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    const lock = () =>
      service.query('SELECT id FROM form_signups WHERE account_id = $1 FOR UPDATE', [fixture.account.id]);
    const [first, second] = await Promise.all([
      raceBehind(service, lock, [() => fixture.confirm(path)]),
      fixture.confirm(path),
    ]);
    expect([first[0]!.status, second.status]).toEqual([200, 200]);
    expect(await fixture.consentsOf(EMAIL)).toHaveLength(2);
    expect(await fixture.eventsOf('contact.subscribed')).toHaveLength(1);
  });

  it('confirms sign-ups of one address for two forms together', async () => {
    const other = await fixture.createForm({ listIds: [await fixture.createList('Other')] });
    const paths = [await fixture.linkFor(form, EMAIL)];
    service.clock.advance({ hours: 1 });
    paths.push(await fixture.linkFor(other, EMAIL));
    await Promise.all(paths.map((path) => fixture.confirm(path).expect(200)));
    expect((await fixture.contactOf(EMAIL)) as unknown as { listIds: string[] }).toMatchObject({
      listIds: [...(await fixture.readForm(form)).listIds, ...(await fixture.readForm(other)).listIds].sort(),
    });
    expect(await fixture.consentsOf(EMAIL)).toHaveLength(4);
  });

  it.each([
    ['HEAD', () => ({ method: 'head' as const, body: undefined })],
    ['a prefetch', () => ({ method: 'get' as const, body: undefined })],
    ['an empty POST of a scanner', () => ({ method: 'post' as const, body: '' })],
    ['a POST of a one-click unsubscription', () => ({ method: 'post' as const, body: 'List-Unsubscribe=One-Click' })],
  ])('changes nothing on %s', async (_, requestOf) => {
    const path = await fixture.linkFor(form, EMAIL);
    const { method, body } = requestOf();
    const headers: Record<string, string> = body === undefined ? { 'Sec-Purpose': 'prefetch' } : FORM_TYPE;
    const response = await fetch(`${service.url}${path}`, { method, headers, body: body ?? null });
    expect(response.status).toBe(200);
    expect(await fixture.contactOf(EMAIL)).toBeUndefined();
    expect(await fixture.signups()).toEqual([expect.objectContaining({ state: 'mailed' })]);
  });

  it.each([
    ['altered', (path: string) => path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['cut off', (path: string) => path.slice(0, -1)],
    ['of another kind', () => `/confirm/${'A'.repeat(104)}`],
    ['no text', () => '/confirm/%00%C3%BF'],
  ])('answers 404 to a token that is %s', async (_, change) => {
    const path = change(await fixture.linkFor(form, EMAIL));
    for (const response of [await fixture.open(path), await fixture.confirm(path)]) {
      expect(response.status).toBe(404);
      expect(response.text).toContain('<h1>This link does not work</h1>');
    }
    expect(await fixture.contactOf(EMAIL)).toBeUndefined();
  });

  it('answers 404 once the link has expired, and the sign-up is purged', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    service.clock.advance({ days: 7 });
    await fixture.open(path).expect(404);
    await fixture.confirm(path).expect(404);
    await purge();
    expect(await fixture.signups()).toEqual([]);
    expect(await fixture.contactOf(EMAIL)).toBeUndefined();
  });

  it('answers 404 once the form is deleted, and works while it is only disabled', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    await fixture.account.asAdmin('patch', `/api/forms/${form.id}`).send({ status: 'disabled' }).expect(200);
    await fixture.open(path).expect(200);
    await fixture.account.asAdmin('delete', `/api/forms/${form.id}`).expect(200);
    await fixture.open(path).expect(404);
    await fixture.confirm(path).expect(404);
  });

  it('leaves out a list that was deleted meanwhile, and confirms all the same', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    await fixture.account.asAdmin('delete', `/api/lists/${listId}`).expect(200);
    await fixture.confirm(path).expect(200);
    expect(await fixture.contactOf(EMAIL)).toMatchObject({ status: 'active', listIds: [] });
    expect(await fixture.eventsOf('contact.subscribed')).toEqual([expect.objectContaining({ listIds: [] })]);
  });

  it('keeps the names and lists of a contact that it does not change', async () => {
    const kept = await fixture.createList('Kept');
    const contact = { email: EMAIL, lastName: 'Lovelace', firstName: 'A.', listIds: [kept] };
    await fixture.account.asAdmin('post', '/api/contacts').send(contact).expect(201);
    await fixture.subscribe(form, EMAIL, { firstName: 'Ada' });
    expect(await fixture.contactOf(EMAIL)).toMatchObject({
      ...{ firstName: 'Ada', lastName: 'Lovelace', status: 'active' },
      listIds: [kept, listId].sort(),
    });
  });

  it('changes nothing for an address that was suppressed after the mail', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    await fixture.account.asAdmin('post', '/api/suppressions').send({ email: EMAIL }).expect(201);
    const { text } = await fixture.confirm(path).expect(409);
    expect(text).toContain('<h1>This address gets no email</h1>');
    expect(await fixture.contactOf(EMAIL)).toBeUndefined();
    expect((await fixture.consentsOf(EMAIL)).map(({ action }) => action)).not.toContain('granted');
  });

  it('shows and records the words of the submission, even if the form was changed since', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    await fixture.account.asAdmin('patch', `/api/forms/${form.id}`).send({ wording: 'Other words' }).expect(200);
    expect((await fixture.open(path).expect(200)).text).toContain('I want news &lt;b&gt;');
    await fixture.confirm(path).expect(200);
    for (const { wording } of await fixture.consentsOf(EMAIL)) expect(wording).toEqual({ version: 1, text: WORDING });
  });

  it('records the mail of a person who is faster than the worker', async () => {
    const path = await fixture.linkFor(form, EMAIL);
    await service.query(
      `UPDATE form_signups SET state = 'admitted', message_log_id = NULL, due_at = now() WHERE account_id = $1`,
      [fixture.account.id],
    );
    await fixture.confirm(path).expect(200);
    const [mail] = await fixture.mailsTo(NORMALISED);
    expect((await fixture.consentsOf(EMAIL))[0]).toMatchObject({ action: 'granted', messageLogId: mail!.id });
    await fixture.process();
    expect(await fixture.signups()).toEqual([expect.objectContaining({ state: 'confirmed' })]);
    expect(await messagesOf(NORMALISED)).toBe(1);
  });

  it('looks up the mails of people who are faster than the worker once for all of them', async () => {
    const emails = ['ada@example.com', 'eva@example.com', 'ida@example.com'];
    for (const email of emails) await fixture.linkFor(form, email);
    await service.query(`UPDATE form_signups SET message_log_id = NULL WHERE account_id = $1`, [fixture.account.id]);
    const signups = await fixture.signups();
    const lookUps = jest.spyOn(service.database, 'prepared');
    try {
      const confirms = service.app.get(ConfirmSignups, { strict: false });
      const link = { accountId: fixture.account.id, ip: null, userAgent: null };
      await Promise.all(signups.map(({ id }) => confirms.confirm({ ...link, signupId: id })));
      expect(lookUps.mock.calls.filter(([name]) => name === 'find_idempotency_keys')).toHaveLength(1);
    } finally {
      lookUps.mockRestore();
    }
    for (const email of emails) {
      const [[mail], [granted]] = [await fixture.mailsTo(email), await fixture.consentsOf(email)];
      expect(granted).toMatchObject({ action: 'granted', messageLogId: mail!.id });
    }
  });

  it('redirects to the address that the form names', async () => {
    const confirmedUrl = 'https://www.example.com/welcome?a=b';
    const redirecting = await fixture.createForm({ confirmedUrl });
    const path = await fixture.linkFor(redirecting, EMAIL);
    const { headers } = await fixture.open(path).expect(200);
    expect(headers['content-security-policy']).toContain("form-action 'self' https://www.example.com;");
    for (let i = 0; i < 2; i++) await fixture.confirm(path).expect(303).expect('Location', confirmedUrl);
  });

  describe('with a welcome mail', () => {
    let welcoming: TestForm;

    beforeEach(async () => {
      const templateId = await fixture.createTemplate({
        subject: 'Welcome {{firstName}}',
        text: 'Hi from {{accountName}}',
      });
      welcoming = await fixture.createForm({ fields: ['firstName'], welcome: { templateId } });
    });

    it('has exactly one accepted, with a link to unsubscribe, however often it is processed', async () => {
      await fixture.subscribe(welcoming, EMAIL, { firstName: 'Ada' });
      await Promise.all([fixture.process(), fixture.process()]);
      await fixture.process();
      const [, welcome, ...others] = await fixture.mailsTo(NORMALISED);
      expect(others).toEqual([]);
      expect(welcome).toMatchObject({ subject: 'Welcome Ada', text: 'Hi from Sons & <i>Co</i>' });
      expect(welcome?.unsubscribeUrl).toMatch(/\/u\/[\w-]{60,}$/);
    });

    it('neither loses nor repeats it if the worker dies after it was accepted', async () => {
      await fixture.subscribe(welcoming, EMAIL);
      await fixture.process();
      await service.query(`UPDATE form_signups SET due_at = now() WHERE account_id = $1`, [fixture.account.id]);
      await fixture.process();
      expect(await messagesOf(NORMALISED)).toBe(2);
    });

    it('survives the purge while it is due', async () => {
      const path = await fixture.linkFor(welcoming, EMAIL);
      service.clock.advance({ days: 6, hours: 23 });
      await fixture.confirm(path).expect(200);
      service.clock.advance({ hours: 2 });
      await purge();
      expect(await fixture.signups()).toEqual([expect.objectContaining({ state: 'confirmed' })]);
      await fixture.process();
      expect(await messagesOf(NORMALISED)).toBe(2);
      await purge();
      expect(await fixture.signups()).toEqual([]);
    });

    it('sends none to somebody who unsubscribes before', async () => {
      await fixture.subscribe(welcoming, EMAIL);
      await fixture.account.asAdmin('post', '/api/suppressions').send({ email: EMAIL }).expect(201);
      await fixture.process();
      expect(await messagesOf(NORMALISED)).toBe(1);
      expect(await fixture.signups()).toEqual([expect.objectContaining({ state: 'confirmed' })]);
    });

    it('sends none once the template is deleted', async () => {
      const { welcome } = await fixture.readForm(welcoming);
      await fixture.subscribe(welcoming, EMAIL);
      await fixture.account.asAdmin('delete', `/api/templates/${welcome.templateId}`).expect(200);
      await fixture.process();
      expect(await messagesOf(NORMALISED)).toBe(1);
      expect(
        await service.query('SELECT id FROM form_signups WHERE account_id = $1 AND due_at IS NOT NULL', [
          fixture.account.id,
        ]),
      ).toEqual([]);
    });
  });
});

const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
