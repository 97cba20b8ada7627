/**
 * SESSIONS clients that each submit mails of 1 kB over one connection to PORT, one after the other, for SECONDS.
 * Reports the accepted mails per second, and the median and 99th percentile of the time from MAIL to the reply. With
 * IDLE, it opens that many connections with TLS and a key to TLS_PORT first, and keeps them until the end. 20
 * connections share an address.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

import { HTML, SENDER } from '../support/environment.js';
import { median, quantile } from '../support/report.js';
import { SmtpSession } from '../support/smtp-session.js';

const { PORT, TLS_PORT, SECRET: secret = '', SESSIONS, SECONDS, IDLE = '0', PAUSE_MS = '0' } = process.env;
const PER_ADDRESS = 20;

const addressOf = (i: number): string => {
  const address = Math.floor(i / PER_ADDRESS);
  return `127.0.${1 + Math.floor(address / 200)}.${1 + (address % 200)}`;
};
const LINES = HTML.match(/.{1,900}/g)?.join('\r\n') ?? '';
let count = 0;

function mailTo(to: string): string {
  const headers = [
    `Content-Type: text/html; charset=utf-8\r\nFrom: ${SENDER}\r\nTo: ${to}\r\nSubject: Your order`,
    `Message-ID: <${process.pid}.${count}@bench.example>\r\nDate: ${new Date().toUTCString()}\r\nMIME-Version: 1.0`,
  ];
  return `${headers.join('\r\n')}\r\n\r\n${LINES}\r\n.\r\n`;
}

async function openIdle(i: number): Promise<void> {
  const localAddress = addressOf(i);
  const target = { host: '127.0.0.1', port: Number(TLS_PORT), localAddress };
  const socket = connectTls({ ...target, rejectUnauthorized: false });
  const client = new SmtpSession(socket);
  await Promise.race([
    once(socket, 'secureConnect'),
    once(socket, 'error').then(([error]) => Promise.reject(error as Error)),
  ]);
  await client.logIn(secret);
}

async function submitRepeatedly(client: SmtpSession, end: number, durations: number[]): Promise<void> {
  while (performance.now() < end) {
    const to = `r${process.pid}.${count++}@example.net`;
    const startedAt = performance.now();
    await client.submit(to, mailTo(to));
    durations.push(performance.now() - startedAt);
    if (PAUSE_MS !== '0') await pause(Number(PAUSE_MS));
  }
}

const idle = Number(IDLE);
for (let i = 0; i < idle; i += 50)
  await Promise.all(Array.from({ length: Math.min(50, idle - i) }, (_, j) => openIdle(i + j)));
if (idle > 0) {
  process.send?.('idle');
  await once(process, 'message');
}

const clients = await Promise.all(
  Array.from({ length: Number(SESSIONS) }, async (_, i) => {
    const socket = connect({ host: '127.0.0.1', port: Number(PORT), localAddress: addressOf(idle + PER_ADDRESS + i) });
    const client = new SmtpSession(socket);
    await client.logIn(secret);
    return client;
  }),
);
const durations: number[] = [];
const startedAt = performance.now();
const end = startedAt + Number(SECONDS) * 1_000;
await Promise.all(clients.map((client) => submitRepeatedly(client, end, durations)));
const seconds = (performance.now() - startedAt) / 1_000;
process.send?.(
  { perSecond: durations.length / seconds, p99Ms: quantile(durations, 0.99), medianMs: median(durations) },
  () => process.exit(0),
);
