import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Dispatcher } from 'undici';

import { Config } from '../../config/config.js';
import { LeasedAgent } from '../../platform/safe-http/leased-agent.js';
import { LeasedExchange } from '../../platform/safe-http/leased-exchange.js';
import { TransientDeliveryError, UnknownOutcomeError } from '../../shared/delivery-error.js';
import { isFromCheck, type SubmissionCheck } from '../../shared/submission-check.js';
import type { TwilioConnection } from './twilio-connection.js';

/** More than the SMS that a process submits at a time, so that none waits for a connection after its check. */
const CONNECTIONS = 100;
const CONNECT_TIMEOUT_MS = 5_000;
/** A long timeout, because giving up too early would send twice. */
const ANSWER_TIMEOUT_MS = 60_000;
/** Many times the size of the answer to a message, which repeats its text. */
const MAX_ANSWER_BYTES = 65_536;

export interface TwilioReply {
  status: number;
  body: string;
}

/** Twilio's REST API: https://www.twilio.com/docs/messaging/api/message-resource */
@Injectable()
export class TwilioApi implements OnApplicationShutdown {
  private opened: LeasedAgent | undefined;

  constructor(private readonly config: Config) {}

  /** Throws the error of the check, or a delivery error if there is no answer. */
  async createMessage(
    { accountSid, authToken }: TwilioConnection,
    form: URLSearchParams,
    check: SubmissionCheck,
  ): Promise<TwilioReply> {
    const exchange = new TwilioExchange(() => check.isHeld());
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
    const timeout = () => new Error(`No complete answer within ${ANSWER_TIMEOUT_MS / 1_000} seconds`);
    try {
      return await this.agent().send(request, exchange, { limitMs: ANSWER_TIMEOUT_MS, timeout });
    } catch (error) {
      throw isFromCheck(error) ? error : noAnswer(error as NodeJS.ErrnoException, exchange.isWritten);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.opened?.destroy();
  }

  /** Creates the agent for the first message. */
  private agent(): LeasedAgent {
    return (this.opened ??= new LeasedAgent({ connections: CONNECTIONS, connectTimeoutMs: CONNECT_TIMEOUT_MS }));
  }
}

const noAnswer = ({ code, message }: NodeJS.ErrnoException, isWritten: boolean): Error =>
  isWritten
    ? new UnknownOutcomeError(`Twilio did not answer: ${code ?? message}`)
    : new TransientDeliveryError(`Twilio cannot be reached: ${code ?? message}`);

class TwilioExchange extends LeasedExchange<TwilioReply> {
  private status = 0;
  private bytes = 0;
  private readonly chunks: Buffer[] = [];

  /** May be called several times, for instance after `103 Early Hints`: the last one counts. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.status = status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes <= MAX_ANSWER_BYTES) this.chunks.push(chunk);
    else controller.abort(new Error('The answer is too large'));
  }

  onResponseEnd(): void {
    this.complete({ status: this.status, body: Buffer.concat(this.chunks).toString() });
  }
}
