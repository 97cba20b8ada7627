import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { Injectable } from '@nestjs/common';
import type { SNSClient } from '@aws-sdk/client-sns';

import type { AwsAccess } from '../../shared/account-provider.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import type { SubmissionCheck } from '../../shared/submission-check.js';
import { ClientsBySettings } from '../clients-by-settings.js';
import { sesSdk, snsSdk } from './aws-sdk.js';
import { checkingLeases, checkWhenWritten } from './checking-leases.js';

/** Connections per process, AWS service and account. */
export const CONNECTIONS_PER_ACCOUNT = 100;
/** The other connections are left for calls that send no message. */
const SUBMISSIONS_PER_ACCOUNT = CONNECTIONS_PER_ACCOUNT - 10;
/** Bulk mail leaves the other submissions to other mail. */
const BULK_SUBMISSIONS_PER_ACCOUNT = 60;
const CONNECT_TIMEOUT_MS = 5_000;
/** Connections for which no request waits any more: each gives up after CONNECT_TIMEOUT_MS. */
const ABANDONED_AFTER_MS = 2 * CONNECT_TIMEOUT_MS;
/** Longer than the services take when they are slow: giving up too early would send twice. */
const ANSWER_TIMEOUT_MS = 60_000;
const MAX_CLIENTS = 500;

interface HttpRequest {
  headers: object;
}

type ClientConfig = ReturnType<typeof configOf>;

/** A client with keep-alive connections per set of credentials. It never retries: each attempt must be recorded. */
export abstract class AwsClients<Client extends { destroy(): void }> extends ClientsBySettings<AwsAccess, Client> {
  private readonly submissions = new KeyedSemaphore(SUBMISSIONS_PER_ACCOUNT);
  private readonly bulkSubmissions = new KeyedSemaphore(BULK_SUBMISSIONS_PER_ACCOUNT);

  protected constructor(open: (config: ClientConfig) => Client) {
    super({
      open: (access) => open(configOf(access)),
      close: (client) => {
        client.destroy();
      },
      max: MAX_CLIENTS,
      busyForMs: ANSWER_TIMEOUT_MS + CONNECT_TIMEOUT_MS,
    });
  }

  /** Submits a message once a connection is free. */
  submit<Answer>(access: AwsAccess, send: (client: Client) => Promise<Answer>, isBulk = false): Promise<Answer> {
    const owner = `${access.region} ${access.credentials?.accessKeyId ?? ''}`;
    const submit = () => this.submissions.run(owner, () => send(this.of(access)));
    return isBulk ? this.bulkSubmissions.run(owner, submit) : submit();
  }
}

/** The last middleware step before a request is sent, after it was signed. */
export const AFTER_SIGNING = { step: 'finalizeRequest', priority: 'low', name: 'checkSubmission' } as const;

/**
 * SDK middleware. If the check throws, or the lease has ended when the request is written, nothing is sent and the
 * caller gets the error.
 */
export const confirmFirst =
  (check: SubmissionCheck) =>
  <Args extends { request: unknown }, Answer>(next: (args: Args) => Promise<Answer>) =>
  async (args: Args): Promise<Answer> => {
    await check.confirm();
    checkWhenWritten((args.request as HttpRequest).headers, check);
    return next(args);
  };

function configOf({ region, credentials }: AwsAccess) {
  const connections = { keepAlive: true, maxSockets: CONNECTIONS_PER_ACCOUNT };
  return {
    region,
    ...(credentials ? { credentials } : {}),
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      httpAgent: checkingLeases(new HttpAgent(connections), 'connect', ABANDONED_AFTER_MS),
      httpsAgent: checkingLeases(new HttpsAgent(connections), 'secureConnect', ABANDONED_AFTER_MS),
    },
  };
}

/** The endpoint comes from the region, or from AWS_ENDPOINT_URL_SESV2, which the SDK reads itself. */
@Injectable()
export class SesClients extends AwsClients<SESv2Client> {
  constructor() {
    super((config) => new (sesSdk().SESv2Client)(config));
  }
}

/** The endpoint comes from the region, or from AWS_ENDPOINT_URL_SNS, which the SDK reads itself. */
@Injectable()
export class SnsClients extends AwsClients<SNSClient> {
  constructor() {
    super((config) => new (snsSdk().SNSClient)(config));
  }
}
