import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { FORM_CAP_PERCENT, MAX_FORMS } from '../../../src/config/limits.js';
import { FORM_SENDER, FormFixture, newClient, type TestForm } from '../../support/form-fixture.js';
import { TestService } from '../../support/service.js';

describe('Submissions of forms', () => {
  let service: TestService;
  let fixture: FormFixture;
  let form: TestForm;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    fixture = await FormFixture.open(service);
    form = await fixture.createForm({ fields: ['firstName', 'company'] });
  });

  const mailedAddresses = async () =>
    (
      await service.query<{ recipient: string }>(
        'SELECT normalised_recipient AS recipient FROM message_logs WHERE account_id = $1 ORDER BY id',
        [fixture.account.id],
      )
    ).map(({ recipient }) => recipient);

  describe('too often', () => {
    it('mails an address once an hour and three times a day, over all 100 forms of the account', async () => {
      const forms = [form];
      while (forms.length < MAX_FORMS) forms.push(await fixture.createForm());
      const submitAll = async () => {
        await fixture.addSignups(forms.map((each) => ({ form: each, email: 'Ada@Example.org' })));
        await fixture.process();
        return (await mailedAddresses()).length;
      };
      expect(await submitAll()).toBe(1);
      service.clock.advance({ minutes: 59 });
      expect(await submitAll()).toBe(1);
      const mailed: number[] = [];
      for (let hour = 1; hour <= 4; hour++) {
        service.clock.advance({ hours: 1 });
        mailed.push(await submitAll());
      }
      expect(mailed).toEqual([2, 3, 3, 3]);
      service.clock.advance({ hours: 24 });
      expect(await submitAll()).toBe(4);
      const other = await FormFixture.open(service);
      await other.submit(await other.createForm(), { email: 'ada@example.org' }).expect(200);
      await other.process();
      expect(await other.mailsTo('ada@example.org')).toHaveLength(1);
    });

    it('mails once however many processes work on submissions of one address at the same time', async () => {
      for (let i = 0; i < 12; i++) await fixture.submit(form, { email: 'ada@example.org' }).expect(200);
      await Promise.all([fixture.process(), fixture.process(), fixture.process()]);
      expect(await mailedAddresses()).toEqual(['ada@example.org']);
    });

    it('stores 30 submissions of a client an hour and answers the others the same', async () => {
      const client = newClient();
      const answers = new Set<string>();
      for (let i = 0; i < 33; i++) {
        const neighbour = client.replace('::1', `::${i + 1}`); // of the same network
        const { status, text } = await fixture.submit(form, { email: `a${i}@example.org` }, neighbour);
        answers.add(`${status} ${withoutNonce(text)}`);
      }
      expect(answers.size).toBe(1);
      expect(await fixture.signups()).toHaveLength(30);
      await fixture.submit(form, { email: 'other@example.org' }).expect(200);
      expect(await fixture.signups()).toHaveLength(31);
      service.clock.advance({ hours: 1 });
      await fixture.submit(form, { email: 'later@example.org' }, client).expect(200);
      expect(await fixture.signups()).toHaveLength(32);
    });

    it('mails no more than a share of the daily cap for 10,000 addresses, and keeps the others for later', async () => {
      const capped = await FormFixture.open(service, { dailySendCap: 200 });
      const attacked = await capped.createForm();
      await capped.addSignups(
        Array.from({ length: 10_000 }, (_, i) => ({ form: attacked, email: `a${i}@example.org` })),
      );
      await capped.process();
      const states = await service.query<{ isLater: boolean | null; count: number }>(
        `SELECT state = 'mailed' AS "isMailed", due_at > $2 AS "isLater", count(*)::integer AS count
         FROM form_signups WHERE account_id = $1 GROUP BY 1, 2 ORDER BY 1`,
        [capped.account.id, service.clock.now()],
      );
      const [mailed = 0] = states.flatMap(({ isLater, count }) => (isLater ? [] : [count]));
      expect(mailed).toBeGreaterThanOrEqual((200 * FORM_CAP_PERCENT) / 100);
      expect(mailed).toBeLessThan(200);
      expect(states).toEqual([
        { isMailed: false, isLater: true, count: 10_000 - mailed },
        { isMailed: true, isLater: null, count: mailed },
      ]);
      const { secret } = await capped.account.createKey();
      const reset = { to: 'ada@example.org', subject: 'Reset', html: '<p>Reset</p>', fromEmail: FORM_SENDER };
      await service.request('post', '/api/send/transactional').set('X-API-Key', secret).send(reset).expect(201);
      // Otherwise they would be due in tests that advance the clock.
      await capped.account.asAdmin('delete', `/api/forms/${attacked.id}`).expect(200);
    });
  });

  describe('by programs', () => {
    it('stores nothing if the field is filled in that people do not see', async () => {
      const { text } = await fixture.submit(form, { email: 'ada@example.org', x_comment: 'Buy' }).expect(200);
      expect(text).toContain('<h1>Check your inbox</h1>');
      expect(await fixture.signups()).toEqual([]);
    });

    it('ignores the field in JSON, where unknown fields are of the one who sends them', async () => {
      await fixture.submitJson(form, { email: 'ada@example.org', x_comment: 'Buy' }).expect(202);
      expect(await fixture.signups()).toHaveLength(1);
    });

    it('injects neither headers, HTML nor links through names', async () => {
      const template = { subject: 'Confirm, {{firstName}}', html: '<p>{{company}} <a href="{{confirmUrl}}">x</a></p>' };
      const templateId = await fixture.createTemplate({ ...template, name: 'Confirmation' });
      const named = await fixture.createForm({
        fields: ['firstName', 'company'],
        confirmation: { subject: 'Hello {{firstName}}!', templateId },
      });
      const values = { firstName: 'Ada\r\nBcc: eve@evil.example', company: '<img src=x onerror=alert(1)>' };
      await fixture.submit(named, { email: 'ada@example.org', ...values }).expect(200);
      await fixture.submit(named, { email: 'eva@example.org', firstName: 'Eva\r\nX', company: 'A & B' }).expect(200);
      await fixture.process();
      const [mail] = await fixture.mailsTo('ada@example.org');
      expect(mail!.subject).toBe('Hello !');
      expect(mail!.html).toMatch(/^<p>&lt;img src&#x3D;x onerror&#x3D;alert\(1\)&gt; <a href="http/);
      const [other] = await fixture.mailsTo('eva@example.org');
      expect(other!.subject).toBe('Hello Eva X!');
      expect(other!.html).toContain('<p>A &amp; B <a');
    });

    it('takes what is too long or cannot be stored as far as it can', async () => {
      const values = { email: 'ada@example.org', firstName: 'a'.repeat(5_000), company: 'A\0B' };
      await fixture.submit(form, values).set('User-Agent', 'x'.repeat(4_000)).expect(200);
      const [row] = await service.query(
        'SELECT length(first_name) AS name, company, length(user_agent) AS agent FROM form_signups WHERE account_id = $1',
        [fixture.account.id],
      );
      expect(row).toEqual({ name: 200, company: 'A B', agent: 500 });
    });

    it('refuses bodies that are too large', async () => {
      await fixture.submit(form, { email: 'ada@example.org', firstName: 'a'.repeat(70_000) }).expect(413);
    });
  });

  describe('while the account changes', () => {
    it('uses the text of the service if the template was deleted or has lost its link', async () => {
      const templateId = await fixture.createTemplate({ text: 'Click {{confirmUrl}}', name: 'Confirmation' });
      const own = await fixture.createForm({ confirmation: { subject: 'Please', templateId } });
      await fixture.submit(own, { email: 'ada@example.org' }).expect(200);
      await fixture.process();
      expect((await fixture.mailsTo('ada@example.org'))[0]!.text).toMatch(/^Click http/);
      const change = { text: 'Click here' };
      await fixture.account.asAdmin('patch', `/api/templates/${templateId}`).send(change).expect(200);
      await fixture.submit(own, { email: 'eva@example.org' }).expect(200);
      await fixture.process();
      expect((await fixture.mailsTo('eva@example.org'))[0]).toMatchObject({
        subject: 'Please',
        text: expect.stringContaining('/confirm/'),
      });
      await fixture.account.asAdmin('delete', `/api/templates/${templateId}`).expect(200);
      await fixture.submit(own, { email: 'ida@example.org' }).expect(200);
      await fixture.process();
      expect((await fixture.mailsTo('ida@example.org'))[0]!.text).toContain('/confirm/');
    });

    it('uses the text of the service for those whom a changed template shows no link, or cannot be rendered', async () => {
      const templateId = await fixture.createTemplate({ text: 'Click {{confirmUrl}}', name: 'Confirmation' });
      const wording = `I want it. ${'w'.repeat(1_900)}`;
      const own = await fixture.createForm({ fields: ['firstName'], wording, confirmation: { templateId } });
      const mailedText = async (email: string, firstName: string) => {
        await fixture.submit(own, { email, firstName }).expect(200);
        await fixture.process();
        return (await fixture.mailsTo(email))[0]!.text;
      };
      const changeText = (text: string) =>
        fixture.account.asAdmin('patch', `/api/templates/${templateId}`).send({ text }).expect(200);
      await changeText('{{#firstName}}Click {{confirmUrl}}{{/firstName}}');
      expect(await mailedText('ada@example.org', 'Ada')).toMatch(/^Click http/);
      expect(await mailedText('eva@example.org', '')).toContain('I want it.');
      await changeText(`{{confirmUrl}}${'{{wording}}'.repeat(600)}`);
      const text = await mailedText('ida@example.org', 'Ida');
      expect(text).toContain('/confirm/');
      expect(text.length).toBeLessThan(5_000);
    });

    it('uses the mail of the service for those whose words or names break the subject', async () => {
      const fields = ['firstName'];
      const own = await fixture.createForm({ fields, wording: 'I want it.\r\nBcc: eve@evil.example' });
      await fixture.submit(own, { email: 'ada@example.org' }).expect(200);
      const templateId = await fixture.createTemplate({ text: 'Click {{confirmUrl}}' });
      const subject = `{{wording}}${'{{firstName}}'.repeat(5)}`;
      const change = { wording: 'I want it.', confirmation: { subject, templateId } };
      await fixture.account.asAdmin('patch', `/api/forms/${own.id}`).send(change).expect(200);
      await fixture.submit(own, { email: 'eva@example.org', firstName: 'e'.repeat(200) }).expect(200);
      await fixture.submit(own, { email: 'ida@example.org', firstName: 'Ida' }).expect(200);
      await fixture.process();
      for (const email of ['ada@example.org', 'eva@example.org'])
        expect(await fixture.mailsTo(email)).toMatchObject([
          { subject: 'Please confirm your subscription', text: expect.stringContaining('/confirm/') },
        ]);
      expect(await fixture.mailsTo('ida@example.org')).toMatchObject([
        { subject: `I want it.${'Ida'.repeat(5)}`, text: expect.stringMatching(/^Click http/) },
      ]);
    });

    it('mails nothing for a form that was disabled meanwhile', async () => {
      await fixture.submit(form, { email: 'ada@example.org' }).expect(200);
      await fixture.account.asAdmin('patch', `/api/forms/${form.id}`).send({ status: 'disabled' }).expect(200);
      await fixture.process();
      expect(await mailedAddresses()).toEqual([]);
      expect(await fixture.signups()).toEqual([]);
    });

    it('keeps a sign-up of a disabled form whose mail was accepted before the process was lost', async () => {
      await fixture.linkFor(form, 'ada@example.org');
      await service.query(
        `UPDATE form_signups SET state = 'admitted', message_log_id = NULL, due_at = now() WHERE account_id = $1`,
        [fixture.account.id],
      );
      await fixture.account.asAdmin('patch', `/api/forms/${form.id}`).send({ status: 'disabled' }).expect(200);
      service.clock.advance({ seconds: 1 });
      await fixture.process();
      expect(await fixture.signups()).toMatchObject([{ state: 'mailed' }]);
    });

    it('tries again while the sender is not verified, and gives up after a day', async () => {
      await fixture.submit(form, { email: 'ada@example.org' }).expect(200);
      await fixture.submit(form, { email: 'eva@example.org' }).expect(200);
      await service.query(`UPDATE senders SET status = 'pending' WHERE account_id = $1`, [fixture.account.id]);
      service.clock.advance({ seconds: 2 });
      await fixture.process();
      expect(await mailedAddresses()).toEqual([]);
      service.clock.advance({ hours: 23 });
      await fixture.process();
      expect(await fixture.signups()).toEqual([]);
    });

    it('has the confirmation mail accepted once if the worker dies after that', async () => {
      await fixture.linkFor(form, 'ada@example.org');
      await service.query(
        `UPDATE form_signups SET state = 'admitted', message_log_id = NULL, due_at = now() WHERE account_id = $1`,
        [fixture.account.id],
      );
      await fixture.process();
      const [mail, ...others] = await fixture.mailsTo('ada@example.org');
      expect(others).toEqual([]);
      const rows = await service.query('SELECT state, message_log_id FROM form_signups WHERE account_id = $1', [
        fixture.account.id,
      ]);
      expect(rows).toEqual([{ state: 'mailed', message_log_id: mail!.id }]);
    });
  });
});

const withoutNonce = (text: string): string => text.replaceAll(/nonce[-=]"?[\w+/=]+/g, 'nonce');
