import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import { SNSClient } from '@aws-sdk/client-sns';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import type { AwsAccess } from '../../shared/account-provider.js';

/** Connections that a process opens to SNS for one account. */
export const CONNECTIONS_PER_ACCOUNT = 100;
const CONNECT_TIMEOUT_MS = 5_000;
/** Longer than SNS takes when it is slow: giving up early would send twice. */
const ANSWER_TIMEOUT_MS = 60_000;
const MAX_CLIENTS = 500;

/** A client with kept connections for each set of credentials in use. It never tries again by itself: the queue does. */
@Injectable()
export class SnsClients implements OnApplicationShutdown {
  /** In the order of last use. */
  private readonly clients = new Map<string, SNSClient>();

  of(access: AwsAccess): SNSClient {
    const key = createHash('sha256').update(JSON.stringify(access)).digest('base64');
    const client = this.clients.get(key) ?? open(access);
    this.clients.delete(key);
    this.clients.set(key, client);
    if (this.clients.size > MAX_CLIENTS) this.closeLeastUsed();
    return client;
  }

  onApplicationShutdown(): void {
    for (const client of this.clients.values()) client.destroy();
  }

  private closeLeastUsed(): void {
    for (const [key, client] of this.clients) {
      this.clients.delete(key);
      setTimeout(() => {
        client.destroy();
      }, ANSWER_TIMEOUT_MS + CONNECT_TIMEOUT_MS).unref(); // requests of it may be under way
      return;
    }
  }
}

/** Its address comes from the region, or from AWS_ENDPOINT_URL_SNS, which the SDK reads itself. */
const open = ({ region, credentials }: AwsAccess): SNSClient => {
  const connections = { keepAlive: true, maxSockets: CONNECTIONS_PER_ACCOUNT };
  return new SNSClient({
    region,
    ...(credentials ? { credentials } : {}),
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: new HttpAgent(connections),
      httpsAgent: new HttpsAgent(connections),
    },
  });
};
