import type { TestAccount } from './account.js';
import { addTopic } from './topics.js';

const WORDING = 'I want the newsletter by email. I can unsubscribe at any time.';

/** Adds topics, and what the contact and others have said about them. Returns the id of the first topic. */
export async function fillConsents(account: TestAccount, contactId: string): Promise<string> {
  const record = (email: string, fields: object) =>
    account
      .asAdmin('post', '/api/consents')
      .send({ email, action: 'granted', ...fields })
      .expect(201);
  const { id: topicId } = await addTopic(account, { description: 'What is new, once a month' });
  await addTopic(account, { name: 'Offers and seasonal discounts for regular customers', byDefault: 'out' });
  await addTopic(account, { name: 'Beta testers', visibility: 'private' });
  const { body: contact } = await account.asAdmin('get', `/api/contacts/${contactId}`).expect(200);
  await record(contact.email, { topicId, wording: WORDING, occurredAt: '2026-01-31' });
  await record(contact.email, { purpose: 'tracking', action: 'withdrawn' });
  await record('a.long.address.of.somebody@subdomain.example.net', { topicId });
  return topicId;
}
