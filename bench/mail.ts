import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';

import MailComposer from 'nodemailer/lib/mail-composer';
import DataStream from 'nodemailer/lib/smtp-connection/data-stream';

import { encodeLines } from '../src/mail/writing/base64-lines.js';
import { composeMail } from '../src/mail/writing/compose-mail.js';
import { contentOf, type RawMail } from '../src/mail/writing/mail-content.js';
import { HTML, SENDER, TEXT } from './support/environment.js';
import { median, type Row } from './support/report.js';

const ROUNDS = 7;
const FILE = Buffer.alloc(100_000, 7);
const NAME = { filename: 'invoice.pdf', contentType: 'application/pdf' };

/** The CPU time of composing a mail and of its SMTP content, with our code and with nodemailer's (ADR 21). */
export async function benchMail(): Promise<Row[]> {
  const mail = composeMail(contentFor(0));
  const withFile = composeMail(contentFor(0, true));
  return [
    await compare(
      'compose',
      2_000,
      (i) => Promise.resolve(composeMail(contentFor(i))),
      (i) => composeWithNodemailer(i),
    ),
    await compare(
      'compose with 100 kB',
      200,
      (i) => Promise.resolve(composeMail(contentFor(i, true))),
      (i) => composeWithNodemailer(i, true),
    ),
    await compare(
      'SMTP content',
      2_000,
      () => pipe(contentOf(mail, undefined)),
      () => pipe(piecesOf(mail)),
    ),
    await compare(
      'SMTP content with 100 kB',
      200,
      () => pipe(contentOf(withFile, undefined)),
      () => pipe(piecesOf(withFile)),
    ),
  ];
}

const contentFor = (i: number, hasFile = false) => ({
  ...{ id: `message-${i}`, sender: SENDER, senderName: 'Bench', recipient: `r${i}@example.net`, replyTo: null },
  ...{ subject: 'Your order', html: HTML, text: TEXT, unsubscribeUrl: null, acceptedAt: new Date() },
  attachments: hasFile ? [{ ...NAME, contentId: null, encoded: [encodeLines(FILE)] }] : [],
});

const composeWithNodemailer = (i: number, hasFile = false): Promise<Buffer> =>
  new MailComposer({
    ...{ from: { name: 'Bench', address: SENDER }, to: `r${i}@example.net`, subject: 'Your order' },
    ...{ html: HTML, text: TEXT, date: new Date(), messageId: `<message-${i}@example.com>` },
    attachments: hasFile ? [{ ...NAME, content: FILE }] : [],
  })
    .compile()
    .build();

const piecesOf = ({ raw, rest = [] }: RawMail): Readable => Readable.from([raw, ...rest], { highWaterMark: 1 });

/** As `SMTPConnection.send` does, into a socket that accepts everything. */
async function pipe(content: Readable): Promise<void> {
  const stream = new DataStream();
  stream.pipe(
    new Writable({
      write: (_chunk, _encoding, done) => {
        done();
      },
    }),
    { end: false },
  );
  const ended = once(stream, 'end');
  content.pipe(stream);
  await ended;
}

/** In turns, so that other work on the machine slows both down. In microseconds; the ratio is ours to nodemailer's. */
async function compare(
  name: string,
  times: number,
  ours: (i: number) => Promise<unknown>,
  theirs: (i: number) => Promise<unknown>,
): Promise<Row> {
  const rounds: { ours: number; reference: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++)
    rounds.push({ ours: await cpuOf(times, ours), reference: await cpuOf(times, theirs) });
  rounds.shift(); // warms up
  return {
    name: `mail: ${name}, µs of CPU (reference: nodemailer)`,
    ours: median(rounds.map((round) => round.ours)),
    reference: median(rounds.map((round) => round.reference)),
    ratio: median(rounds.map((round) => round.ours / round.reference)),
    aim: '',
  };
}

async function cpuOf(times: number, run: (i: number) => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) await run(i);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / times;
}
