import type { TestAccount } from './account.js';

/** What a test looks at of a consent record; the API describes the others. */
export interface ShownConsent {
  id: string;
  address: string;
  contactId: string | null;
  action: string;
  source: string;
  occurredAt: string;
  recordedAt: string;
  wording: { version: number | null; text: string } | null;
  ip: string | null;
  userAgent: string | null;
  evidence: string | null;
  messageLogId: string | null;
  actor: { type: string; id: string | null };
}

/** The records of an address or of the whole account, newest first. */
export async function consentsOf(account: TestAccount, query: object = {}): Promise<ShownConsent[]> {
  const { body } = await account
    .asMember('get', '/api/consents')
    .query({ limit: 100, ...query })
    .expect(200);
  return body.items as ShownConsent[];
}

/** What stands for marketing without a topic. */
export async function standingOf(account: TestAccount, query: object): Promise<string> {
  const { body } = await account.asMember('get', '/api/consents/standing').query(query).expect(200);
  const all = body as { purpose: string; topicId: string | null; state: string }[];
  return all.find(({ purpose, topicId }) => purpose === 'marketing' && topicId === null)!.state;
}

export const recordConsent = (account: TestAccount, fields: object) =>
  account.asAdmin('post', '/api/consents').send({ action: 'granted', ...fields });
