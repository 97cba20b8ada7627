import type request from 'supertest';

import type { TestService } from './service.js';

/**
 * Posts a mail from the shop to Ada as a client with that key does; `mail` has the content, and whatever is to be
 * different.
 */
export const postEmail = (service: TestService, secret: string, mail: object): request.Test =>
  service
    .request('post', '/api/send/transactional')
    .set('X-API-Key', secret)
    .send({ to: 'ada@example.org', fromEmail: 'shop@example.com', subject: 'Hello', ...mail });

/** The same for a mail that is to be accepted: the id of the message. */
export async function sendEmail(service: TestService, secret: string, mail: object): Promise<string> {
  const { body } = await postEmail(service, secret, mail).expect(201);
  return body.messageLogId as string;
}
