import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Config } from '../../config/config.js';
import {
  CONNECTIONS_PER_TWILIO_ACCOUNT,
  TWILIO_ANSWER_TIMEOUT_MS,
  TWILIO_CONNECT_TIMEOUT_MS,
  TWILIO_CONNECTIONS,
} from '../../config/limits.js';
import { Limiter } from '../../concurrency/limiter.js';
import { BufferedExchange, type BufferedReply } from '../../platform/safe-http/buffered-exchange.js';
import { LeasedAgent } from '../../platform/safe-http/leased-agent.js';
import { TransientDeliveryError, UnknownOutcomeError } from '../../shared/delivery-error.js';
import { isFromCheck, type SubmissionCheck } from '../../shared/submission-check.js';
import type { TwilioConnection } from './twilio-connection.js';

/** Twilio's REST API: https://www.twilio.com/docs/messaging/api/message-resource */
@Injectable()
export class TwilioApi implements OnApplicationShutdown {
  /** A message waits for a connection before its check, never after it. */
  private readonly submissions = new Limiter({ total: TWILIO_CONNECTIONS, perKey: CONNECTIONS_PER_TWILIO_ACCOUNT });
  private opened: LeasedAgent | undefined;

  constructor(private readonly config: Config) {}

  /**
   * Submits a message once a connection is free. Throws the error of the check, or a delivery error if there is no
   * answer.
   */
  createMessage(connection: TwilioConnection, form: URLSearchParams, check: SubmissionCheck): Promise<BufferedReply> {
    return this.submissions.run(connection.accountSid, () => this.post(connection, form, check));
  }

  private async post(
    { accountSid, authToken }: TwilioConnection,
    form: URLSearchParams,
    check: SubmissionCheck,
  ): Promise<BufferedReply> {
    const exchange = new BufferedExchange(() => check.isHeld());
    const { origin, pathname: path } = new URL(
      `${this.config.twilioApiUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`,
    );
    const request = {
      method: 'POST' as const,
      origin,
      path,
      headers: {
        authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: form.toString(),
    };
    await check.confirm();
    const timeout = () => new Error(`No complete answer within ${TWILIO_ANSWER_TIMEOUT_MS / 1_000} seconds`);
    try {
      return await this.agent().send(request, exchange, { limitMs: TWILIO_ANSWER_TIMEOUT_MS, timeout });
    } catch (error) {
      throw isFromCheck(error) ? error : noAnswer(error as NodeJS.ErrnoException, exchange.isWritten);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.opened?.destroy();
  }

  /** Creates the agent for the first message. */
  private agent(): LeasedAgent {
    return (this.opened ??= new LeasedAgent({
      connections: TWILIO_CONNECTIONS,
      connectTimeoutMs: TWILIO_CONNECT_TIMEOUT_MS,
    }));
  }
}

const noAnswer = ({ code, message }: NodeJS.ErrnoException, isWritten: boolean): Error =>
  isWritten
    ? new UnknownOutcomeError(`Twilio did not answer: ${code ?? message}`)
    : new TransientDeliveryError(`Twilio cannot be reached: ${code ?? message}`);
