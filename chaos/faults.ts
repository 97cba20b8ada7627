import { setTimeout as pause } from 'node:timers/promises';

import type { SmtpAnswer } from '../test/support/smtp-sink.js';
import type { Load } from './load.js';
import type { Fault, Step } from './plan.js';
import type { Span } from './spans.js';
import type { Teardown } from './teardown.js';
import type { Reached, Stage } from './stage.js';

const READS_AT_ONCE = 40;
const HOLDS_MAILS_MS = 1_000;
const KILLS_BEFORE_MS = 100;

/** Does to the stage what the plan says, and keeps when PostgreSQL was away or locked. */
export class Faults {
  readonly outages: Span[] = [];
  readonly locks: Span[] = [];

  constructor(
    private readonly stage: Stage,
    private readonly load: Load,
    private readonly teardown: Teardown,
  ) {}

  /** One after the other, each at its time or as soon as the one before is over. */
  async run(plan: readonly Step[], tell: (step: Step) => void): Promise<void> {
    const start = performance.now();
    for (const step of plan) {
      await pause(Math.max(0, start + step.atMs - performance.now()));
      if (this.teardown.hasBegun) return;
      tell(step);
      await this.causes[step.fault](step);
    }
  }

  private readonly causes: Record<Fault, (step: Step) => Promise<void>> = {
    'kill-worker': ({ which, forMs }) => this.killWorker(`worker ${which + 1}`, forMs),
    'kill-api': ({ which, forMs }) => this.killProcess(`api ${which + 1}`, forMs),
    'kill-postgres': ({ forMs }) => this.killPostgres(forMs),
    'kill-redis': async ({ forMs }) => {
      await this.stage.redis?.kill();
      await pause(forMs);
      await this.stage.redis?.restart();
    },
    'relay-421': ({ forMs }) =>
      this.answerAsRelay('mail', { code: 421, message: '4.3.2 Service not available' }, forMs),
    'relay-hang': ({ forMs }) => this.answerAsRelay('data', this.hang<SmtpAnswer>(forMs), forMs),
    'relay-cut': ({ forMs }) => this.cutOff(this.stage.relay, forMs),
    'ses-429': ({ forMs }) =>
      this.answerAsSes(
        { status: 429, error: 'TooManyRequestsException', message: 'Maximum sending rate exceeded.' },
        forMs,
      ),
    'ses-500': ({ forMs }) => this.answerAsSes({ status: 500, error: 'InternalFailure', message: 'Try again' }, forMs),
    'ses-hang': ({ forMs }) => this.answerAsSes(this.hang(forMs), forMs),
    'ses-cut': ({ forMs }) => this.cutOff(this.stage.ses, forMs),
    'receiver-503': async ({ forMs }) => {
      this.answerAsReceiver(503);
      await pause(forMs);
      this.answerAsReceiver(200);
    },
    'cut-clients': () => {
      this.stage.clients.cutAll();
      return Promise.resolve();
    },
    'cut-database': () => {
      this.stage.database.cutConnections();
      const now = Date.now();
      this.outages.push({ from: now, to: now });
      return Promise.resolve();
    },
    'cut-redis': () => {
      this.stage.redis?.cutConnections();
      return Promise.resolve();
    },
    'fill-pool': ({ forMs }) => this.fillPool(forMs),
  };

  private async killProcess(name: string, forMs: number): Promise<void> {
    await this.stage.crew.kill(name);
    await pause(forMs);
    await this.stage.crew.spawn(name);
  }

  /** While it waits for answers of both providers, who have taken what it handed over. */
  private async killWorker(name: string, forMs: number): Promise<void> {
    const { relay, ses } = this.stage;
    const held = pause(HOLDS_MAILS_MS, undefined);
    relay.server.answer = (stage) => (stage === 'data' ? held : undefined);
    ses.server.answer = ({ operation }) => (operation === 'SendEmail' ? held : undefined);
    await pause(HOLDS_MAILS_MS - KILLS_BEFORE_MS);
    await this.killProcess(name, forMs);
    relay.server.answer = () => undefined;
    ses.server.answer = () => undefined;
  }

  private async killPostgres(forMs: number): Promise<void> {
    const outage = { from: Date.now(), to: Infinity };
    this.outages.push(outage);
    await this.stage.database.kill();
    await pause(forMs);
    await this.stage.database.restart();
    outage.to = Date.now();
  }

  private async answerAsRelay(at: 'mail' | 'data', answer: SmtpAnswer | (() => Promise<SmtpAnswer>), forMs: number) {
    const { server } = this.stage.relay;
    server.answer = (stage) => (stage !== at ? undefined : typeof answer === 'function' ? answer() : answer);
    await pause(forMs);
    server.answer = () => undefined;
  }

  private async answerAsSes(
    answer: { status: number; error: string; message: string } | (() => Promise<'drop' | undefined>),
    forMs: number,
  ): Promise<void> {
    const { server } = this.stage.ses;
    server.answer = ({ operation }) =>
      operation !== 'SendEmail' ? undefined : typeof answer === 'function' ? answer() : answer;
    await pause(forMs);
    server.answer = () => undefined;
  }

  /** Silent until the end of the fault. Then it has taken the mail; to every second one its answer gets lost. */
  private hang<Answer = never>(forMs: number): () => Promise<'drop' | undefined | Answer> {
    const over = pause(forMs);
    let count = 0;
    return async () => {
      const isLost = count++ % 2 === 1;
      await over;
      return isLost ? 'drop' : undefined;
    };
  }

  private async cutOff({ proxy, port }: Reached<unknown>, forMs: number): Promise<void> {
    proxy.target = null;
    proxy.cut();
    await pause(forMs);
    proxy.target = port;
  }

  private answerAsReceiver(status: number): void {
    for (const { path } of this.stage.endpoints)
      this.stage.receiver.reply({ ask: 'answer', path, answers: [{ status }] });
  }

  /** Every connection of the service waits for a lock, and more calls than there are connections. */
  private async fillPool(forMs: number): Promise<void> {
    const client = await this.stage.database.pool.connect();
    const lock = { from: Date.now(), to: Infinity };
    this.locks.push(lock);
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '3s'; LOCK TABLE message_logs IN ACCESS EXCLUSIVE MODE`);
      const reads = this.load.readAtOnce(READS_AT_ONCE);
      await pause(forMs);
      await client.query('ROLLBACK');
      lock.to = Date.now();
      await reads;
    } finally {
      client.release(true);
    }
  }
}
