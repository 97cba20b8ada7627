/**
 * CLIENTS that each send mails with an attachment of BYTES to URL, one after the other, for SECONDS. Reports how many
 * responses of each status they got.
 */
import { setTimeout as pause } from 'node:timers/promises';

import { bodyWithAttachment } from '../support/load.js';

const { URL: url = '', SECRET: secret = '', CLIENTS, SECONDS, BYTES } = process.env;
const body = Buffer.from(bodyWithAttachment(Number(BYTES)));
const statuses: Record<string, number> = {};
const end = performance.now() + Number(SECONDS) * 1_000;

async function sendRepeatedly(): Promise<void> {
  while (performance.now() < end) {
    const response = await fetch(`${url}/api/send/transactional`, {
      method: 'POST',
      headers: { 'x-api-key': secret, 'content-type': 'application/json' },
      body,
    });
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    if (response.status !== 201) await pause(1_000 * Number(response.headers.get('retry-after') ?? 1));
  }
}

await Promise.all(Array.from({ length: Number(CLIENTS) }, sendRepeatedly));
process.send?.(statuses);
process.disconnect();
