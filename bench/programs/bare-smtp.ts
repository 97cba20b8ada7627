/** The reference for `submission`: smtp-server with one durable INSERT per mail through pg, unparsed. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import pg from 'pg';
import { SMTPServer } from 'smtp-server';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.POOL_SIZE) });
await pool.query(
  `CREATE TABLE IF NOT EXISTS bare_mails (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, recipient text NOT NULL,
   mail text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`,
);

const server = new SMTPServer({
  allowInsecureAuth: true,
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
  onAuth: (_given, _session, reply) => {
    reply(null, { user: 'bench' });
  },
  onData: (stream, session, reply) => {
    const [recipient] = session.envelope.rcptTo;
    text(stream)
      .then((mail) =>
        pool.query('INSERT INTO bare_mails (recipient, mail) VALUES ($1, $2)', [recipient?.address, mail]),
      )
      .then(() => {
        reply();
      }, reply);
  },
});
const listening = server.listen(0, '127.0.0.1');
await once(listening, 'listening');
process.send?.({ port: (listening.address() as AddressInfo).port });
