/** An SMTP server that accepts and discards everything. Reports when it has received the requested number of mails. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

let received = 0;
let firstAt = 0;
let wanted = Infinity;
let warmUp = 0;
let connections = 0;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  onConnect: (_session, done) => {
    connections += 1;
    done();
  },
  onData: (stream, _session, done) => {
    stream.resume();
    stream.once('end', () => {
      done();
      if (received++ === warmUp) firstAt = performance.now();
      if (received === warmUp + wanted)
        process.send?.({ received: wanted, connections, ms: performance.now() - firstAt });
    });
  },
});

/** Resets the counters and sets the number of mails to report, after an untimed warm-up. */
process.on('message', (request: { count: number; warmUp?: number }) => {
  wanted = request.count;
  warmUp = request.warmUp ?? 0;
  received = 0;
  connections = 0;
});

const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');
process.send?.({ port: (listening.address() as AddressInfo).port });
