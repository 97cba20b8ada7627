import { verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { Clock } from '../../../shared/ports/clock.js';
import { readSnsMessage, type SnsMessage } from '../domain/sns-message.js';
import { SnsGateway } from './ports/sns-gateway.js';
import { readJsonObject } from './read-json.js';

/** SNS repeats a post for at most an hour; another one is for clocks and queues. */
const MAX_AGE_MS = 2 * 3_600_000;
const MAX_AHEAD_MS = 15 * 60_000;

const refusal = (message: string) => new DomainError('forbidden', 'not_proven', message);

@Injectable()
export class VerifySns {
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
    const key = await this.gateway.findKey(message.certificateUrl, now);
    const { algorithm, signedText, signature } = message;
    if (!key || !verify(algorithm, Buffer.from(signedText), key, signature))
      throw refusal('The signature is not valid');
    return message;
  }
}
