import { verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { readSnsMessage, type SnsMessage } from '../domain/sns-message.js';
import { type SigningCertificate, SnsGateway } from './ports/sns-gateway.js';
import { readJsonObject } from './read-json.js';

/** SNS repeats a post for at most an hour; another one is for clocks and queues. */
const MAX_AGE_MS = 2 * 3_600_000;
const MAX_AHEAD_MS = 15 * 60_000;
const MAX_PROVEN = 50;

const refusal = (message: string) => new DomainError('forbidden', 'not_proven', message);

@Injectable()
export class VerifySns {
  /** Of genuine posts, by address: nobody else gets them forgotten by naming many other addresses. */
  private readonly proven = new LRUCache<string, SigningCertificate>({ max: MAX_PROVEN });

  constructor(
    private readonly gateway: SnsGateway,
    private readonly clock: Clock,
  ) {}

  /** The message of a post that SNS made now, for this topic. Throws invalid for no JSON, else forbidden. */
  async verify(topicArn: string | null, headers: IncomingHttpHeaders, raw: Buffer): Promise<SnsMessage> {
    if (headers['x-amz-sns-rawdelivery'] === 'true') throw refusal('Raw message delivery has no signature');
    const message = readSnsMessage(readJsonObject(raw));
    if (!message) throw refusal('The body is not a signed message of Amazon SNS');
    if (headers['x-amz-sns-message-type'] !== message.type || headers['x-amz-sns-message-id'] !== message.id)
      throw refusal('The headers are not those of the message');
    // Any topic of anybody is signed by the same keys.
    if (topicArn === null || message.topicArn !== topicArn) throw refusal("The topic is not the account's");
    const now = this.clock.now();
    const ageMs = now.getTime() - message.sentAt.getTime();
    if (ageMs > MAX_AGE_MS || ageMs < -MAX_AHEAD_MS) throw refusal('The message is too old');
    await this.requireSigned(message, now.getTime());
    return message;
  }

  private async requireSigned(message: SnsMessage, at: number): Promise<void> {
    const { certificateUrl, algorithm, signedText, signature } = message;
    const certificate = this.proven.get(certificateUrl) ?? (await this.gateway.findCertificate(certificateUrl));
    const isInForce = certificate && certificate.validFrom <= at && at <= certificate.validTo;
    if (!isInForce || !verify(algorithm, Buffer.from(signedText), certificate.key, signature))
      throw refusal('The signature is not valid');
    this.proven.set(certificateUrl, certificate);
  }
}
