import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { errorBody } from '../../support/errors.js';
import { SmsFixture } from '../../support/sms-fixture.js';

describe('GET /api/sms/sync-optouts', () => {
  let sms: SmsFixture;

  beforeAll(async () => {
    sms = await SmsFixture.start({ ROLE: 'api', SMS_SYNC_PAGES_PER_SECOND: '1000' });
  });
  afterAll(() => sms.stop());

  it('shows why the list could not be read, until it can be read again', async () => {
    const { account } = await sms.open();
    const sync = () => account.asAdmin('post', '/api/sms/sync-optouts');
    const last = async () => (await account.asMember('get', '/api/sms/sync-optouts').expect(200)).body;
    sms.aws.answer = ({ operation }) =>
      operation === 'ListPhoneNumbersOptedOut'
        ? { status: 500, error: 'InternalFailure', message: 'Out of order' }
        : undefined;
    await sync().expect(500, errorBody(500, 'Provider error: Out of order'));
    expect(await last()).toEqual({ added: 0, total: 0, syncedAt: null, error: 'Out of order' });
    sms.aws.reset();
    const { body } = await sync().expect(200);
    expect(await last()).toEqual({ ...body, error: null });
  });
});
