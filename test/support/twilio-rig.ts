import type { Config } from '../../src/config/config.js';
import { TwilioApi } from '../../src/providers/twilio/twilio-api.js';
import { TwilioReports } from '../../src/providers/twilio/twilio-reports.js';
import { TwilioSmsProvider } from '../../src/providers/twilio/twilio-sms-provider.js';
import type { TwilioAnswer } from './fake-twilio/fake-twilio.js';
import { FakeTwilio } from './fake-twilio/fake-twilio.js';
import { sign } from './fake-twilio/signature.js';
import { absent, type ProviderRig } from './provider-contract.js';
import {
  SECRET,
  SECRETS,
  SMS,
  settingsWith,
  contextWith,
  startCutting,
  closedPort,
  portOf,
  UNKNOWN_IF_CUT,
} from './provider-rig-parts.js';

const BASE_URL = 'https://mail.example.com';
const ACCOUNT_SID = `AC${'0123456789abcdef'.repeat(2)}`;

/** A callback about a delivered message, and the same about another recipient. */
function callbacks() {
  const query = `message=${SMS.id}`;
  const parameters = {
    ...{ AccountSid: ACCOUNT_SID, MessageSid: 'SM1', MessageStatus: 'delivered', To: SMS.recipient },
    ...{ From: SMS.sender, ApiVersion: '2010-04-01' },
  };
  const signature = sign(SECRET, `${BASE_URL}/api/provider-events/twilio/a1?${query}`, parameters);
  const headers = { 'x-twilio-signature': signature };
  const post = (changes: object) => ({
    ...{ headers, query, body: Buffer.from(new URLSearchParams({ ...parameters, ...changes }).toString()) },
  });
  return { genuine: post({}), forged: post({ To: '+14155550199' }) };
}

export async function twilioRig(): Promise<ProviderRig> {
  const twilio = await FakeTwilio.start();
  const cutting = await startCutting();
  const unused = await closedPort();
  const apis: TwilioApi[] = [];
  let provider: TwilioSmsProvider;
  const configWith = (twilioApiUrl: string) => ({ twilioApiUrl, baseUrl: BASE_URL }) as Config;
  const connectTo = (twilioApiUrl: string) => {
    const config = configWith(twilioApiUrl);
    const api = new TwilioApi(config);
    apis.push(api);
    provider = new TwilioSmsProvider(api, SECRETS, config);
  };
  const answers = (answer: TwilioAnswer) => () => {
    twilio.answer = () => answer;
  };
  const sms = {
    ...{ provider: 'twilio', enabled: true, originationNumber: null, twoWay: true, maxSendRate: 1 },
    ...{ twilioAccountSid: ACCOUNT_SID, sealedTwilioAuthToken: SECRETS.seal(SECRET), twilioFrom: SMS.sender },
  };
  const connection = () => provider.connect(settingsWith({ sms }))!;
  return {
    kind: 'twilio',
    provider: () => provider,
    waits: true,
    findFault: absent('the test of the settings is of email'),
    secrets: [SECRET, Buffer.from(`${ACCOUNT_SID}:${SECRET}`).toString('base64')],
    submit: (check) => provider.sendSms(SMS, connection(), check),
    accepted: () => twilio.messages().length,
    behave: {
      'refuses for good': answers({
        status: 400,
        code: 21408,
        message: 'Permission to send an SMS has not been enabled',
      }),
      'refuses for now': absent('Twilio has no such answer but throttling: after a 5xx it may have sent the message'),
      throttles: answers({ status: 429, code: 20429, message: 'Too Many Requests' }),
      'refuses the credentials': () => twilio.openAccount('another token', ACCOUNT_SID),
      'cannot be connected to': () => {
        connectTo(`http://127.0.0.1:${unused}`);
      },
      'is cut off before it has the message': () => {
        connectTo(`http://127.0.0.1:${portOf(cutting)}`);
      },
      'is cut off after it has the message': answers('drop'),
      'cannot be read after it has the message': answers('garble'),
    },
    errors: UNKNOWN_IF_CUT,
    limit: () => provider.limitOf(connection()),
    reports: [
      {
        ...{ reader: new TwilioReports(SECRETS, configWith(twilio.url)), provider: 'twilio', ...callbacks() },
        context: contextWith({ sms }),
      },
    ],
    reset: () => {
      twilio.reset();
      twilio.openAccount(SECRET, ACCOUNT_SID);
      connectTo(twilio.url);
    },
    stop: async () => {
      await Promise.all(apis.map((api) => api.onApplicationShutdown()));
      cutting.close();
      await twilio.stop();
    },
  };
}
