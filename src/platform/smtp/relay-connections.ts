import { CONNECTIONS_PER_RELAY, RELAY_IDLE_TIMEOUT_MS } from '../../config/limits.js';
import { Limiter, shareOf } from '../../concurrency/limiter.js';
import type { SmtpRelay } from '../../shared/smtp-relay.js';
import type { SubmissionCheck } from '../../shared/submission-check.js';
import type { RawMail } from '../../mail/writing/mail-content.js';
import { ConnectionLostError, RelayConnection } from './relay-connection.js';

/** The only key of the limiters: mails wait for a connection in the order in which they come. */
const ALL = 'all';
/** With a relay this fast, messages are checked while the previous ones are being submitted. */
const FAST_MS = 20;
const CHECKED_AHEAD = 20;
/** The share of the connections that campaign mail may use; the others are always free for other mail. */
const BULK_SHARE = 0.8;
/** The maximum number of messages that are checked by one statement. */
const CHECK_BATCH_SIZE = 10;

/**
 * The connections of this process to one relay. Unlike the pool of nodemailer it has no internal queue: a message is
 * checked when a connection is ready, immediately before its SMTP transaction.
 */
export class RelayConnections {
  private readonly idle: RelayConnection[] = [];
  private readonly admitted: { bulk: Limiter; others: Limiter };
  private readonly connections: { bulk: Limiter; all: Limiter };
  private lastTransactionMs = Infinity;
  private isClosed = false;

  constructor(
    private readonly relay: SmtpRelay,
    total = CONNECTIONS_PER_RELAY,
  ) {
    const bulk = shareOf(total, BULK_SHARE);
    const admit = (connections: number) =>
      new Limiter({ perKey: connections + CHECKED_AHEAD, groupSize: CHECK_BATCH_SIZE });
    this.admitted = { bulk: admit(bulk), others: admit(total) };
    this.connections = { bulk: new Limiter({ perKey: bulk }), all: new Limiter({ perKey: total }) };
  }

  /**
   * Submits a composed mail and resolves to the relay's reply. The check runs when a connection is free, immediately
   * before the SMTP transaction. Bulk mail uses some of the connections only. Throws what nodemailer or the check
   * throws.
   */
  submit(mail: RawMail, check?: SubmissionCheck, isBulk = false): Promise<string> {
    return this.admitted[isBulk ? 'bulk' : 'others'].run(ALL, async () => {
      if (check && this.lastTransactionMs < FAST_MS) await check.confirm();
      const submit = () => this.connections.all.run(ALL, () => this.submitNow(mail, check));
      return isBulk ? this.connections.bulk.run(ALL, submit) : submit();
    });
  }

  /** Closes idle connections now, the others after their message. */
  close(): void {
    this.isClosed = true;
    for (const connection of this.idle.splice(0)) connection.close();
  }

  /**
   * Submits the mail. Replaces, once, an idle connection that the relay has closed, if nothing of the message was sent.
   */
  private async submitNow(mail: RawMail, check: SubmissionCheck | undefined, idle = this.takeIdle()): Promise<string> {
    const connection = idle ?? (await RelayConnection.open(this.relay));
    try {
      return await connection.submit(mail, check);
    } catch (error) {
      if (!idle || !(error instanceof ConnectionLostError)) throw error;
    } finally {
      this.lastTransactionMs = connection.lastTransactionMs;
      this.keep(connection);
    }
    return this.submitNow(mail, check, null);
  }

  private takeIdle(): RelayConnection | null {
    for (let idle = this.idle.pop(); idle; idle = this.idle.pop()) if (idle.isUsable) return idle;
    return null;
  }

  private keep(connection: RelayConnection): void {
    if (this.isClosed || !connection.isUsable) {
      connection.close();
      return;
    }
    connection.closeWhenIdleFor(RELAY_IDLE_TIMEOUT_MS);
    this.idle.push(connection);
  }
}
