import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { badRequest, errorBody } from '../../support/errors.js';
import { FormFixture, type TestForm } from '../../support/form-fixture.js';
import { NO_SUCH_ID } from '../../support/api-fixtures.js';
import { TestService } from '../../support/service.js';

const ORIGIN = 'https://www.example.com';

describe('POST /f/:formId', () => {
  let service: TestService;
  let fixture: FormFixture;
  let form: TestForm;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    fixture = await FormFixture.open(service);
    form = await fixture.createForm({ fields: ['firstName', 'company'], allowedOrigins: [ORIGIN] });
  });

  const mailedAddresses = async () =>
    (
      await service.query<{ recipient: string }>(
        'SELECT normalised_recipient AS recipient FROM message_logs WHERE account_id = $1 ORDER BY id',
        [fixture.account.id],
      )
    ).map(({ recipient }) => recipient);

  describe('of a form', () => {
    it('answers with a page, and has a mail accepted that holds nothing of the submission', async () => {
      const values = { email: 'ada@example.org', firstName: 'Ada', company: 'Evil', lastName: 'Not asked for' };
      const { text } = await fixture
        .submit(form, values)
        .expect(200)
        .expect('Content-Type', 'text/html; charset=utf-8');
      expect(text).toContain('<h1>Check your inbox</h1>');
      await fixture.process();
      const [mail, ...others] = await fixture.mailsTo('ada@example.org');
      expect(others).toEqual([]);
      expect(mail!.subject).toBe('Please confirm your subscription');
      expect(mail!.text).toContain('I want the newsletter.');
      expect(mail!.html).toContain('/confirm/');
      expect(`${mail!.text}${mail!.html}`).not.toMatch(/Evil|Ada\b/);
      expect(await fixture.contactOf('ada@example.org')).toBeUndefined();
      expect((await fixture.readForm(form)).stats).toEqual({ submitted: 1, confirmed: 0 });
      const [row] = await service.query('SELECT first_name, last_name FROM form_signups WHERE account_id = $1', [
        fixture.account.id,
      ]);
      expect(row).toEqual({ first_name: 'Ada', last_name: null });
    });

    it('counts the mail under the daily cap, and accepts it once there is room', async () => {
      const capped = await FormFixture.open(service, { dailySendCap: 1 });
      const small = await capped.createForm();
      for (const name of ['ada', 'eva']) await capped.submit(small, { email: `${name}@example.org` }).expect(200);
      await capped.process();
      const accepted = async () =>
        (await capped.mailsTo('ada@example.org')).length + (await capped.mailsTo('eva@example.org')).length;
      expect(await accepted()).toBe(1);
      await service.query('UPDATE accounts SET daily_send_cap = 10 WHERE id = $1', [capped.account.id]);
      service.clock.advance({ minutes: 16 });
      await capped.process();
      expect(await accepted()).toBe(2);
    });

    it('redirects to the address that the form names', async () => {
      const redirectUrl = 'https://www.example.com/thanks';
      const redirecting = await fixture.createForm({ redirectUrl });
      await fixture.submit(redirecting, { email: 'ada@example.org' }).expect(303).expect('Location', redirectUrl);
    });

    it('shows the form again, with what was filled in, for text that is no address', async () => {
      const { text } = await fixture.submit(form, { email: '"><script>', firstName: '"><i>' }).expect(400);
      expect(text).toContain('role="alert">This is not an email address');
      expect(text).toContain('value="&quot;&gt;&lt;script&gt;"');
      expect(text).toContain('value="&quot;&gt;&lt;i&gt;"');
      expect(await fixture.signups()).toEqual([]);
    });

    it('answers a page in German to a browser that prefers it, and mails in German', async () => {
      const { text } = await fixture
        .submit(form, { email: 'ada@example.org' })
        .set('Accept-Language', 'de')
        .expect(200);
      expect(text).toContain('<h1>Sehen Sie in Ihr Postfach</h1>');
      await fixture.process();
      expect((await fixture.mailsTo('ada@example.org'))[0]!.text).toContain('Bitte bestätigen Sie');
    });

    it.each([
      ['unknown', () => ({ id: NO_SUCH_ID })],
      ['no id', () => ({ id: 'forms' })],
      ['disabled', () => fixture.createForm({ status: 'disabled' })],
    ])('answers 404 for a form that is %s', async (_, formOf) => {
      const { text } = await fixture.submit(await formOf(), { email: 'ada@example.org' }).expect(404);
      expect(text).toContain('<h1>This form does not exist</h1>');
      const { body } = await fixture.submitJson(await formOf(), { email: 'ada@example.org' }).expect(404);
      expect(body).toMatchObject(errorBody(404, 'Form not found'));
    });
  });

  describe('of JSON', () => {
    it('answers that the sign-up is pending, and ignores fields that it does not know', async () => {
      const { body } = await fixture
        .submitJson(form, { email: 'ada@example.org', utm: 1, firstName: ['x'] })
        .expect(202);
      expect(body).toEqual({ status: 'pending' });
      await fixture.process();
      expect(await mailedAddresses()).toEqual(['ada@example.org']);
    });

    it.each([{}, { email: 'ada' }, { email: ['ada@example.org'] }, { email: null }])('refuses %j', async (values) => {
      const { body } = await fixture.submitJson(form, values).expect(400);
      expect(body).toMatchObject(badRequest('email must be an email address'));
    });

    it('refuses what is neither JSON nor a form', async () => {
      const post = (type: string, body: string) => service.request('post', `/f/${form.id}`).type(type).send(body);
      await post('text/plain', '{"email":"ada@example.org"}').expect(400);
      await post('application/json', '[]').expect(400);
      await post('application/json', '{').expect(400);
      expect(await fixture.signups()).toEqual([]);
    });
  });

  it('refuses a form of very many fields', async () => {
    const post = (others: number) =>
      service
        .request('post', `/f/${form.id}`)
        .type('application/x-www-form-urlencoded')
        .send(`email=ada%40example.org${'&a=1'.repeat(others)}`);
    const { body } = await post(200).expect(400);
    expect(body).toMatchObject(badRequest('The form has more than 200 fields'));
    expect(await fixture.signups()).toEqual([]);
    await post(199).expect(200);
    expect(await fixture.signups()).toHaveLength(1);
  });

  describe('from a page', () => {
    it('allows its origins, in the preflight and the response, and no other', async () => {
      const preflight = (origin: string) =>
        fetch(`${service.url}/f/${form.id}`, { method: 'OPTIONS', headers: { Origin: origin, ...PREFLIGHT } });
      const allowed = await preflight(ORIGIN);
      expect(allowed.status).toBe(204);
      expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN);
      expect(allowed.headers.get('Access-Control-Allow-Headers')).toBe('Content-Type');
      expect(allowed.headers.get('Vary')).toContain('Origin');
      expect((await preflight('https://evil.example')).headers.get('Access-Control-Allow-Origin')).toBeNull();
      const { headers } = await fixture
        .submitJson(form, { email: 'ada@example.org' })
        .set('Origin', ORIGIN)
        .expect(202);
      expect(headers['access-control-allow-origin']).toBe(ORIGIN);
      const refused = await fixture.submitJson(form, { email: 'no address' }).set('Origin', ORIGIN).expect(400);
      expect(refused.headers['access-control-allow-origin']).toBe(ORIGIN);
    });

    it.each(['https://evil.example', 'https://www.example.com.evil.example', 'http://www.example.com', '%'])(
      'stores nothing from the origin %s',
      async (origin) => {
        const values = { email: 'ada@example.org' };
        const { text } = await fixture.submit(form, values).set('Origin', origin).expect(403);
        expect(text).toContain('<h1>This form was sent from another site</h1>');
        const { body, headers } = await fixture.submitJson(form, values).set('Origin', origin).expect(403);
        expect(body).toMatchObject(errorBody(403, 'The form does not allow this origin'));
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(await fixture.signups()).toEqual([]);
      },
    );

    it('takes a form, and no JSON, from a page whose policy hides its origin', async () => {
      const values = { email: 'ada@example.org' };
      const { headers } = await fixture.submit(form, values).set('Origin', 'null').expect(200);
      expect(headers['access-control-allow-origin']).toBeUndefined();
      const { body } = await fixture.submitJson(form, values).set('Origin', 'null').expect(403);
      expect(body).toMatchObject(errorBody(403, 'The form does not allow this origin'));
      expect(await fixture.signups()).toHaveLength(1);
    });

    it('takes the form from its own page, whatever name the service has', async () => {
      await fixture.submit(form, { email: 'ada@example.org' }).set('Origin', service.url).expect(200);
    });
  });

  describe('for an address that is known', () => {
    const state = async (email: string) => {
      const all = await fixture.signups();
      return all.find((signup) => signup.email === email)?.state;
    };

    const writes = async () => (await fixture.signups()).length;

    it('answers the same, and stores the same, whatever is known about it', async () => {
      await fixture.subscribe(form, 'confirmed@example.org');
      await fixture.linkFor(form, 'pending@example.org');
      await fixture.account.asAdmin('post', '/api/contacts').send({ email: 'contact@example.org' }).expect(201);
      await fixture.account.asAdmin('post', '/api/suppressions').send({ email: 'suppressed@example.org' }).expect(201);
      const answers: unknown[] = [];
      for (const name of ['new', 'contact', 'pending', 'confirmed', 'suppressed']) {
        const values = { email: `${name}@example.org` };
        const before = await writes();
        const { status, text, headers } = await fixture.submit(form, values);
        const { body } = await fixture.submitJson(form, values).expect(202);
        const { 'content-security-policy': policy, ...same } = headers as Record<string, string>;
        delete same.date;
        answers.push({
          status,
          text: withoutNonce(text),
          same,
          policy: withoutNonce(policy!),
          body,
          written: (await writes()) - before,
        });
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await state('suppressed@example.org')).toBe('received');
      await fixture.process();
      expect(await mailedAddresses()).toEqual(expect.arrayContaining(['new@example.org', 'contact@example.org']));
      expect(await mailedAddresses()).not.toContain('suppressed@example.org');
      expect(await state('suppressed@example.org')).toBeUndefined();
    });

    it('mails nothing to somebody who has unsubscribed', async () => {
      await fixture.subscribe(form, 'ada@example.org');
      const contact = { email: 'ada@example.org', status: 'unsubscribed' };
      await fixture.account.asAdmin('post', '/api/contacts').send(contact).expect(200);
      service.clock.advance({ days: 1 });
      await fixture.submit(form, { email: 'ada@example.org' }).expect(200);
      await fixture.process();
      expect(await mailedAddresses()).toEqual(['ada@example.org']);
      expect(await fixture.contactOf('ada@example.org')).toMatchObject({ status: 'unsubscribed' });
    });
  });
});

const PREFLIGHT = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'content-type' };

const withoutNonce = (text: string): string => text.replaceAll(/nonce[-=]"?[\w+/=]+/g, 'nonce');
