import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestAccount, TestKey } from '../../support/account.js';
import { badRequest } from '../../support/errors.js';
import { postEmail } from '../../support/send-email.js';
import { TestService } from '../../support/service.js';

const SENDER = 'shop@example.com';

describe('{{unsubscribeUrl}}', () => {
  let service: TestService;
  let account: TestAccount;
  let key: TestKey;

  beforeAll(async () => {
    service = await TestService.start({ ROLE: 'api', BASE_URL: "https://mail.example.net/a&b'" });
    account = await service.createAccount();
    await account.verifySender(SENDER);
    key = await account.createKey({ scopes: ['send'] });
  });
  afterAll(() => service.stop());

  const send = (changes: object) => postEmail(service, key.secret, { subject: 'News', ...changes });
  async function sent(changes: object) {
    const { body } = await send(changes).expect(201);
    const [row] = await service.query<{
      subject: string;
      html: string | null;
      text: string | null;
      unsubscribe_url: string | null;
    }>(
      `SELECT m.subject, c.html, c.text, c.unsubscribe_url FROM message_logs m JOIN message_contents c ON c.message_id = m.id
       WHERE m.id = $1`,
      [body.messageLogId],
    );
    return row!;
  }
  async function template(parts: object): Promise<string> {
    const { body } = await account
      .asAdmin('post', '/api/templates')
      .send({ name: 'News', subject: 'News', ...parts })
      .expect(201);
    return body.id;
  }
  const escaped = (link: string | null) => link!.replace('&', '&amp;').replace("'", '&#39;');
  const LINK = /^https:\/\/mail\.example\.net\/a&b'\/u\/[\w-]+$/;

  it('is the link in bodies without template and variables, escaped in html; nothing else is replaced there', async () => {
    const {
      subject,
      html,
      text,
      unsubscribe_url: link,
    } = await sent({
      subject: '{{unsubscribeUrl}}',
      html: '<a href="{{unsubscribeUrl}}">{{ unsubscribeUrl }}</a> {{{unsubscribeUrl}}} {{name}} {{unsubscribeurl}} $& {{',
      text: '{{unsubscribeUrl}}\n{{ name }} {unsubscribeUrl}',
    });
    expect(link).toMatch(LINK);
    const inHtml = escaped(link);
    expect(html).toBe(`<a href="${inHtml}">${inHtml}</a> ${inHtml} {{name}} {{unsubscribeurl}} $& {{`);
    expect(text).toBe(`${link}\n{{ name }} {unsubscribeUrl}`);
    expect(subject).toBe('{{unsubscribeUrl}}');
  });

  it('is also {{preferencesUrl}}, in any body and template, unless the request has one', async () => {
    const parts = {
      html: '<a href="{{preferencesUrl}}">Choose</a>',
      text: '{{ preferencesUrl }} {{{preferencesUrl}}}',
    };
    const templateId = await template(parts);
    for (const content of [parts, { templateId }, { templateId, variables: {}, strictVariables: true }]) {
      const { html, text, unsubscribe_url: link } = await sent(content);
      expect(link).toMatch(LINK);
      expect(html).toBe(`<a href="${escaped(link)}">Choose</a>`);
      expect(text).toBe(`${link} ${link}`);
    }
    const own = await sent({ templateId, variables: { preferencesUrl: 'mine' } });
    expect(own).toMatchObject({ html: '<a href="mine">Choose</a>', unsubscribe_url: null });
  });

  it('is the link in a template, in sections too', async () => {
    const templateId = await template({
      html: '<a href="{{unsubscribeUrl}}">{{#user}}{{name}}: {{{unsubscribeUrl}}}{{/user}}</a>',
      text: '{{#unsubscribeUrl}}Unsubscribe: {{.}}{{/unsubscribeUrl}}{{^unsubscribeUrl}}none{{/unsubscribeUrl}}',
    });
    const { html, text, unsubscribe_url: link } = await sent({ templateId, variables: { user: { name: 'Ada' } } });
    expect(link).toMatch(LINK);
    expect(html).toBe(`<a href="${escaped(link)}">Ada: ${link}</a>`);
    expect(text).toBe(`Unsubscribe: ${link}`);
  });

  it('is the link in a part of a template that the request replaces', async () => {
    const templateId = await template({ html: '<p>News</p>' });
    const { text, unsubscribe_url: link } = await sent({ templateId, text: 'Stop: {{unsubscribeUrl}}' });
    expect(text).toBe(`Stop: ${link}`);
  });

  it('adds no headers if no body contains it', async () => {
    const templateId = await template({ html: '<p>{{#unsubscribeUrl}}x{{/unsubscribeUrl}}</p>' });
    expect(await sent({ templateId })).toMatchObject({ html: '<p>x</p>', unsubscribe_url: null });
    expect(await sent({ html: '<p>unsubscribeUrl</p>' })).toMatchObject({ unsubscribe_url: null });
  });

  it('is the variable of that name if the request has one; headers are then up to the request', async () => {
    const own = 'https://shop.example/stop?a=1&b=2';
    const variables = { unsubscribeUrl: own };
    const templateId = await template({ html: '<a href="{{{unsubscribeUrl}}}">Stop</a>', text: '{{unsubscribeUrl}}' });
    expect(await sent({ templateId, variables })).toEqual({
      subject: 'News',
      html: `<a href="${own}">Stop</a>`,
      text: own,
      unsubscribe_url: null,
    });
    const bodies = { html: '<a href="{{unsubscribeUrl}}">Stop</a>', text: '{{ unsubscribeUrl }}' };
    expect(await sent({ ...bodies, variables, unsubscribeUrl: 'https://shop.example/header' })).toEqual({
      subject: 'News',
      html: '<a href="https://shop.example/stop?a=1&amp;b=2">Stop</a>',
      text: own,
      unsubscribe_url: 'https://shop.example/header',
    });
    expect(await sent({ ...bodies, variables: { unsubscribeUrl: null } })).toMatchObject({
      text: expect.stringMatching(LINK),
    });
  });

  it('leaves the headers to the unsubscribeUrl of the request, if it has one', async () => {
    const { text, unsubscribe_url: url } = await sent({
      text: '{{unsubscribeUrl}}',
      unsubscribeUrl: 'https://shop.example/header',
    });
    expect(text).toMatch(LINK);
    expect(url).toBe('https://shop.example/header');
  });

  it('is a link of its own for each message', async () => {
    const links = new Set<string | null>();
    for (let i = 0; i < 3; i++) links.add((await sent({ text: '{{unsubscribeUrl}}' })).text);
    expect(links.size).toBe(3);
  });

  it('does not make a body exceed its limit', async () => {
    const html = '{{unsubscribeUrl}}'.repeat(20_000);
    const fault = (text: string) => badRequest(`${text} filled in`);
    await send({ html }).expect(400, fault('html is longer than 1000000 characters once unsubscribeUrl is'));
    await send({
      text: '{{unsubscribeUrl}}'.repeat(10_000),
      variables: { unsubscribeUrl: 'x'.repeat(100_000) },
    }).expect(400, fault('text is longer than 1000000 characters once its variables are'));
  });

  it('is empty in a preview, which is not a message', async () => {
    const id = await template({ text: '[{{unsubscribeUrl}}]' });
    const { body } = await account.asAdmin('post', `/api/templates/${id}/preview`).send({}).expect(200);
    expect(body.text).toBe('[]');
  });
});
