import { createRequire } from 'node:module';

import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import type { HttpHandler, HttpRequest } from '@smithy/core/protocols';
import { describe, expect, it } from '@jest/globals';

import { AFTER_SIGNING } from './aws-clients.js';

const require = createRequire(import.meta.url);

/** Undocumented behaviour of the SDK that the clients rely on. After an update, check each, then the versions. */
describe('The AWS SDK', () => {
  it.each([
    ['@aws-sdk/client-sesv2', '3.1169.0'],
    ['@aws-sdk/client-sns', '3.1169.0'],
    ['@smithy/core', '3.41.0'],
  ])('has %s in the version %s, which was checked', (name, version) => {
    expect((require(`${name}/package.json`) as { version: string }).version).toBe(version);
  });

  it('passes the handler the request that the last middleware saw, and reads a response in one buffer', async () => {
    const requests: unknown[] = [];
    const handle = (request: HttpRequest) => {
      requests.push(request);
      return Promise.resolve({
        response: { statusCode: 200, headers: {}, body: Buffer.from('{"SendingEnabled":true}') },
      });
    };
    const requestHandler: HttpHandler = {
      handle,
      updateHttpClientConfig: () => undefined,
      httpHandlerConfigs: () => ({}),
    };
    const client = new SESv2Client({
      region: 'eu-west-1',
      credentials: { accessKeyId: 'A', secretAccessKey: 'S' },
      requestHandler,
    });
    const command = new GetAccountCommand({});
    command.middlewareStack.add(
      (next) => (args) => {
        requests.push(args.request);
        return next(args);
      },
      AFTER_SIGNING,
    );
    expect(await client.send(command)).toMatchObject({ SendingEnabled: true });
    expect(requests).toHaveLength(2);
    expect(requests[0]).toBe(requests[1]);
    expect((requests[0] as HttpRequest).headers).toHaveProperty('authorization');
  });
});
