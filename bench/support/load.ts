import autocannon from 'autocannon';

import { attachmentOf, HTML, SENDER } from './environment.js';

export interface LoadResult {
  perSecond: number;
  p99Ms: number;
}

let recipients = 0;

/** Sends to unique recipients for the given time. Any response but a 2xx fails the benchmark. */
export async function postEmails(url: string, secret: string, seconds: number, connections = 64): Promise<LoadResult> {
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
          }),
        }),
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors at ${url}`);
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 };
}

/** Sends this many e-mails as fast as they are accepted. */
export async function postEmailCount(url: string, secret: string, count: number): Promise<void> {
  const result = await autocannon({
    url: `${url}/api/send/transactional`,
    connections: 64,
    amount: count,
    method: 'POST',
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'recipient@example.net', fromEmail: SENDER, subject: 'Your order', html: HTML }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors at ${url}`);
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
): Promise<LoadResult> {
  const result = await autocannon({
    ...{ url: `${url}/api/send/transactional`, connections: 64, method: 'POST', body, ...until },
    headers: { 'x-api-key': secret, 'content-type': 'application/json' },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors at ${url}`);
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 };
}
