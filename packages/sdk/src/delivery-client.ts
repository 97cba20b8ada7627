import { Consents } from './consents.js';
import { Contacts } from './contacts.js';
import { Emails } from './emails.js';
import { Lists } from './lists.js';
import { Messages } from './messages.js';
import { SmsMessages } from './sms.js';
import { Suppressions } from './suppressions.js';
import { Topics } from './topics.js';
import { type ClientOptions, Transport } from './transport.js';

/**
 * The client of the service, for Node, Bun, Deno and Workers. It has no state but its options: make one and share it.
 *
 * Every call throws an `ApiError` if the service refuses it, a `ConnectionError` or `TimeoutError` if no response
 * arrives, and the reason of its `signal` if that is aborted. Attempts that end with 408, 429, 5xx or no response are
 * repeated, after `Retry-After` if that is at most 30 seconds.
 *
 * ```ts
 * const client = new DeliveryClient({ apiKey: 'sk_…', baseUrl: 'https://mail.example.com' });
 * await client.emails.send({ to: 'ada@example.org', fromEmail: 'you@example.com', subject: 'Hello', text: 'It works.' });
 * ```
 */
export class DeliveryClient {
  readonly emails: Emails;
  readonly sms: SmsMessages;
  readonly messages: Messages;
  readonly contacts: Contacts;
  readonly consents: Consents;
  readonly lists: Lists;
  readonly suppressions: Suppressions;
  readonly topics: Topics;

  constructor(options: ClientOptions) {
    const transport = new Transport(options);
    this.emails = new Emails(transport);
    this.sms = new SmsMessages(transport);
    this.messages = new Messages(transport);
    this.contacts = new Contacts(transport);
    this.consents = new Consents(transport);
    this.lists = new Lists(transport);
    this.suppressions = new Suppressions(transport);
    this.topics = new Topics(transport);
  }
}
