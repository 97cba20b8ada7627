import type { IncomingMessage } from 'node:http';

type Attributes = Record<string, string | number | undefined>;

export interface FinishedRequest {
  method: string;
  /** The route as declared, with the names of its parameters. */
  route: string;
  status: number;
  accountId: string | undefined;
}

export interface FinishedMail {
  /** The SMTP reply code. */
  code: number;
  /** The messages that were accepted. */
  messageIds: readonly string[];
  accountId: string;
  durationMs: number;
}

export interface FinishedWork {
  name: string;
  /** The message or webhook delivery. Its id determines the trace, so that all processes add to the same one. */
  subjectId: string;
  /** Ids, outcomes and counts. No addresses, subjects, bodies or URLs. */
  attributes: Attributes;
  isFailure: boolean;
  durationMs: number;
}

/** Records spans that have just ended for the OpenTelemetry collector. */
export abstract class Tracing {
  abstract beginRequest(request: IncomingMessage): void;

  abstract endRequest(request: IncomingMessage, finished: FinishedRequest): void;

  /** A message that this request has been accepting since it began. The two spans link to each other. */
  abstract acceptMessage(request: IncomingMessage, messageId: string, attributes: Attributes): void;

  /** A mail that was submitted by SMTP, and the messages accepted of it, as for a request. */
  abstract recordMail(mail: FinishedMail): void;

  abstract record(work: FinishedWork): void;
}

/** The implementation unless the environment names a collector. */
export class NoTracing extends Tracing {
  beginRequest(): void {
    // nothing to record
  }

  endRequest(): void {
    // nothing to record
  }

  acceptMessage(): void {
    // nothing to record
  }

  recordMail(): void {
    // nothing to record
  }

  record(): void {
    // nothing to record
  }
}
