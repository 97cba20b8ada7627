import { verify } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { parseSnsMessage, type SnsMessage } from '../domain/sns-message.js';
import { type SigningCertificate, SnsGateway } from './ports/sns-gateway.js';
import { readJsonObject } from './read-json.js';

/** SNS retries a post for at most an hour; another hour allows for clock drift and queueing. */
const MAX_AGE_MS = 2 * 3_600_000;
const MAX_AHEAD_MS = 15 * 60_000;
const MAX_CERTIFICATES = 50;

const refusal = (message: string) => new DomainError('forbidden', 'not_proven', message);

/** A post to a subscriber of an SNS topic, as it was received. */
export interface SnsPost {
  /** Type and id according to the headers; null if the header is missing. */
  messageType: string | null;
  messageId: string | null;
  /** Raw delivery leaves out the signed envelope. */
  isRawDelivery: boolean;
  body: Buffer;
}

@Injectable()
export class VerifySns {
  /** Only certificates that have verified a post, by URL: forged posts cannot evict them. */
  private readonly certificates = new LRUCache<string, SigningCertificate>({ max: MAX_CERTIFICATES });

  constructor(
    private readonly gateway: SnsGateway,
    private readonly clock: Clock,
  ) {}

  /** Returns the message if SNS posted it recently for this topic. Throws invalid for bad JSON, else forbidden. */
  async verify(topicArn: string | null, post: SnsPost): Promise<SnsMessage> {
    if (post.isRawDelivery) throw refusal('Raw message delivery has no signature');
    const message = parseSnsMessage(readJsonObject(post.body));
    if (!message) throw refusal('The body is not a signed message of Amazon SNS');
    if (post.messageType !== message.type || post.messageId !== message.id)
      throw refusal('The headers are not those of the message');
    // The same keys sign the topics of all AWS accounts.
    if (topicArn === null || message.topicArn !== topicArn) throw refusal("The topic is not the account's");
    const now = this.clock.now();
    const ageMs = now.getTime() - message.sentAt.getTime();
    if (ageMs > MAX_AGE_MS || ageMs < -MAX_AHEAD_MS) throw refusal('The message is too old');
    await this.requireSigned(message, now.getTime());
    return message;
  }

  private async requireSigned(message: SnsMessage, at: number): Promise<void> {
    const { certificateUrl, algorithm, signedText, signature } = message;
    const certificate = this.certificates.get(certificateUrl) ?? (await this.gateway.findCertificate(certificateUrl));
    const isValidNow = certificate && certificate.validFrom <= at && at <= certificate.validTo;
    if (!isValidNow || !verify(algorithm, Buffer.from(signedText), certificate.key, signature))
      throw refusal('The signature is not valid');
    this.certificates.set(certificateUrl, certificate);
  }
}
