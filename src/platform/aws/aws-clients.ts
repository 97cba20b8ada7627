import type { SESv2Client } from '@aws-sdk/client-sesv2';
import { Injectable } from '@nestjs/common';
import type { SNSClient } from '@aws-sdk/client-sns';

import {
  AWS_ANSWER_TIMEOUT_MS,
  AWS_CONNECT_TIMEOUT_MS,
  AWS_SUBMISSIONS,
  BULK_AWS_SUBMISSIONS,
  CONNECTIONS_PER_AWS_ACCOUNT,
} from '../../config/limits.js';
import type { AwsAccess } from '../../shared/aws-access.js';
import { Limiter } from '../../concurrency/limiter.js';
import type { SubmissionCheck } from '../../shared/submission-check.js';
import { ClientsBySettings } from '../clients-by-settings.js';
import { awsOwner } from './aws-owner.js';
import { sesSdk, snsSdk } from './aws-sdk.js';
import { checkWhenWritten, UndiciHandler } from './undici-handler.js';

const MAX_CLIENTS = 500;

type ClientConfig = ReturnType<typeof configOf>;

/** A client with keep-alive connections per set of credentials. It never retries: each attempt must be recorded. */
export abstract class AwsClients<Client extends { destroy(): void }> extends ClientsBySettings<AwsAccess, Client> {
  private readonly submissions = new Limiter({ perKey: AWS_SUBMISSIONS });
  private readonly bulkSubmissions = new Limiter({ perKey: BULK_AWS_SUBMISSIONS });

  protected constructor(open: (config: ClientConfig) => Client) {
    super({
      open: (access) => open(configOf(access)),
      close: (client) => {
        client.destroy();
      },
      max: MAX_CLIENTS,
      busyForMs: AWS_ANSWER_TIMEOUT_MS + AWS_CONNECT_TIMEOUT_MS,
    });
  }

  /** Submits a message once a connection is free. */
  submit<Answer>(access: AwsAccess, send: (client: Client) => Promise<Answer>, isBulk = false): Promise<Answer> {
    const owner = awsOwner(access);
    const submit = () => this.submissions.run(owner, () => send(this.get(access)));
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
    checkWhenWritten(args.request as object, check);
    return next(args);
  };

function configOf({ region, credentials }: AwsAccess) {
  return {
    region,
    ...(credentials ? { credentials } : {}),
    maxAttempts: 1,
    requestHandler: new UndiciHandler({
      connections: CONNECTIONS_PER_AWS_ACCOUNT,
      connectTimeoutMs: AWS_CONNECT_TIMEOUT_MS,
      answerTimeoutMs: AWS_ANSWER_TIMEOUT_MS,
    }),
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
