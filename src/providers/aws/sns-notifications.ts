import { verify } from 'node:crypto';

import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { DomainError } from '../../shared/domain-error.js';
import { Clock } from '../../shared/ports/clock.js';
import type { ProviderPost } from '../capabilities/reports.js';
import { readJsonObject } from '../events/read-json.js';
import { type SigningCertificate, SnsGateway } from './sns-gateway.js';
import { parseSnsMessage, type SnsMessage } from './sns-message.js';

/** SNS retries a post for at most an hour; another hour allows for clock drift and queueing. */
const MAX_AGE_MS = 2 * 3_600_000;
const MAX_AHEAD_MS = 15 * 60_000;
const MAX_CERTIFICATES = 50;

const refusal = (message: string) => new DomainError('forbidden', 'forbidden', message);

/** The posts of Amazon SNS to the subscriber of a topic. */
@Injectable()
export class SnsNotifications {
  private readonly logger = new Logger(SnsNotifications.name);
  /** Certificates that have verified a post, by URL. Forged posts cannot evict them. */
  private readonly certificates = new LRUCache<string, SigningCertificate>({ max: MAX_CERTIFICATES });

  constructor(
    private readonly gateway: SnsGateway,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns a notification that SNS posted recently for this topic. Returns null for its other posts, and confirms a
   * subscription. Throws invalid for bad JSON, else forbidden.
   */
  async read(accountId: string, topicArn: string | null, post: ProviderPost): Promise<SnsMessage | null> {
    const message = parsePost(post);
    // The same keys sign the topics of all AWS accounts.
    if (topicArn === null || message.topicArn !== topicArn) throw refusal("The topic is not the account's");
    await this.requireSigned(message);
    if (message.type === 'Notification') return message;
    if (message.type === 'SubscriptionConfirmation') await this.gateway.confirm(message.subscribeUrl ?? '');
    // Its SubscribeURL is not followed: that would subscribe again.
    else this.logger.warn(`The topic ${message.topicArn} of account ${accountId} is no longer subscribed`);
    return null;
  }

  private async requireSigned({ sentAt, certificateUrl, algorithm, signedText, signature }: SnsMessage): Promise<void> {
    const now = this.clock.now().getTime();
    const ageMs = now - sentAt.getTime();
    if (ageMs > MAX_AGE_MS || ageMs < -MAX_AHEAD_MS) throw refusal('The message is too old');
    const certificate = this.certificates.get(certificateUrl) ?? (await this.gateway.findCertificate(certificateUrl));
    const isValidNow = certificate && certificate.validFrom <= now && now <= certificate.validTo;
    if (!isValidNow || !verify(algorithm, Buffer.from(signedText), certificate.key, signature))
      throw refusal('The signature is not valid');
    this.certificates.set(certificateUrl, certificate);
  }
}

function parsePost({ headers, body }: ProviderPost): SnsMessage {
  // It leaves out the signed envelope.
  if (headers['x-amz-sns-rawdelivery'] === 'true') throw refusal('Raw message delivery has no signature');
  const message = parseSnsMessage(readJsonObject(body));
  if (!message) throw refusal('The body is not a signed message of Amazon SNS');
  if (headers['x-amz-sns-message-type'] !== message.type || headers['x-amz-sns-message-id'] !== message.id)
    throw refusal('The headers are not those of the message');
  return message;
}
