import { Injectable } from '@nestjs/common';

import { Log } from '../../../platform/logging/log.js';
import { Metrics } from '../../../platform/metrics/metrics.js';
import { Tracing } from '../../../platform/tracing/tracing.js';
import type { SubmissionClient } from '../application/authenticate-client.service.js';
import type { Submission } from '../application/submit-mail.service.js';

interface FinishedTransaction {
  /** The code of the reply to the mail. */
  code: number;
  durationMs: number;
  client: SubmissionClient;
  bytes: number;
  recipients: number;
  submission: Submission | undefined;
}

/** Metrics of SMTP submission, and one wide line and one span per mail: no addresses, of whatever kind. */
@Injectable()
export class SubmissionReports {
  constructor(
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing,
  ) {}

  authenticated(outcome: 'accepted' | 'refused' | 'throttled' | 'failed'): void {
    this.metrics.smtpAuthentications.inc({ outcome });
  }

  connected(): void {
    this.metrics.smtpConnections.inc();
  }

  disconnected(): void {
    this.metrics.smtpConnections.dec();
  }

  refusedConnection(): void {
    this.metrics.smtpConnectionsRefused.inc();
  }

  submitted({ code, durationMs, client, bytes, recipients, submission }: FinishedTransaction): void {
    this.metrics.smtpTransactions.observe({ code }, durationMs / 1_000);
    const { accountId } = client;
    this.tracing.recordMail({ code, messageIds: submission?.accepted ?? [], accountId, durationMs });
    if (submission) this.metrics.accepted.inc({ channel: 'email' }, submission.accepted.length);
    this.log.info({
      event: 'submission',
      code,
      durationMs: Math.round(durationMs * 10) / 10,
      bytes,
      recipients,
      accountId,
      apiKeyId: client.apiKeyId,
      ...(submission && { messageId: submission.messageId, isRepeated: submission.accepted.length === 0 }),
    });
  }
}
