import type SMTPPool from 'nodemailer/lib/smtp-pool';

import { Semaphore } from '../../shared/semaphore.js';
import { shareOf } from '../../shared/share-of.js';
import type { SubmissionCheck } from '../../shared/submission-check.js';
import type { RawMail } from './mail-content.js';
import { ConnectionLostError, RelayConnection } from './relay-connection.js';

/** With a relay this fast, messages are checked while the previous ones are being submitted. */
const FAST_MS = 20;
const CHECKED_AHEAD = 20;
/** Of the connections; the others are always free for other mail. */
const BULK_SHARE = 0.8;
/** Messages checked together, by one statement. */
const CHECK_BATCH_SIZE = 10;

/**
 * The connections of this process to one relay, with the options of a nodemailer pool. Unlike that pool it has no
 * internal queue: a message is checked when a connection is ready, immediately before its SMTP transaction.
 */
export class RelayConnections {
  private readonly idle: RelayConnection[] = [];
  private readonly admitted: { bulk: Semaphore; others: Semaphore };
  private readonly connections: { bulk: Semaphore; all: Semaphore };
  private lastTransactionMs = Infinity;
  private isClosed = false;

  constructor(private readonly pool: SMTPPool) {
    const { maxConnections } = pool.options;
    const bulk = shareOf(maxConnections, BULK_SHARE);
    const admit = (connections: number) => new Semaphore(connections + CHECKED_AHEAD, CHECK_BATCH_SIZE);
    this.admitted = { bulk: admit(bulk), others: admit(maxConnections) };
    this.connections = { bulk: new Semaphore(bulk), all: new Semaphore(maxConnections) };
  }

  /** Resolves to the relay's reply; throws what nodemailer or the check throws. */
  submit(mail: RawMail, check?: SubmissionCheck, isBulk = false): Promise<string> {
    return this.admitted[isBulk ? 'bulk' : 'others'].run(async () => {
      if (check && this.lastTransactionMs < FAST_MS) await check.confirm();
      const submit = () => this.connections.all.run(() => this.submitNow(mail, check));
      return isBulk ? this.connections.bulk.run(submit) : submit();
    });
  }

  /** Closes idle connections now, the others after their message. */
  close(): void {
    this.isClosed = true;
    for (const connection of this.idle.splice(0)) connection.close();
  }

  /** Replaces, once, an idle connection that the relay has closed, if nothing of the message has been sent. */
  private async submitNow(mail: RawMail, check: SubmissionCheck | undefined): Promise<string> {
    const idle = this.takeIdle();
    if (idle) {
      try {
        return await this.submitOver(idle, mail, check);
      } catch (error) {
        if (!(error instanceof ConnectionLostError)) throw error;
      }
    }
    return this.submitOver(await RelayConnection.open(this.pool), mail, check);
  }

  private async submitOver(connection: RelayConnection, mail: RawMail, check?: SubmissionCheck): Promise<string> {
    try {
      return await connection.submit(mail, check);
    } finally {
      this.lastTransactionMs = connection.lastTransactionMs;
      this.keep(connection);
    }
  }

  private takeIdle(): RelayConnection | undefined {
    for (let idle = this.idle.pop(); idle; idle = this.idle.pop()) if (this.isUsable(idle)) return idle;
    return undefined;
  }

  private keep(connection: RelayConnection): void {
    if (this.isClosed || !this.isUsable(connection)) {
      connection.close();
      return;
    }
    connection.closeWhenIdleFor(this.pool.options.idleTimeout);
    this.idle.push(connection);
  }

  private isUsable(connection: RelayConnection): boolean {
    return connection.isUsable(this.pool.options.maxMessages);
  }
}
