import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { OutboxDispatcher } from '../../../src/modules/webhooks/application/outbox-dispatcher.service.js';
import { NoTracing, Tracing } from '../../../src/platform/tracing/tracing.js';
import { SubmissionListener } from '../../../src/modules/submission/smtp/submission-listener.js';
import { RelayFixture, SENDER } from '../../support/relay-fixture.js';
import { SmtpClient } from '../../support/smtp-client.js';
import { idIn } from '../../support/submission-fixture.js';
import { type ReceivedSpan, TraceCollector } from '../../support/trace-collector.js';
import { waitFor } from '../../support/wait-for.js';

const JSON_PROTOCOL = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' };
const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const UNIQUE = { subject: 'Subject-4711', text: 'Content-4711', to: 'private-4711@example.org' };

describe('Traces', () => {
  let collector: TraceCollector;
  let fixture: RelayFixture | undefined;

  beforeAll(async () => {
    collector = await TraceCollector.start();
  });
  afterEach(async () => {
    await fixture?.stop();
    fixture = undefined;
  });
  afterAll(() => collector.stop());

  async function start(variables: Record<string, string>): Promise<RelayFixture> {
    const started = await RelayFixture.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true', ...variables });
    fixture = started;
    return started;
  }
  /** Stops the service, which exports what it still has. */
  async function stop(): Promise<void> {
    await fixture?.stop();
    fixture = undefined;
  }
  const span = (name: string, subject?: [attribute: string, value: string | number]): Promise<ReceivedSpan> =>
    waitFor(`the span ${name}`, () =>
      collector.spans().find((one) => one.name === name && (!subject || one.attributes[subject[0]] === subject[1])),
    );

  it('follow a message from the request of the caller to the relay', async () => {
    const { open } = await startNamed();
    const shop = await open();
    const { body } = await shop.post(UNIQUE).set('traceparent', `00-${CALLER.traceId}-${CALLER.spanId}-01`).expect(201);
    const id = body.messageLogId as string;

    const request = await span('POST /api/send/transactional');
    expect(request).toMatchObject({ traceId: CALLER.traceId, parentSpanId: CALLER.spanId, isError: false });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/send/transactional',
      'http.response.status_code': 201,
      'account.id': shop.account.id,
    });
    const accepted = await span('accept message', ['message.id', id]);
    expect(accepted.attributes).toEqual({ 'message.id': id, channel: 'email' });
    expect(accepted.links).toEqual([{ traceId: request.traceId, spanId: request.spanId }]);
    expect(request.links).toEqual([{ traceId: accepted.traceId, spanId: accepted.spanId }]);
    const delivered = await span('deliver message', ['message.id', id]);
    expect(delivered.traceId).toBe(accepted.traceId);
    expect(delivered.attributes).toMatchObject({ channel: 'email', lane: 'email', attempt: 1, outcome: 'sent' });
    expect(collector.resources()[0]).toMatchObject({ 'service.name': 'mail', 'deployment.environment': 'test' });
  });

  it('follow a message from a mail submitted by SMTP', async () => {
    const { open, service } = await startNamed({
      SMTP_PORT: '0',
      SMTP_ALLOW_PLAINTEXT_AUTH: 'true',
      HOST: '127.0.0.1',
    });
    const shop = await open();
    const port = service.app.get(SubmissionListener, { strict: false }).portOf('starttls')!;
    const client = await SmtpClient.login(port, shop.key.secret);
    const mail = (from: string) =>
      `From: ${from}\r\nTo: ${UNIQUE.to}\r\nSubject: ${UNIQUE.subject}\r\n\r\n${UNIQUE.text}`;
    const { text } = await client.submit(SENDER, [UNIQUE.to, 'copy-4711@example.org'], mail(SENDER));
    const refused = await client.submit(SENDER, [UNIQUE.to], mail('other-4711@example.net'));
    client.close();
    const submitted = await span('submit mail', ['smtp.reply.code', 250]);
    expect(submitted).toMatchObject({ isError: false, parentSpanId: undefined });
    expect(submitted.attributes).toEqual({ 'smtp.reply.code': 250, 'account.id': shop.account.id });
    const accepted = await span('accept message', ['message.id', idIn(text)]);
    expect(accepted.attributes).toEqual({ 'message.id': idIn(text), channel: 'email' });
    expect(accepted.links).toEqual([{ traceId: submitted.traceId, spanId: submitted.spanId }]);
    expect(submitted.links).toHaveLength(2);
    expect(submitted.links).toContainEqual({ traceId: accepted.traceId, spanId: accepted.spanId });
    expect((await span('deliver message', ['message.id', idIn(text)])).traceId).toBe(accepted.traceId);
    expect(refused.code).toBe(550);
    expect(await span('submit mail', ['smtp.reply.code', 550])).toMatchObject({ isError: false, links: [] });
    await stop();
    expect(collector.posts.map(({ body }) => body).join('\n')).not.toContain('-4711');
  });

  it('include failed attempts, of messages and of webhooks', async () => {
    const { open, service, relay } = await startNamed();
    const shop = await open();
    relay.answer = (stage) => (stage === 'rcpt' ? { code: 451, message: 'Later' } : undefined);
    const id = await shop.send(UNIQUE);
    const attempt = await span('deliver message', ['message.id', id]);
    expect(attempt).toMatchObject({ isError: true, attributes: { outcome: 'retry' } });

    const url = 'http://127.0.0.1:1/path-4711';
    await shop.account
      .asAdmin('post', '/api/webhooks')
      .send({ url, events: ['contact.suppressed'] })
      .expect(201);
    await shop.account.asAdmin('post', '/api/suppressions').send({ email: 'bob-4711@example.org' }).expect(201);
    await service.app.get(OutboxDispatcher, { strict: false }).dispatch();
    const webhook = await span('attempt webhook');
    expect(webhook).toMatchObject({ isError: true, attributes: { 'webhook.event': 'contact.suppressed', attempt: 1 } });

    await stop();
    // Neither addresses nor content nor URLs of receivers.
    expect(collector.posts.map(({ body }) => body).join('\n')).not.toContain('-4711');
  });

  it('are exported in protobuf by default', async () => {
    const started = await start(collector.configure());
    await (await started.open()).send(UNIQUE);
    const post = await waitFor('a delivery', () =>
      collector.posts.find(({ body }) => body.includes('deliver message')),
    );
    expect(post).toMatchObject({ path: '/v1/traces', contentType: 'application/x-protobuf' });
  });

  it('obey the sampler', async () => {
    const started = await start(collector.configure({ ...JSON_PROTOCOL, OTEL_TRACES_SAMPLER: 'always_off' }));
    await (await started.open()).send(UNIQUE);
    await stop();
    expect(collector.posts).toEqual([]);
  });

  it('prevent neither a send nor a stop while the collector is unavailable', async () => {
    const started = await start(
      collector.configure({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '500' }),
    );
    await (await started.open()).send(UNIQUE);
    await stop();
    expect(collector.posts).toEqual([]);
  });

  it('are off without a collector', async () => {
    const { service } = await start({});
    expect(service.app.get(Tracing, { strict: false })).toBeInstanceOf(NoTracing);
  });

  async function startNamed(variables: Record<string, string> = {}) {
    const started = await start(
      collector.configure({
        ...JSON_PROTOCOL,
        ...variables,
        OTEL_SERVICE_NAME: 'mail',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      }),
    );
    return { service: started.service, relay: started.relay, open: () => started.open() };
  }
});
