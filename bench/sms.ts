import { openAdminAccount, ADMIN_VARIABLES } from './support/admin-account.js';
import type { FakeSms, SmsReport } from './programs/fake-sms.js';
import { startDatabase } from './support/environment.js';
import { postSmsCount } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { inTurns, median, type Row } from './support/report.js';

const PORT = 41_761;
const COUNT = 4_000;
const WARM_UP = 1_000;
const ROUNDS = 4;
/** Above what a process sends, so that the rate does not limit it. */
const UNLIMITED = 100_000;

/** Messages per second of one worker through Twilio, compared with Amazon SNS: both as the tests have them. */
export async function benchSms(): Promise<Row[]> {
  const database = await startDatabase();
  const far = startProgram('.bench/bench/programs/fake-sms.js');
  const url = `http://127.0.0.1:${PORT}`;
  try {
    const { snsUrl, twilioUrl, accountSid, authToken } = await nextMessage<FakeSms>(far);
    const env = {
      ...{ DATABASE_URL: database.url, AWS_ENDPOINT_URL_SNS: snsUrl, TWILIO_API_URL: twilioUrl, ...ADMIN_VARIABLES },
      ...{ AWS_ACCESS_KEY_ID: 'AKIABENCH', AWS_SECRET_ACCESS_KEY: 'secret', BASE_URL: url },
    };
    const settings = {
      sns: { provider: 'sns', region: 'us-east-1', originationNumber: '+12065550100' },
      twilio: { provider: 'twilio', twilio: { accountSid, authToken, from: '+12065550100' } },
    };
    let account: Awaited<ReturnType<typeof openAdminAccount>> | undefined;
    const rateOf = async (provider: 'sns' | 'twilio'): Promise<number> => {
      const api = startService({ ...env, ROLE: 'api', PORT: String(PORT) });
      await untilReady(url);
      account ??= await openAdminAccount(url, database);
      await changeSms(url, account.session, { enabled: true, ...settings[provider] });
      await database.pool.query(`UPDATE accounts SET sms = jsonb_set(sms, '{maxSendRate}', '${UNLIMITED}')`);
      await postSmsCount(url, account.key, WARM_UP + COUNT);
      await stop(api);
      far.send({ count: WARM_UP + COUNT, warmUp: WARM_UP });
      const done = nextMessage<SmsReport>(far);
      const worker = startService({ ...env, ROLE: 'worker' });
      const { received, ms } = await done;
      await stop(worker);
      return received / (ms / 1_000);
    };
    const rounds: { sns: number; twilio: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const rates = { sns: 0, twilio: 0 };
      for (const provider of inTurns(round, ['sns', 'twilio'] as const)) rates[provider] = await rateOf(provider);
      rounds.push(rates);
    }
    return [
      {
        name: 'sms: messages/s through Twilio (reference: Amazon SNS)',
        ours: median(rounds.map(({ twilio }) => twilio)),
        reference: median(rounds.map(({ sns }) => sns)),
        ratio: median(rounds.map(({ sns, twilio }) => twilio / sns)),
        aim: '≥ 0.9',
      },
    ];
  } finally {
    await stop(far, 'SIGKILL');
    await database.stop();
  }
}

async function changeSms(url: string, session: Record<string, string>, sms: object): Promise<void> {
  const response = await fetch(`${url}/api/settings`, {
    method: 'PATCH',
    headers: { ...session, 'content-type': 'application/json' },
    body: JSON.stringify({ sms }),
  });
  if (!response.ok) throw new Error(`The settings were refused: ${await response.text()}`);
}
