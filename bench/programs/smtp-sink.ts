/**
 * An SMTP server that accepts each mail LATENCY_MS after its end, and discards it.
 * Reports when it has received the requested number of mails.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

/** What the sink answers to `arrivals`. */
export interface Arrivals {
  /** Recipient → time of arrival, in milliseconds since 1970, of the mails to the timed domain. */
  timed: Record<string, number>;
  /** The same for the last of all other mails. */
  last: number;
}

const latencyMs = Number(process.env.LATENCY_MS ?? 0);
let received = 0;
let firstAt = 0;
let wanted = Infinity;
let warmUp = 0;
let connections = 0;
let timedDomain: string | undefined;
let arrivals: Arrivals = { timed: {}, last: 0 };

/** Mails to the timed domain are not counted. */
function receive(recipient: string): void {
  if (timedDomain !== undefined && recipient.endsWith(timedDomain)) {
    arrivals.timed[recipient] = Date.now();
    return;
  }
  arrivals.last = Date.now();
  if (received++ === warmUp) firstAt = performance.now();
  if (received === warmUp + wanted) process.send?.({ received: wanted, connections, ms: performance.now() - firstAt });
}

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onConnect: (_session, done) => {
    connections += 1;
    done();
  },
  onData: (stream, session, done) => {
    stream.resume();
    stream.once('end', () => {
      const [recipient] = session.envelope.rcptTo; // reset by `done`
      const accept = () => {
        done();
        receive(recipient?.address ?? '');
      };
      if (latencyMs === 0) accept();
      else setTimeout(accept, latencyMs);
    });
  },
});

/**
 * `arrivals` asks for the times of arrival. An object resets everything and sets the number of mails to report, after
 * an untimed warm-up.
 */
process.on('message', (request: 'arrivals' | { count: number; warmUp?: number; timedDomain?: string }) => {
  if (request === 'arrivals') {
    process.send?.(arrivals);
    return;
  }
  wanted = request.count;
  warmUp = request.warmUp ?? 0;
  timedDomain = request.timedDomain;
  received = 0;
  connections = 0;
  arrivals = { timed: {}, last: 0 };
});

const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');
process.send?.({ port: (listening.address() as AddressInfo).port });
