import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { TestAccount } from '../../support/account.js';
import { errorBody } from '../../support/errors.js';
import { ProviderEvents, sample } from '../../support/provider-events.js';
import { raceBehind } from '../../support/race.js';

interface Notification {
  mail: { messageId: string };
}

const EMAIL = 'ada@example.org';
const COMPLAINT = sample<Notification>('ses/event-publishing-complaint-record.json');
const KEPT = errorBody(409, 'The suppression has reason complained and source provider now, so it is kept');

describe('A complaint about mail to an address that an operator suppressed', () => {
  let events: ProviderEvents;
  let account: TestAccount;
  let entryId: string;
  let contactId: string;
  let messageId: string;

  beforeAll(async () => {
    events = await ProviderEvents.start();
  });
  afterAll(() => events.stop());
  beforeEach(async () => {
    events.aws.reset();
    account = await events.openAccount();
    const post = async (path: string) =>
      (await account.asAdmin('post', path).send({ email: EMAIL }).expect(201)).body.id as string;
    contactId = await post('/api/contacts');
    messageId = await events.addMessage(account, { providerMessageId: COMPLAINT.mail.messageId });
    entryId = await post('/api/suppressions');
  });

  const undo = () => account.asAdmin('delete', `/api/suppressions/${entryId}?reason=manual&source=dashboard`);
  const complain = async () => {
    expect((await events.postSes(account, COMPLAINT)).status).toBe(200);
  };
  const complained = { address: EMAIL, reason: 'complained', source: 'provider' };

  it('becomes the cause, is reported, and survives the undo of the operator', async () => {
    await complain();
    await undo().expect(409, KEPT);
    expect(await events.suppressions(account)).toEqual([{ ...complained, messageLogId: messageId }]);
    const { body } = await account.asMember('get', `/api/contacts/${contactId}`).expect(200);
    expect(body.status).toBe('complained');
    expect((await events.outbox(account)).map(({ type }) => type)).toEqual([
      'contact.suppressed',
      'contact.complained',
    ]);
  });

  it('survives an undo that starts before it is committed', async () => {
    const becomeComplaint = () =>
      events.service.query(`UPDATE suppressions SET reason = 'complained', source = 'provider' WHERE id = $1`, [
        entryId,
      ]);
    const [undone] = await raceBehind(events.service, becomeComplaint, [undo]);
    expect(undone).toMatchObject({ status: 409, body: KEPT });
    expect(await events.suppressions(account)).toMatchObject([complained]);
  });
});
