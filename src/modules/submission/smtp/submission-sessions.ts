import { Injectable, Logger } from '@nestjs/common';
import type { SMTPServerAddress, SMTPServerAuthentication, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';

import { Config } from '../../../config/config.js';
import { DomainError } from '../../../shared/domain-error.js';
import { DatabaseFaults } from '../../../shared/ports/database-faults.js';
import { AuthenticateClient, type SubmissionClient } from '../application/authenticate-client.service.js';
import type { MailRules } from '../application/mail-request.js';
import { type Submission, SubmitMail } from '../application/submit-mail.service.js';
import { toRefusal } from '../application/to-refusal.js';
import { Refusal } from '../../../mail/reading/refusal.js';
import { MailReceiver } from './mail-receiver.js';
import { SubmissionReports } from './submission-reports.js';

/** The data of its client that a session keeps. */
export interface SessionUser {
  secret: string;
  client: SubmissionClient;
}

const OUTCOMES: Readonly<Record<number, 'refused' | 'throttled'>> = { 535: 'refused', 421: 'throttled' };

type Transfer = Parameters<MailReceiver['receive']>[1];

/** Executes the commands of a session. Each method throws a Refusal, which is the reply. */
@Injectable()
export class SubmissionSessions {
  private readonly logger = new Logger(SubmissionSessions.name);
  private readonly rules: MailRules;

  constructor(
    { brand, baseUrl, maxAttachmentsMb }: Config,
    private readonly authenticateClient: AuthenticateClient,
    private readonly submitMail: SubmitMail,
    private readonly receiver: MailReceiver,
    private readonly reports: SubmissionReports,
    private readonly faults: DatabaseFaults,
  ) {
    this.rules = { brand, allowsHttp: baseUrl.startsWith('http:'), maxAttachmentsMb };
  }

  get maxBytes(): number {
    return this.receiver.maxBytes;
  }

  get isOverloaded(): boolean {
    return this.receiver.isOverloaded;
  }

  /** Accepts any user name; the password is the key. */
  async authenticate(
    { password }: SMTPServerAuthentication,
    { remoteAddress }: SMTPServerSession,
  ): Promise<SessionUser> {
    const secret = password ?? '';
    try {
      const client = await this.refusing(() => this.authenticateClient.authenticate(secret, remoteAddress));
      this.reports.authenticated('accepted');
      return { secret, client };
    } catch (error) {
      this.reports.authenticated(OUTCOMES[(error as Refusal).responseCode] ?? 'failed');
      throw error;
    }
  }

  /** A key can be revoked while a session lasts. */
  async beginMail(session: SMTPServerSession): Promise<void> {
    const user = session.user as SessionUser;
    user.client = await this.refusing(() =>
      this.authenticateClient.authenticateAgain(user.secret, session.remoteAddress),
    );
  }

  addRecipient({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<void> {
    const { client } = session.user as SessionUser;
    return this.refusing(() => this.submitMail.checkRecipient(client, address));
  }

  /** The reply to a mail that is stored. */
  async takeMail(stream: SMTPServerDataStream, session: SMTPServerSession, abort: Transfer['abort']): Promise<string> {
    const startedAt = performance.now();
    const { client } = session.user as SessionUser;
    const { mailFrom, rcptTo } = session.envelope;
    const announcedBytes = Number((mailFrom && mailFrom.args && mailFrom.args.SIZE) || 0);
    const transfer = { accountId: client.accountId, announcedBytes, abort };
    const report = (code: number, submission?: Submission) => {
      const durationMs = performance.now() - startedAt;
      this.reports.submitted({
        code,
        durationMs,
        client,
        bytes: stream.byteLength,
        recipients: rcptTo.length,
        submission,
      });
    };
    try {
      const submission = await this.refusing(() => this.submit(stream, transfer, session));
      report(250, submission);
      return `Queued as ${submission.messageId}`;
    } catch (error) {
      report((error as Refusal).responseCode);
      throw error;
    }
  }

  private async submit(stream: SMTPServerDataStream, transfer: Transfer, session: SMTPServerSession) {
    const { client } = session.user as SessionUser;
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const mailState = { hasArrived: false };
    try {
      return await this.receiver.receive(stream, transfer, (mail) => {
        mailState.hasArrived = true;
        return this.submitMail.submit(client, recipients, mail, this.rules);
      });
    } catch (error) {
      if (mailState.hasArrived || error instanceof Refusal || error instanceof DomainError) throw error;
      throw new Refusal(421, 'The connection was closed');
    }
  }

  private async refusing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const refusal = toRefusal(error, this.faults);
      if (refusal) throw refusal;
      this.logger.error((error as Error).message, (error as Error).stack);
      throw new Refusal(451, 'Internal server error');
    }
  }
}
