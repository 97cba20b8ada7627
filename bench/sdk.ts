import { DeliveryClient } from '../packages/sdk/src/index.js';
import { createAccount, HTML, SENDER, startDatabase } from './support/environment.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { median, type Row } from './support/report.js';

const PORT = 41_747;
const IN_FLIGHT = 64;
const ROUNDS = 5;
const WARM_UP_SECONDS = 3;
const SECONDS = 6;

type Send = (recipient: number) => Promise<unknown>;

/** Sends per second with the SDK, compared with bare fetch in the same process. */
export async function benchSdk(): Promise<Row[]> {
  const database = await startDatabase();
  const service = startService({ ROLE: 'api', PORT: String(PORT), DATABASE_URL: database.url });
  const bare = startProgram('.bench/bench/programs/bare-accept.js');
  try {
    const { port } = await nextMessage<{ port: number }>(bare);
    const url = `http://127.0.0.1:${PORT}`;
    await untilReady(url);
    const secret = await createAccount(database);
    return [
      await compare('sdk: sends/s, 64 in flight', '≥ 0.9', url, secret),
      await compare('sdk: sends/s to a server that only responds', '', `http://127.0.0.1:${port}`, secret),
    ];
  } finally {
    await stop(bare);
    await stop(service);
    await database.stop();
  }
}

async function compare(name: string, aim: string, url: string, secret: string): Promise<Row> {
  const [sdk, reference] = [withSdk(url, secret), withFetch(url, secret)];
  for (const send of [reference, sdk]) await perSecond(send, WARM_UP_SECONDS);
  const rounds: { ours: number; reference: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ reference: await perSecond(reference, SECONDS), ours: await perSecond(sdk, SECONDS) });
  return {
    name,
    ours: median(rounds.map(({ ours }) => ours)),
    reference: median(rounds.map((round) => round.reference)),
    ratio: median(rounds.map((round) => round.ours / round.reference)),
    aim,
  };
}

const emailTo = (recipient: number) => ({
  to: `r${recipient}@example.net`,
  fromEmail: SENDER,
  subject: 'Your order',
  html: HTML,
});

function withSdk(baseUrl: string, apiKey: string): Send {
  const client = new DeliveryClient({ apiKey, baseUrl });
  return (recipient) => client.emails.send(emailTo(recipient));
}

/** The same request, with a key of its own as well, but without a time limit or retries. */
const withFetch =
  (url: string, secret: string): Send =>
  async (recipient) => {
    const response = await fetch(`${url}/api/send/transactional`, {
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify(emailTo(recipient)),
    });
    if (!response.ok) throw new Error(`The response has the status ${response.status}`);
    return response.json();
  };

async function perSecond(send: Send, seconds: number): Promise<number> {
  const start = performance.now();
  const end = start + seconds * 1_000;
  let sent = 0;
  const sendAll = async () => {
    while (performance.now() < end) await send(++sent);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, sendAll));
  return (sent / (performance.now() - start)) * 1_000;
}
