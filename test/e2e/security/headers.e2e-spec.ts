import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiFixtures } from '../../support/api-fixtures.js';
import { readOperations } from '../../support/api-document.js';
import { RawClient } from '../../support/raw-request.js';
import { TestService } from '../../support/service.js';
import { SmtpSink } from '../../support/smtp-sink.js';

const operations = readOperations();

describe('Every response', () => {
  let relay: SmtpSink;
  let service: TestService;
  let client: RawClient;
  let fixtures: ApiFixtures;

  beforeAll(async () => {
    relay = await SmtpSink.start();
    service = await TestService.start({ ROLE: 'api', SMTP_URL: relay.url, BASE_URL: 'https://mail.example.com' });
    client = new RawClient(service.url);
    fixtures = await ApiFixtures.create(service, client, operations);
  });
  afterAll(async () => {
    client.close();
    await service.stop();
    await relay.stop();
  });

  /**
   * Headers that forbid browsers to sniff types, run scripts, frame pages and send referrers. The address of a form is
   * no secret, and without its origin, the browser could not submit it.
   */
  function expectSafe(headers: Record<string, unknown>, isForm = false) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': isForm ? 'strict-origin-when-cross-origin' : 'no-referrer',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8,}/),
      'cross-origin-opener-policy': 'same-origin',
      'x-service-version': expect.any(String),
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/default-src '(self|none)'/);
    expect(policy).toMatch(/frame-ancestors '(self|none)'/);
    expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/);
    for (const name of ['x-powered-by', 'server', 'access-control-allow-origin', 'set-cookie'])
      expect(headers).not.toHaveProperty(name);
  }

  it.each(operations)('has them: $name', async (operation) => {
    const id = await fixtures.idFor(operation).catch(() => undefined);
    const body = fixtures.bodyOf(operation);
    for (const request of [{ id, body }, {}, { id: '%', body: '{' }, { body: `{"x":"${'x'.repeat(1_100_000)}"}` }]) {
      for (const caller of ['nobody', 'key', 'admin'] as const) {
        const { status, headers } = await fixtures.call(operation, caller, { ...request, id: request.id ?? 'nothing' });
        expectSafe(headers, operation.name === 'GET /f/{formId}' && status === 200);
        if (operation.path.startsWith('/api/')) expect(headers['cache-control']).toBe('no-store');
      }
    }
  });

  it.each([
    ['GET', '/docs', 200],
    ['GET', '/docs/swagger-ui.css', 200],
    ['GET', '/docs/nothing.js', 404],
    ['GET', '/openapi.json', 200],
    ['GET', '/nothing', 404],
    ['GET', '/', 200],
    ['GET', '/%', 400],
    ['HEAD', '/health/live', 200],
    ['OPTIONS', '/api/users', 404],
    ['TRACE', '/api/users', 404],
  ])('has them: %s %s, which is %i', async (method, path, status) => {
    const answer = await client.send({ method, path, headers: { Origin: 'https://evil.example' } });
    expect(answer.status).toBe(status);
    expectSafe(answer.headers);
  });

  it('sends HSTS only if the service is reached over https', async () => {
    const plain = await TestService.shared();
    const { headers } = await plain.request('get', '/docs').expect(200);
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    await plain.stop();
  });
});
