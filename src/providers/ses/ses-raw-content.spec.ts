import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';

import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { describe, expect, it } from '@jest/globals';

import { AFTER_SERIALISATION, streamRawContent } from './ses-raw-content.js';

interface Request {
  headers: Record<string, string>;
  body: Readable;
}

/** Sends the mail and returns the request that the SDK would send. */
async function requestFor(mail: readonly Buffer[]): Promise<Request> {
  const requests: Request[] = [];
  const client = new SESv2Client({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'A', secretAccessKey: 'S' },
    maxAttempts: 1,
    requestHandler: {
      handle: (request: Request) => {
        requests.push(request);
        return Promise.reject(new Error('not sent'));
      },
    } as never,
  });
  const command = new SendEmailCommand({
    FromEmailAddress: 'shop@example.com',
    Content: { Raw: { Data: Buffer.alloc(0) } },
  });
  command.middlewareStack.add(streamRawContent(mail), AFTER_SERIALISATION);
  await expect(client.send(command)).rejects.toThrow('not sent');
  return requests[0]!;
}

describe('streamRawContent', () => {
  it.each([[[0]], [[1]], [[2]], [[3]], [[1, 1, 1]], [[100, 4_001, 2]], [[300_000, 300_001]]])(
    'sends a mail of parts of %p bytes, with its length and its hash in the signed headers',
    async (lengths) => {
      const mail = lengths.map((length) => randomBytes(length));
      const { headers, body } = await requestFor(mail);
      const bytes = await buffer(body);
      const sent = JSON.parse(bytes.toString()) as { Content: { Raw: { Data: string } }; FromEmailAddress: string };
      expect(Buffer.from(sent.Content.Raw.Data, 'base64').equals(Buffer.concat(mail))).toBe(true);
      expect(sent.FromEmailAddress).toBe('shop@example.com');
      expect(Number(headers['content-length'])).toBe(bytes.length);
      expect(headers['x-amz-content-sha256']).toBe(createHash('sha256').update(bytes).digest('hex'));
      expect(headers.authorization).toContain(';x-amz-content-sha256;');
    },
  );
});
