/** An SMTP server that takes everything and keeps nothing; tells when it has received as many mails as it was asked for. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { SMTPServer } from 'smtp-server';

let received = 0;
let firstAt = 0;
let wanted = Infinity;
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
      if (received++ === 0) firstAt = performance.now();
      if (received === wanted) process.send?.({ received, connections, ms: performance.now() - firstAt });
    });
  },
});

/** A number: forget what came so far and count to it. */
process.on('message', (count: number) => {
  wanted = count;
  received = 0;
  connections = 0;
});

const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');
process.send?.({ port: (listening.address() as AddressInfo).port });
