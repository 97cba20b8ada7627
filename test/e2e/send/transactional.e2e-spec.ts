import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { API_VERSION } from '../../../src/platform/http/version.js';
import type { TestAccount, TestKey } from '../../support/account.js';
import { badRequest, errorBody } from '../../support/errors.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';

describe('POST /api/send/transactional', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey({ scopes: ['send', 'read_events'] });
  });

  const mail = (changes: object = {}) => ({
    to: 'ada@example.org',
    fromEmail: SENDER,
    subject: 'Your order',
    html: '<p>Thank you</p>',
    ...changes,
  });
  const send = (changes: object = {}) =>
    service.request('post', '/api/send/transactional').set('X-API-Key', key.secret).send(mail(changes));
  const rows = () => service.query<{ id: string }>('SELECT id FROM message_logs WHERE account_id = $1', [account.id]);
  const usage = (subject: string) =>
    service.query<{ used: number }>('SELECT used FROM daily_usage WHERE subject_id = $1', [subject]);

  it('stores the message, its content and its pending delivery, and counts it', async () => {
    const { body, headers } = await send({
      fromName: 'Zoë’s shop',
      replyTo: 'help@example.com',
      text: 'Thank you',
      unsubscribeUrl: 'https://example.com/u/1',
    }).expect(201);
    expect(body).toEqual({ queued: true, messageLogId: expect.stringMatching(/^c[a-z0-9]{24}$/) });
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '999',
      'x-service-version': API_VERSION,
    });
    const [row] = await service.query(
      `SELECT * FROM message_logs m JOIN message_contents c ON c.message_id = m.id
       JOIN pending_deliveries p ON p.message_id = m.id WHERE m.id = $1`,
      [body.messageLogId],
    );
    expect(row).toMatchObject({
      account_id: account.id,
      api_key_id: key.id,
      channel: 'email',
      status: 'queued',
      recipient: 'ada@example.org',
      sender: SENDER,
      sender_name: 'Zoë’s shop',
      reply_to: 'help@example.com',
      subject: 'Your order',
      html: '<p>Thank you</p>',
      text: 'Thank you',
      unsubscribe_url: 'https://example.com/u/1',
      attempts: 0,
    });
    expect(await usage(account.id)).toEqual([{ used: 1 }]);
    expect(await usage(key.id)).toEqual([{ used: 1 }]);
  });

  it.each([
    [{ to: undefined }, 'to must be an email address'],
    [{ to: 'not an address' }, 'to must be an email address'],
    [{ fromEmail: undefined }, 'fromEmail must be an email address'],
    [{ subject: undefined }, 'subject is required unless templateId is given'],
    [{ html: undefined }, 'html or text is required unless templateId is given'],
    [{ html: '' }, 'html or text is required unless templateId is given'],
    [{ html: '', text: '' }, 'html or text is required unless templateId is given'],
    [{ subject: 'a\r\nBcc: eve@example.com' }, 'subject must not contain line breaks or control characters'],
    [{ fromName: 'a\nBcc: eve@example.com' }, 'fromName must not contain line breaks or control characters'],
    [{ replyTo: 'jürgen@example.com' }, 'replyTo must have only ASCII characters before the @'],
    [{ replyTo: 'a@example.com\r\nBcc: eve@example.com' }, 'replyTo must be an email address'],
    [{ to: 'a@example.com\r\nBcc: eve@example.com' }, 'to must be an email address'],
    [{ unsubscribeUrl: 'example.com/u' }, 'unsubscribeUrl must be an absolute http or https URL'],
    [{ unsubscribeUrl: 'https://example.com/a\r\nX: y' }, 'unsubscribeUrl must be an absolute http or https URL'],
    [{ unsubscribeUrl: 'https://example.com/>' }, 'unsubscribeUrl must be an absolute http or https URL'],
    [{ unsubscribeUrl: 'javascript:alert(1)' }, 'unsubscribeUrl must be an absolute http or https URL'],
    [
      { unsubscribeUrl: `https://example.com/${'a'.repeat(2_048)}` },
      'unsubscribeUrl must be at most 2048 characters long',
    ],
    [{ subject: 5 }, 'subject must be a string'],
    [{ html: ['<p>'] }, 'html must be a string'],
    [{ html: 5, text: 'Hello' }, 'html must be a string'],
    [{ text: { a: 1 } }, 'text must be a string'],
    [{ fromName: 5 }, 'fromName must be a string'],
    [{ subject: 5, templateId: 'c000000000000000000000000' }, 'subject must be a string'],
    [{ subject: '', templateId: 'c000000000000000000000000' }, 'subject must not be empty'],
    [{ templateId: 'welcome' }, 'templateId must be the id of a template'],
    [{ templateId: 'c000000000000000000000000' }, 'templateId: template not found'],
    [{ variables: 'Ada' }, 'variables must be an object'],
    [{ subject: 'Hi {{', variables: {} }, 'subject has a tag that is not closed'],
    [{ html: '{{#a}}', variables: {} }, 'html: Unclosed section "a" at 6'],
    [{ text: '{{> partial}}', variables: {} }, 'text must not use partials, {{> … }}'],
    [{ html: 'x'.repeat(500_001), variables: {} }, 'html is longer than 500000 characters'],
    [{ html: `${'{{#a}}'.repeat(11)}${'{{/a}}'.repeat(11)}`, variables: {} }, 'html nests sections more than 10 deep'],
    [
      { html: '{{a}}{{a}}', variables: { a: 'x'.repeat(600_000) } },
      'html is longer than 1000000 characters once its variables are filled in',
    ],
    [
      { subject: 'Hi {{a}}', variables: { a: 'Ada\r\nBcc: eve@example.com' } },
      'subject must not hold line breaks or control characters once its variables are filled in',
    ],
    [{ colour: 'red', to: 1 }, 'colour is not a known field; to must be an email address'],
    [{ html: 'a\u0000b' }, 'html holds a character that cannot be stored'],
    [{ subject: '\ud800' }, 'subject holds a character that cannot be stored'],
  ])('refuses %j and does not count it', async (changes, message) => {
    await send(changes).expect(400, badRequest(message));
    expect(await rows()).toEqual([]);
    expect(await usage(key.id)).toEqual([]);
  });

  it('reports all faults of a body at once', async () => {
    const { body } = await service
      .request('post', '/api/send/transactional')
      .set('X-API-Key', key.secret)
      .send({})
      .expect(400);
    expect(body.message.split('; ')).toEqual([
      'to must be an email address',
      'fromEmail must be an email address',
      'subject is required unless templateId is given',
      'html or text is required unless templateId is given',
    ]);
  });

  it('refuses encodings other than UTF-8, and a body that is nested too deeply', async () => {
    const post = (type: string, body: Buffer | string) =>
      service
        .request('post', '/api/send/transactional')
        .set('X-API-Key', key.secret)
        .set('Content-Type', type)
        .send(body);
    await post(
      'application/json; charset=utf-16le',
      Buffer.from(JSON.stringify(mail()), 'utf16le').toString('latin1'),
    ).expect(400, badRequest('The body must be JSON, sent with Content-Type: application/json in UTF-8'));
    await post('application/json', `{"variables":${'['.repeat(60)}${']'.repeat(60)}}`).expect(
      400,
      badRequest('The body is nested deeper than 50 levels'),
    );
  });

  it('refuses a body that is not JSON, not an object or larger than 5 MB', async () => {
    const post = (type: string, body: string) =>
      service
        .request('post', '/api/send/transactional')
        .set('X-API-Key', key.secret)
        .set('Content-Type', type)
        .send(body);
    await post('application/json', '{"to":').expect(400, badRequest('The body is not valid JSON'));
    await post('application/json', '[]').expect(400, badRequest('The body must be a JSON object'));
    await post('text/plain', 'hello').expect(
      400,
      badRequest('The body must be JSON, sent with Content-Type: application/json in UTF-8'),
    );
    await send({ html: 'x'.repeat(5_242_880) }).expect(413, errorBody(413, 'The body is larger than 5 MB'));
  });

  it('accepts a sender of a verified domain, but not of one with a missing record', async () => {
    await account.addDomain('verified.example', { dkim: 'verified', spf: 'verified', mailFrom: 'verified' });
    await account.addDomain('half.example', { dkim: 'verified', spf: 'verified', mailFrom: 'pending' });
    await send({ fromEmail: 'Any.One@Verified.Example' }).expect(201);
    for (const fromEmail of ['a@half.example', 'a@sub.verified.example', 'a@elsewhere.example']) {
      await send({ fromEmail }).expect(400, badRequest(`${fromEmail} is not verified for sending`));
    }
  });

  it('refuses a send to any spelling of a suppressed address', async () => {
    await account.asAdmin('post', '/api/suppressions').send({ email: 'Ada@BÜCHER.example' }).expect(201);
    for (const to of ['ada@bücher.example', 'ADA@xn--bcher-kva.EXAMPLE', ' Ada@Bücher.example ']) {
      await send({ to }).expect(400, badRequest(`${to.trim()} is suppressed`));
    }
    expect(await rows()).toEqual([]);
  });

  async function contentOf({ body }: { body: { messageLogId: string } }) {
    const path = `/api/messages/${body.messageLogId}`;
    const [message, content] = [await account.asAdmin('get', path), await account.asAdmin('get', `${path}/content`)];
    return { ...(content.body as object), subject: message.body.subject as string };
  }

  it('renders its own subject, html and text with variables, like a template', async () => {
    const answer = await send({
      subject: 'Hi {{name}}, {{missing}}ok',
      html: '<p>{{name}} {{{name}}}{{#items}}<b>{{.}}</b>{{/items}}{{^none}}!{{/none}}</p>',
      text: '{{name}}: {{items}}',
      variables: { name: 'Ada <&> Co', items: ['x', 'y'] },
    }).expect(201);
    expect(await contentOf(answer)).toMatchObject({
      subject: 'Hi Ada <&> Co, ok',
      html: '<p>Ada &lt;&amp;&gt; Co Ada <&> Co<b>x</b><b>y</b>!</p>',
      text: 'Ada <&> Co: ',
    });
  });

  it.each([undefined, null])('replaces only {{unsubscribeUrl}} if variables are %s', async (variables) => {
    const text = 'Hi {{name}} {{#open {{{x}}} {{unsubscribeUrl}}';
    const answer = await send({ subject: '{{name}} {{unsubscribeUrl}}', html: undefined, text, variables }).expect(201);
    const content = await contentOf(answer);
    expect(content).toMatchObject({
      subject: '{{name}} {{unsubscribeUrl}}',
      text: expect.stringMatching(/^Hi \{\{name\}\} \{\{#open \{\{\{x\}\}\} http:/),
    });
  });

  it('renders {{unsubscribeUrl}} as the hosted link unless a variable overrides it', async () => {
    const text = '{{name}} {{unsubscribeUrl}}';
    const own = await send({
      html: undefined,
      text,
      variables: { name: 'Ada', unsubscribeUrl: 'https://a.example/u' },
    });
    expect(await contentOf(own)).toMatchObject({ text: 'Ada https://a.example/u' });
    const hosted = await send({ html: undefined, text, variables: { name: 'Ada' } }).expect(201);
    expect(await contentOf(hosted)).toMatchObject({ text: expect.stringMatching(/^Ada http:.*\/u\//) });
  });

  it.each([
    [
      { html: '', text: 'Hi' },
      { html: null, text: 'Hi' },
    ],
    [
      { html: '<p>Hi</p>', text: '' },
      { html: '<p>Hi</p>', text: null },
    ],
    [
      { html: '{{none}}', text: 'Hi', variables: {} },
      { html: null, text: 'Hi' },
    ],
  ])('treats an empty body as absent if there is another one: %j', async (bodies, stored) => {
    expect(await contentOf(await send(bodies).expect(201))).toMatchObject(stored);
  });

  it('renders a template with the overrides of the request', async () => {
    const { body: template } = await account
      .asAdmin('post', '/api/templates')
      .send({ name: 'Welcome', subject: 'Hello {{name}}', html: '<p>{{name}} {{missing}}</p>', text: 'Hi {{name}}' })
      .expect(201);
    const { body } = await send({
      templateId: template.id,
      subject: undefined,
      html: undefined,
      text: 'Dear {{name}}',
      variables: { name: 'Ada <&> Co' },
    }).expect(201);
    const [row] = await service.query(
      `SELECT m.subject, c.html, c.text, m.template_id FROM message_logs m JOIN message_contents c ON c.message_id = m.id WHERE m.id = $1`,
      [body.messageLogId],
    );
    expect(row).toEqual({
      subject: 'Hello Ada <&> Co',
      html: '<p>Ada &lt;&amp;&gt; Co </p>',
      text: 'Dear Ada <&> Co',
      template_id: template.id,
    });
  });

  it('accepts messages while the queue is unavailable', async () => {
    await service.query('ALTER SCHEMA bullmq RENAME TO away');
    try {
      await send().expect(201);
    } finally {
      await service.query('ALTER SCHEMA away RENAME TO bullmq');
    }
  });

  it('refuses messages if suppressions cannot be looked up', async () => {
    await service.query('ALTER TABLE suppressions RENAME TO away');
    try {
      await send().expect(500, errorBody(500, 'Internal server error'));
    } finally {
      await service.query('ALTER TABLE away RENAME TO suppressions');
    }
    expect(await rows()).toEqual([]);
  });
});
