import { Injectable } from '@nestjs/common';

import { type CapUsage, MessageGroups } from '../../messages/index.js';
import { copiesOf } from '../domain/recipients.js';
import { fingerprintOfEmail } from '../domain/request-fingerprint.js';
import type { AcceptedCopy, EmailRequest } from '../domain/send-request.js';
import { AcceptEmail } from './accept-email.service.js';
import { IdempotentSend } from './idempotent-send.service.js';

interface SentEmail {
  messageId: string;
  copies: AcceptedCopy[];
  /** Null for a repeated request: nothing was counted. */
  usage: CapUsage | null;
}

type KeyRequest = Omit<EmailRequest, 'idempotencyKey'> & { apiKeyId: string };

/** Accepts an e-mail of an API key, once per Idempotency-Key. */
@Injectable()
export class SendEmail {
  constructor(
    private readonly acceptEmail: AcceptEmail,
    private readonly idempotentSend: IdempotentSend,
    private readonly groups: MessageGroups,
  ) {}

  /** `body` is the request as the client sent it: equal requests are recognised by it. */
  async send(
    given: KeyRequest,
    key: string | undefined,
    body: Parameters<typeof fingerprintOfEmail>[0],
  ): Promise<SentEmail> {
    const idempotencyKey = key === undefined ? undefined : { key, fingerprint: await fingerprintOfEmail(body) };
    const request = { ...given, idempotencyKey };
    const { messageId, usage, ...sent } = await this.idempotentSend.acceptOnce(request, () =>
      this.acceptEmail.accept(request),
    );
    const copies = 'copies' in sent ? sent.copies : await this.copiesOfEarlier(request, messageId);
    return { messageId, copies, usage };
  }

  private async copiesOfEarlier(request: KeyRequest, messageId: string): Promise<AcceptedCopy[]> {
    if (copiesOf(request).length === 0) return [];
    const members = await this.groups.members(request.accountId, messageId);
    return members.flatMap(({ id, role, recipient: email }) => (role === 'to' ? [] : [{ email, role, messageId: id }]));
  }
}
