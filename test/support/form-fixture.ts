import type request from 'supertest';

import { SignupRepository } from '../../src/modules/forms/application/ports/signup.repository.js';
import { ProcessSignups } from '../../src/modules/forms/application/process-signups.service.js';
import { newId } from '../../src/shared/ids.js';
import type { TestAccount } from './account.js';
import type { TestService } from './service.js';

export const FORM_SENDER = 'news@example.com';

export interface TestForm {
  id: string;
  wordingVersion: number;
  stats: { submitted: number; confirmed: number };
}

let clients = 0;

/** An account with sign-up forms. Without workers, a test processes what was submitted. */
export class FormFixture {
  private constructor(
    readonly service: TestService,
    readonly account: TestAccount,
  ) {}

  static async open(service: TestService, wanted: { name?: string; dailySendCap?: number } = {}): Promise<FormFixture> {
    const account = await service.createAccount(wanted);
    await account.verifySender(FORM_SENDER);
    return new FormFixture(service, account);
  }

  async createForm(wanted: object = {}): Promise<TestForm> {
    const form = { name: 'Newsletter', wording: 'I want the newsletter.', fromEmail: FORM_SENDER, challenge: 'none' };
    const { body } = await this.account
      .asAdmin('post', '/api/forms')
      .send({ ...form, ...wanted })
      .expect(201);
    return body as TestForm;
  }

  async readForm({ id }: Pick<TestForm, 'id'>) {
    return (await this.account.asMember('get', `/api/forms/${id}`).expect(200)).body;
  }

  async createList(name = 'Readers'): Promise<string> {
    return (await this.account.asAdmin('post', '/api/lists').send({ name }).expect(201)).body.id as string;
  }

  async createTemplate(parts: object): Promise<string> {
    const template = { name: 'Template', subject: 'Hello', ...parts };
    return (await this.account.asAdmin('post', '/api/templates').send(template).expect(201)).body.id as string;
  }

  /** As a page sends it; by default each submission comes from a client of its own. */
  submit({ id }: Pick<TestForm, 'id'>, values: Record<string, string>, client = newClient()): request.Test {
    return this.service
      .request('post', `/f/${id}`)
      .set({ 'X-Forwarded-For': client, 'User-Agent': 'Browser/1.0' })
      .type('form')
      .send(values);
  }

  submitJson({ id }: Pick<TestForm, 'id'>, values: object, client = newClient()): request.Test {
    return this.service.request('post', `/f/${id}`).set('X-Forwarded-For', client).send(values);
  }

  /** Stores what as many submissions do, each of a form and an address. */
  async addSignups(submissions: readonly { form: TestForm; email: string }[]): Promise<void> {
    const repository = this.service.app.get(SignupRepository, { strict: false });
    const createdAt = this.service.clock.now();
    const rest = { firstName: null, lastName: null, company: null, language: 'en', userAgent: null } as const;
    await Promise.all(
      submissions.map(({ form: { id: formId, wordingVersion }, email }) =>
        repository.add({
          ...{ id: newId(createdAt), accountId: this.account.id, formId, wordingVersion, createdAt, ...rest },
          ...{ email, normalisedEmail: email.toLowerCase(), ip: newClient() },
        }),
      ),
    );
  }

  /** What a worker does twice a second. */
  async process(): Promise<void> {
    await this.service.app.get(ProcessSignups, { strict: false }).processDue();
  }

  /** The mails that the account has accepted for the address, oldest first. */
  mailsTo(email: string) {
    return this.service.query<{ id: string; subject: string; text: string; html: string; unsubscribeUrl: string }>(
      `SELECT m.id, m.subject, c.text, c.html, c.unsubscribe_url AS "unsubscribeUrl"
       FROM message_logs m JOIN message_contents c ON c.message_id = m.id
       WHERE m.account_id = $1 AND m.normalised_recipient = $2 ORDER BY m.id`,
      [this.account.id, email],
    );
  }

  /** Submits the form, and returns the path of the link that the address was mailed. */
  async linkFor(form: Pick<TestForm, 'id'>, email: string, values: Record<string, string> = {}): Promise<string> {
    await this.submit(form, { email, ...values });
    await this.process();
    return linkIn((await this.mailsTo(email.toLowerCase())).at(-1)!.text);
  }

  open(path: string): request.Test {
    return this.service.request('get', path);
  }

  /** As the button of the page does. */
  confirm(path: string, client = newClient()): request.Test {
    return this.service
      .request('post', path)
      .set({ 'X-Forwarded-For': client, 'User-Agent': 'Browser/2.0' })
      .type('form')
      .send({ confirm: 'yes' });
  }

  async subscribe(form: Pick<TestForm, 'id'>, email: string, values: Record<string, string> = {}): Promise<string> {
    const path = await this.linkFor(form, email, values);
    await this.confirm(path).expect(200);
    return path;
  }

  async contactOf(email: string) {
    const path = `/api/contacts?search=${encodeURIComponent(email)}`;
    const { items } = (await this.account.asMember('get', path).expect(200)).body;
    return (items as { email: string }[]).find((contact) => contact.email.toLowerCase() === email.toLowerCase());
  }

  async consentsOf(email: string): Promise<Record<string, unknown>[]> {
    const path = `/api/consents?email=${encodeURIComponent(email)}`;
    return (await this.account.asMember('get', path).expect(200)).body.items;
  }

  signups() {
    return this.service.query<{ id: string; state: string; email: string }>(
      'SELECT id, state, email FROM form_signups WHERE account_id = $1 ORDER BY id',
      [this.account.id],
    );
  }

  async eventsOf(type: string) {
    const text = 'SELECT data FROM outbox_events WHERE account_id = $1 AND type = $2 ORDER BY id';
    return (await this.service.query<{ data: object }>(text, [this.account.id, type])).map(({ data }) => data);
  }
}

export const linkIn = (text: string): string => /\/confirm\/[\w-]+/.exec(text)![0];

/** Of the range for documentation. */
export const newClient = (): string => {
  clients += 1;
  return `2001:db8:${(clients >> 16).toString(16)}:${(clients & 0xffff).toString(16)}::1`;
};
