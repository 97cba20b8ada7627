import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { NO_SUCH_ID } from '../../support/api-fixtures.js';
import { FORM_SENDER, FormFixture } from '../../support/form-fixture.js';
import { TestService } from '../../support/service.js';

const MINIMAL = { name: 'Newsletter', wording: 'I want it.', fromEmail: FORM_SENDER };

describe('/api/forms', () => {
  let service: TestService;
  let fixture: FormFixture;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    fixture = await FormFixture.open(service);
  });

  const create = (body: object) => fixture.account.asAdmin('post', '/api/forms').send(body);

  it('creates a form with defaults, and lists it newest first', async () => {
    service.clock.freeze();
    const { body } = await create(MINIMAL).expect(201);
    const now = service.clock.now().toISOString();
    expect(body).toEqual({
      ...{ id: expect.stringMatching(/^c[a-z0-9]{24}$/), ...MINIMAL, wordingVersion: 1, fromName: null },
      ...{ listIds: [], topicIds: [], fields: [], allowedOrigins: [], redirectUrl: null, confirmedUrl: null },
      ...{ confirmation: { subject: 'Please confirm your subscription', templateId: null }, welcome: null },
      ...{ challenge: 'altcha', status: 'active', stats: { submitted: 0, confirmed: 0 } },
      ...{ createdAt: now, updatedAt: now },
    });
    service.clock.advance({ seconds: 1 });
    const { body: second } = await create({ ...MINIMAL, name: 'Second' }).expect(201);
    const { body: page } = await fixture.account.asMember('get', '/api/forms').expect(200);
    expect(page).toEqual({ items: [second, body], total: 2, page: 1, pageSize: 25, totalPages: 1 });
    expect(await fixture.readForm(body)).toEqual(body);
  });

  it('keeps what is given', async () => {
    const listId = await fixture.createList();
    const templateId = await fixture.createTemplate({ html: '<a href="{{confirmUrl}}">x</a>', text: '{{confirmUrl}}' });
    const wanted = {
      ...{ ...MINIMAL, listIds: [listId], fields: ['company', 'firstName'], fromName: 'News' },
      ...{ confirmation: { subject: 'Please', templateId }, welcome: { templateId } },
      ...{ redirectUrl: 'https://example.com/a?b#c', confirmedUrl: 'http://localhost/d' },
      ...{ allowedOrigins: ['https://WWW.example.com:443/'], challenge: 'none', status: 'disabled' },
    };
    const { body } = await create(wanted).expect(201);
    expect(body).toMatchObject({ ...wanted, allowedOrigins: ['https://www.example.com'] });
  });

  it.each([
    [{ name: '' }, 'name must be longer than or equal to 1 characters'],
    [{ name: 'a\nb' }, 'name must not hold line breaks or control characters'],
    [{ wording: ' \n' }, 'wording must not be blank'],
    [{ name: ' ' }, 'name must not be blank'],
    [{ wording: 'w'.repeat(2_001) }, 'wording must be shorter than or equal to 2000 characters'],
    [{ fromEmail: 'news' }, 'fromEmail must be an email address'],
    [{ fields: ['email'] }, 'fields must be some of firstName, lastName, company'],
    [{ listIds: [NO_SUCH_ID] }, `listIds: there is no list ${NO_SUCH_ID}`],
    [{ topicIds: [NO_SUCH_ID] }, `topicIds: there is no topic ${NO_SUCH_ID}`],
    [{ welcome: { templateId: NO_SUCH_ID } }, `welcome.templateId: there is no template ${NO_SUCH_ID}`],
    [{ welcome: {} }, 'welcome.templateId must be the id of a template'],
    [{ confirmation: { templateId: NO_SUCH_ID } }, `confirmation.templateId: there is no template ${NO_SUCH_ID}`],
    [{ confirmation: { subject: 'a\r\nBcc: b@example.com' } }, 'confirmation.subject must not hold line breaks or'],
    [{ confirmation: { subject: '{{#a}}' } }, 'confirmation.subject: Unclosed section "a" at 6'],
    [{ redirectUrl: 'javascript:alert(1)' }, 'redirectUrl must be an http or https URL'],
    [{ confirmedUrl: 'https://' }, 'confirmedUrl must be an http or https URL'],
    [{ allowedOrigins: ['https://example.com/path'] }, 'allowedOrigins must be an origin'],
    [{ allowedOrigins: ['*'] }, 'allowedOrigins must be an origin'],
    [{ allowedOrigins: ['https://*.example.com'] }, 'allowedOrigins must be an origin'],
    [{ allowedOrigins: ['https://a;sandbox'] }, 'allowedOrigins must be an origin'],
    [{ redirectUrl: 'https://a;sandbox/' }, 'redirectUrl must be an http or https URL'],
    [
      { allowedOrigins: Array.from({ length: 21 }, (_, i) => `https://a${i}.example`) },
      'allowedOrigins must contain no',
    ],
    [{ challenge: 'captcha' }, 'challenge must be one of the following values: altcha, none'],
    [{ status: 'draft' }, 'status must be one of the following values: active, disabled'],
    [{ fromEmail: 'other@example.net' }, 'other@example.net is not verified for sending'],
    [{ nonsense: 1 }, 'nonsense is not a known field'],
  ])('refuses %j, when it is created and when it is changed', async (fault, message) => {
    const { body } = await create({ ...MINIMAL, ...fault }).expect(400);
    expect(body).toMatchObject({ statusCode: 400, message: expect.stringContaining(message) });
    const { id } = await fixture.createForm();
    await fixture.account.asAdmin('patch', `/api/forms/${id}`).send(fault).expect(400);
  });

  it.each([
    ['wording of two lines', '{{wording}}', { wording: 'I want it.\nAnd more.' }],
    ['wording with a header', '{{wording}}', { wording: 'I want it.\r\nBcc: eve@evil.example' }],
    ['wording with a line separator', '{{wording}}', { wording: 'I want it.\u2028And more.' }],
    ['wording that is long for some', '{{#company}}{{wording}}{{/company}}', { wording: 'w'.repeat(999) }],
    ['name that is repeated', '{{formName}}'.repeat(10), { name: 'n'.repeat(100) }],
  ])('refuses a subject with a %s, whichever of them is new', async (_, subject, words) => {
    const expectRefusal = ({ body }: { body: object }) => {
      expect(body).toMatchObject({
        code: 'template_fault',
        message: expect.stringMatching(/^confirmation\.subject .+ once its variables are filled in$/),
      });
    };
    const change = (id: string, body: object) => fixture.account.asAdmin('patch', `/api/forms/${id}`).send(body);
    expectRefusal(await create({ ...MINIMAL, ...words, confirmation: { subject } }).expect(400));
    const worded = await fixture.createForm(words);
    expectRefusal(await change(worded.id, { confirmation: { subject } }).expect(400));
    const titled = await fixture.createForm({ confirmation: { subject } });
    expectRefusal(await change(titled.id, words).expect(400));
    await change(titled.id, { ...words, confirmation: { subject: 'Please confirm' } }).expect(200);
  });

  it.each([
    { html: '{{confirmUrl}}', text: 'no link' },
    { text: '{{#firstName}}{{confirmUrl}}{{/firstName}}' },
    { text: '{{^company}}{{confirmUrl}}{{/company}}' },
    {
      text: '{{#lastName}}{{^firstName}}{{confirmUrl}}{{/firstName}}{{/lastName}}{{^lastName}}{{confirmUrl}}{{/lastName}}',
    },
    { html: '<p hidden><a href="{{confirmUrl}}">Confirm</a></p>' },
    { html: '<img src="{{confirmUrl}}">' },
  ])('refuses the template %j for the confirmation: it does not show everybody the link', async (bodies) => {
    const templateId = await fixture.createTemplate(bodies);
    const { body } = await create({ ...MINIMAL, confirmation: { templateId } }).expect(400);
    expect(body).toMatchObject({
      code: 'template_fault',
      message: expect.stringContaining('the template must contain {{confirmUrl}}, in html and text'),
    });
  });

  it('takes a template for the confirmation with the link in every branch', async () => {
    const text = '{{#firstName}}{{firstName}}: {{confirmUrl}}{{/firstName}}{{^firstName}}{{confirmUrl}}{{/firstName}}';
    const templateId = await fixture.createTemplate({ text });
    await create({ ...MINIMAL, confirmation: { templateId } }).expect(201);
  });

  it.each([
    ['confirmation.templateId', { confirmation: { templateId: NO_SUCH_ID } }],
    ['welcome.templateId', { welcome: { templateId: NO_SUCH_ID } }],
  ])('refuses an unknown template as %s with the code of templates', async (field, fault) => {
    const { body } = await create({ ...MINIMAL, ...fault }).expect(400);
    expect(body).toMatchObject({ code: 'template_fault', message: `${field}: there is no template ${NO_SUCH_ID}` });
  });

  it('creates a disabled form with a sender that is not verified yet', async () => {
    const { body } = await create({ ...MINIMAL, fromEmail: 'new@example.net', status: 'disabled' }).expect(201);
    const enable = () => fixture.account.asAdmin('patch', `/api/forms/${body.id}`).send({ status: 'active' });
    expect((await enable().expect(400)).body.message).toBe('new@example.net is not verified for sending');
    await fixture.account.verifySender('new@example.net');
    await enable().expect(200);
  });

  it('keeps each wording under its version', async () => {
    const { id } = await fixture.createForm({ wording: 'One' });
    const change = async (wording: string) =>
      (await fixture.account.asAdmin('patch', `/api/forms/${id}`).send({ wording }).expect(200)).body.wordingVersion;
    expect([await change('Two'), await change('Two'), await change('One')]).toEqual([2, 2, 3]);
    const rows = await service.query('SELECT version, text FROM form_wordings WHERE form_id = $1 ORDER BY 1', [id]);
    expect(rows).toEqual([
      { version: 1, text: 'One' },
      { version: 2, text: 'Two' },
      { version: 3, text: 'One' },
    ]);
  });

  it('does not check again what stays as it is, such as a template that was deleted', async () => {
    const templateId = await fixture.createTemplate({ text: '{{confirmUrl}}' });
    const { id } = await fixture.createForm({ confirmation: { subject: 'Please', templateId } });
    await fixture.account.asAdmin('delete', `/api/templates/${templateId}`).expect(200);
    const change = (confirmation: object) =>
      fixture.account.asAdmin('patch', `/api/forms/${id}`).send({ confirmation });
    await change({ subject: 'Please confirm', templateId }).expect(200);
    await change({ templateId: NO_SUCH_ID }).expect(400);
  });

  it('changes only what is given, and clears what is null', async () => {
    const templateId = await fixture.createTemplate({ text: '{{confirmUrl}}' });
    const form = await fixture.createForm({
      ...{ fromName: 'News', confirmation: { subject: 'Please', templateId }, welcome: { templateId } },
      ...{ redirectUrl: 'https://example.com/' },
    });
    const change = async (body: object) =>
      (await fixture.account.asAdmin('patch', `/api/forms/${form.id}`).send(body).expect(200)).body;
    expect(await change({})).toEqual({ ...form, updatedAt: expect.any(String) });
    const cleared = { fromName: null, welcome: null, redirectUrl: null };
    expect(await change({ ...cleared, confirmation: { templateId: null } })).toMatchObject({
      ...cleared,
      confirmation: { subject: 'Please', templateId: null },
    });
  });

  it('keeps the counts while a form is changed', async () => {
    const form = await fixture.createForm();
    await fixture.subscribe(form, 'ada@example.org');
    await fixture.account.asAdmin('patch', `/api/forms/${form.id}`).send({ name: 'Other' }).expect(200);
    expect((await fixture.readForm(form)).stats).toEqual({ submitted: 1, confirmed: 1 });
  });

  it('deletes a form with its sign-ups and wordings', async () => {
    const form = await fixture.createForm();
    await fixture.linkFor(form, 'ada@example.org');
    expect((await fixture.account.asAdmin('delete', `/api/forms/${form.id}`).expect(200)).body.id).toBe(form.id);
    await fixture.account.asAdmin('delete', `/api/forms/${form.id}`).expect(404);
    expect(await fixture.signups()).toEqual([]);
    expect(await service.query('SELECT 1 FROM form_wordings WHERE form_id = $1', [form.id])).toEqual([]);
  });

  it('refuses the 101st form', async () => {
    await service.query(
      `INSERT INTO forms (id, account_id, name, list_ids, topic_ids, fields, wording, wording_version, from_email,
         confirmation_subject, allowed_origins, challenge, status, created_at, updated_at)
       SELECT 'c' || lpad(n::text, 24, '0'), $1, 'F', '{}', '{}', '{}', 'W', 1, $2, 'S', '{}', 'none', 'disabled', now(), now()
       FROM generate_series(1, 100) n`,
      [fixture.account.id, FORM_SENDER],
    );
    expect((await create(MINIMAL).expect(409)).body.message).toBe('An account has at most 100 forms');
  });

  it('erases the sign-ups of a person whose contact is erased, pending ones too', async () => {
    const form = await fixture.createForm();
    await fixture.subscribe(form, 'ada@example.org');
    await fixture.submit(form, { email: 'ADA@example.org' }).expect(200);
    await fixture.submit(form, { email: 'eva@example.org' }).expect(200);
    const { id } = (await fixture.contactOf('ada@example.org')) as unknown as { id: string };
    await fixture.account.asAdmin('post', `/api/contacts/${id}/erase`).expect(200);
    expect((await fixture.signups()).map(({ email }) => email)).toEqual(['eva@example.org']);
    await fixture.submit(form, { email: 'ada@example.org' }).expect(200);
    await fixture.process();
    expect((await fixture.signups()).map(({ email }) => email)).toEqual(['eva@example.org']);
  });
});
