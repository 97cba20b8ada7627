import type { TestAccount } from './account.js';

/** Adds a topic that everybody is in. */
export async function addTopic(account: TestAccount, fields: object = {}): Promise<{ id: string }> {
  const topic = { name: 'Newsletter', ...fields };
  const { body } = await account.asAdmin('post', '/api/topics').send(topic).expect(201);
  return body as { id: string };
}
