import { randomInt } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { CampaignProcesses, seededRandom } from '../support/campaign-processes.js';
import { killServiceProcesses, type ServiceProcess } from '../support/service-process.js';
import { acceptedAfter } from '../support/smtp-sink.js';

const RECIPIENTS = 5_000;
/** CAMPAIGN_SEED=7 repeats the moments of an earlier run. */
const SEED = Number(process.env.CAMPAIGN_SEED ?? randomInt(1_000_000));
const ANSWER_AFTER_MS = 20;

describe(`A campaign whose workers are killed with SIGKILL (CAMPAIGN_SEED=${SEED})`, () => {
  const random = seededRandom(SEED);
  let processes: CampaignProcesses;
  let id: string;

  beforeAll(async () => {
    processes = await CampaignProcesses.start();
    processes.relay.answer = (stage) => (stage === 'data' ? acceptedAfter(ANSWER_AFTER_MS) : undefined);
    await processes.startApi();
    id = await processes.create(RECIPIENTS);
  });
  afterAll(async () => {
    await killServiceProcesses();
    await processes.stop();
  });

  /** A random moment between these numbers of mails. */
  const killBetween = async (from: number, to: number, killed: ServiceProcess) => {
    const mails = from + Math.floor(random() * (to - from));
    await killed.waitFor(`${mails} mails`, () => processes.arrivals().length >= mails);
    await killed.kill('SIGKILL');
    await processes.noteClaims();
    await processes.hurrySweeps();
  };

  it('sends one message to each recipient, and twice only what was in flight', async () => {
    await processes.act(id, 'start');
    const feeder = processes.work();
    await killBetween(1, RECIPIENTS / 3, feeder);
    const nextFeeder = processes.work();
    const accepted = async () => (await processes.get(id)).progress.accepted;
    const before = await accepted();
    await nextFeeder.waitFor('it to feed', async () => (await accepted()) > before);
    await killBetween(RECIPIENTS / 3, (RECIPIENTS * 2) / 3, processes.work());
    await nextFeeder.waitFor('the campaign', () => processes.isCompleted(id));

    expect(await processes.outcome(id)).toEqual(processes.expectedOf(RECIPIENTS));
  });
});
