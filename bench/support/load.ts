import autocannon from 'autocannon';

import { attachmentOf, HTML, SENDER } from './environment.js';

export interface LoadResult {
  perSecond: number;
  p99Ms: number;
}

let recipients = 0;

/** Sends to unique recipients for the given time. Any response but a 2xx fails the benchmark. */
export async function postEmails(
  url: string,
  secret: string,
  seconds: number,
  connections = 64,
  fields: object = {},
): Promise<LoadResult> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/api/send/transactional',
        headers: { 'x-api-key': secret, 'content-type': 'application/json' },
        setupRequest: (request) => ({
          ...request,
          body: JSON.stringify({
            to: `r${++recipients}@example.net`,
            fromEmail: SENDER,
            subject: 'Your order',
            html: HTML,
            ...fields,
          }),
        }),
      },
    ],
  });
  return toLoadResult(url, result);
}

/** Sends this many e-mails as fast as they are accepted. */
export async function postEmailCount(url: string, secret: string, count: number, fields: object = {}): Promise<void> {
  const mail = { to: 'recipient@example.net', fromEmail: SENDER, subject: 'Your order', html: HTML, ...fields };
  await postBodies(url, secret, JSON.stringify(mail), { amount: count });
}

/** Sends so many SMS over HTTP. */
export async function postSmsCount(url: string, secret: string, count: number): Promise<void> {
  const sms = { to: '+14155550100', body: 'Your code is 4711' };
  await postBodies(url, secret, JSON.stringify(sms), { amount: count }, '/api/send/sms');
}

/** The body of a send with an attachment of that size. */
export const bodyWithAttachment = (bytes: number): string =>
  JSON.stringify({
    to: 'recipient@example.net',
    fromEmail: SENDER,
    subject: 'Your order',
    html: HTML,
    attachments: [{ filename: 'invoice.pdf', content: attachmentOf(bytes).toString('base64') }],
  });

/** Posts the same body over 64 connections: for the given time, or until that many were accepted. */
export async function postBodies(
  url: string,
  secret: string,
  body: string,
  until: { duration: number } | { amount: number },
  path = '/api/send/transactional',
): Promise<LoadResult> {
  const result = await autocannon({
    ...{ url: `${url}${path}`, connections: 64, method: 'POST', body, ...until },
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
  });
  return toLoadResult(url, result);
}

function toLoadResult(
  url: string,
  { non2xx, errors, requests, latency, statusCodeStats }: autocannon.Result,
): LoadResult {
  if (non2xx > 0 || errors > 0)
    throw new Error(`${errors} errors and these answers at ${url}: ${JSON.stringify(statusCodeStats)}`);
  return { perSecond: requests.average, p99Ms: latency.p99 };
}
