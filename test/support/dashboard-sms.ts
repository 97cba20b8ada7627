import { SyncSmsAccounts } from '../../src/modules/sms/application/sync-sms-accounts.service.js';
import type { TestKey } from './account.js';
import type { DashboardFixture } from './dashboard-fixture.js';
import { FakeAws } from './fake-aws/fake-aws.js';
import { waitFor } from './wait-for.js';

const ORIGINATION = '+12065550100';
const RECIPIENT = '+14155550100';
const ACCESS_KEY_ID = 'AKIANORTHWIND';

/** Enables SMS in the sandbox and sends one; returns its id. */
export async function fillSms({ account, service }: DashboardFixture, key: TestKey): Promise<string> {
  const aws = await FakeAws.start();
  process.env.AWS_ENDPOINT_URL_SNS = aws.url;
  try {
    const { sms: fakeSms } = aws.account(ACCESS_KEY_ID);
    fakeSms.sandbox = true;
    fakeSms.sandboxNumbers.set(RECIPIENT, 'Verified').set('+41791234567', 'Verified');
    const ses = { region: 'eu-central-1', accessKeyId: ACCESS_KEY_ID, secretAccessKey: 'a secret of AWS' };
    const sms = { enabled: true, region: 'us-east-1', originationNumber: ORIGINATION, senderId: 'Northwind' };
    await account.asAdmin('patch', '/api/settings').send({ ses, sms }).expect(200);
    await service.app.get(SyncSmsAccounts, { strict: false }).run();
    const { body } = await service
      .request('post', '/api/send/sms')
      .set('X-API-Key', key.secret)
      .send({ to: RECIPIENT, body: 'Your order 4711 is on its way. Track it at https://shop.example.com/t/4711' })
      .expect(201);
    await waitFor('the SMS to be sent', async () => {
      const message = await account.asAdmin('get', `/api/messages/${body.messageLogId}`).expect(200);
      return message.body.status === 'sent';
    });
    return body.messageLogId;
  } finally {
    await aws.stop();
  }
}
