import { Injectable } from '@nestjs/common';

import { newId, newIds } from '../../../shared/ids.js';
import { Clock } from '../../../shared/ports/clock.js';
import { bodyLength } from '../../../shared/text.js';
import {
  capError,
  type CapUsage,
  type IntakeResult,
  MessageGroups,
  MessageIntake,
  type NewMessage,
} from '../../messages/index.js';
import { refusalError } from '../domain/recipient-refusal.js';
import { copiesOf } from '../domain/recipients.js';
import { fingerprintOfEmail } from '../domain/request-fingerprint.js';
import type { AcceptedCopy, EmailRequest } from '../domain/send-request.js';
import { ContentMemory, type TakeMemory } from './content-memory.js';
import { IdempotentSend } from './idempotent-send.service.js';
import { PrepareEmail, recipientCount } from './prepare-email.service.js';
import type { Content } from './render-content.service.js';

export interface AcceptedEmail {
  outcome: 'accepted';
  messageId: string;
  copies: AcceptedCopy[];
  usage: CapUsage;
}

interface SentEmail extends Pick<AcceptedEmail, 'messageId' | 'copies'> {
  /** Null for a repeated request: nothing was counted. */
  usage: CapUsage | null;
}

type KeyRequest = Omit<EmailRequest, 'idempotencyKey'> & { apiKeyId: string };

/**
 * Contents of more characters take a share of the memory; as many shorter ones as there may be requests take little.
 */
const LONG = 20_000;

@Injectable()
export class AcceptEmail {
  constructor(
    private readonly prepareEmail: PrepareEmail,
    private readonly intake: MessageIntake,
    private readonly memory: ContentMemory,
    private readonly idempotentSend: IdempotentSend,
    private readonly groups: MessageGroups,
    private readonly clock: Clock,
  ) {}

  /**
   * Accepts an e-mail of an API key, once per Idempotency-Key. Equal requests are recognised by the `body` that the
   * client sent.
   */
  async acceptOnce(
    given: KeyRequest,
    key: string | undefined,
    body: Parameters<typeof fingerprintOfEmail>[0],
  ): Promise<SentEmail> {
    if (key === undefined) return this.accept(given);
    const request = { ...given, idempotencyKey: { key, fingerprint: await fingerprintOfEmail(body) } };
    const sent = await this.idempotentSend.acceptOnce(request, this.accept(request));
    return 'copies' in sent ? sent : { ...sent, copies: await this.copiesOfEarlier(request, sent.messageId) };
  }

  /**
   * Stores the e-mail and its copies and, unless they are scheduled, enqueues their delivery. Once this resolves, they
   * are durable and will be delivered even if the queue is lost. Throws `unavailable` if too many long contents wait to
   * be stored. `render`: see PrepareEmail.
   */
  async accept(request: EmailRequest & { idempotencyKey?: undefined }): Promise<AcceptedEmail>;
  async accept(
    request: EmailRequest,
    render?: (messageId: string) => Promise<Content>,
  ): Promise<AcceptedEmail | { outcome: 'duplicate' }>;
  async accept(
    request: EmailRequest,
    render?: (messageId: string) => Promise<Content>,
  ): Promise<AcceptedEmail | { outcome: 'duplicate' }> {
    const createdAt = this.clock.now();
    const count = recipientCount(request);
    const ids = count === 1 ? [newId(createdAt)] : newIds(createdAt, count);
    const prepared = await this.prepareEmail.prepare(
      request,
      { createdAt, ids },
      { render, defersSuppressionCheck: true },
    );
    const { group, copies, recipientHash } = prepared;
    const { message } = group;
    const { keyLimit, idempotencyKey } = request;
    const store = () => this.intake.accept(group, { keyLimit, idempotencyKey, recipientHash });
    const length = bodyLength(message);
    const storeLong = (take: TakeMemory) => {
      take(length);
      return store();
    };
    const stored = await (length > LONG ? this.memory.during(message.accountId, storeLong) : store());
    const result = requireNotRefused(stored, message, this.clock.now());
    return result.outcome === 'accepted' ? { ...result, messageId: message.id, copies } : result;
  }

  private async copiesOfEarlier(request: KeyRequest, messageId: string): Promise<AcceptedCopy[]> {
    if (copiesOf(request).length === 0) return [];
    const members = await this.groups.members(request.accountId, messageId);
    return members.flatMap(({ id, role, recipient: email }) => (role === 'to' ? [] : [{ email, role, messageId: id }]));
  }
}

/** Throws the refusal of a message that its recipient or topic does not permit, or that is over a cap. */
export function requireNotRefused(
  result: IntakeResult,
  message: NewMessage,
  now: Date,
): Extract<IntakeResult, { outcome: 'accepted' | 'duplicate' }> {
  if (result.outcome === 'suppressed' || result.outcome === 'unknown_topic')
    throw refusalError(result.outcome, message);
  if (result.outcome === 'out_of_topic') throw refusalError(result, message);
  if (result.outcome === 'over_cap') throw capError(result.cap, now);
  return result;
}
