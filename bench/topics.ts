import { ADMIN_VARIABLES, openAdminAccount } from './support/admin-account.js';
import { rateOf } from './deliver.js';
import { startDatabase } from './support/environment.js';
import { postEmailCount, postEmails } from './support/load.js';
import { nextMessage, startProgram, startService, stop, untilReady } from './support/processes.js';
import { post } from './support/reader.js';
import { inTurns, median, type Row } from './support/report.js';

const PORT = 41_763;
const ROUNDS = 6;
const SECONDS = 6;
const WARM_UP_SECONDS = 3;
const MAILS = { messages: 8_000, warmUp: 2_000 };

/** Accepted sends and submitted mails per second with a topic, compared with the same without, in turns. */
export async function benchTopics(): Promise<Row[]> {
  const database = await startDatabase();
  const sink = startProgram('.bench/bench/programs/smtp-sink.js');
  const url = `http://127.0.0.1:${PORT}`;
  try {
    const smtpUrl = `smtp://127.0.0.1:${(await nextMessage<{ port: number }>(sink)).port}`;
    const env = { DATABASE_URL: database.url, SMTP_URL: smtpUrl, BASE_URL: url, ...ADMIN_VARIABLES };
    const startApi = async () => {
      const api = startService({ ...env, ROLE: 'api', PORT: String(PORT) });
      await untilReady(url);
      return api;
    };
    let api = await startApi();
    const { key, session } = await openAdminAccount(url, database);
    const topic = await post<{ id: string }>(`${url}/api/topics`, session, { name: 'Newsletter' });
    const withTopic = { topicId: topic.id };
    await postEmails(url, key, WARM_UP_SECONDS);
    const accept = async (fields: object) => (await postEmails(url, key, SECONDS, undefined, fields)).perSecond;
    const accepted = await inRounds(withTopic, accept);
    await stop(api);
    await database.pool.query('TRUNCATE pending_deliveries');

    const deliver = async (fields: object) => {
      api = await startApi();
      await postEmailCount(url, key, MAILS.warmUp + MAILS.messages, fields);
      await stop(api);
      return rateOf(sink, MAILS, () => startService({ ...env, ROLE: 'worker' }));
    };
    const delivered = await inRounds(withTopic, deliver);
    return [
      compare('topics: sends/s with a topic (reference: without)', accepted),
      compare('topics: mails/s with a topic (reference: without)', delivered),
    ];
  } finally {
    await stop(sink, 'SIGKILL');
    await database.stop();
  }
}

interface Pair {
  ours: number;
  reference: number;
}

async function inRounds(withTopic: object, measure: (fields: object) => Promise<number>): Promise<Pair[]> {
  const without = {};
  const pairs: Pair[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rates = new Map<object, number>();
    for (const fields of inTurns(round, [without, withTopic])) rates.set(fields, await measure(fields));
    pairs.push({ reference: rates.get(without)!, ours: rates.get(withTopic)! });
  }
  return pairs;
}

function compare(name: string, rounds: readonly Pair[]): Row {
  return {
    name,
    ours: median(rounds.map(({ ours }) => ours)),
    reference: median(rounds.map(({ reference }) => reference)),
    ratio: median(rounds.map(({ ours, reference }) => ours / reference)),
    aim: '≥ 0.97',
  };
}
