import { maxHeaderSize } from 'node:http';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { type ApiRequest, ApiFixtures, CALLERS, type CallerName, NO_SUCH_ID } from '../../support/api-fixtures.js';
import { type Operation, readOperations } from '../../support/api-document.js';
import { budget, FUZZ_SEED } from '../../support/budget.js';
import { DomainFixture } from '../../support/domain-fixture.js';
import { errorFault } from '../../support/errors.js';
import {
  fieldsOf,
  HOSTILE_BODIES,
  HOSTILE_HEADERS,
  HOSTILE_PATH_PARTS,
  HOSTILE_QUERIES,
  HOSTILE_QUERY_VALUES,
  HOSTILE_VALUES,
  requestsOf,
  toJson,
  withField,
} from '../../support/hostile-requests.js';
import { type RawAnswer, RawClient } from '../../support/raw-request.js';
import { SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait-for.js';

/** Requests with anything in all places of an endpoint, and at the most those that are right but for one thing. */
const RUNS = budget({ quick: 10, soak: 100 });
const BOUNDARIES = budget({ quick: 10, soak: Infinity });

/** At most what the test's client adds to each request, in bytes. */
const OTHER_HEADERS_SIZE = 1_024;

const operations = readOperations();

describe('Every endpoint of openapi.json, asked anything,', () => {
  let relay: SmtpSink;
  let fixture: DomainFixture;
  let client: RawClient;
  const succeeded = new Set<string>();

  beforeAll(async () => {
    relay = await SmtpSink.start();
    fixture = await DomainFixture.start({ ROLE: 'all', SMTP_URL: relay.url });
    client = new RawClient(fixture.service.url);
  });
  afterAll(async () => {
    client.close();
    await fixture.stop();
    await relay.stop();
  });

  it.each(operations)('answers as is documented: $name', async (operation) => {
    // An account of its own, so that what one endpoint changes is not in the way of another's.
    const fixtures = await ApiFixtures.create(fixture.service, client, operations);
    let id = await fixtures.idFor(operation).catch(() => NO_SUCH_ID);
    const ask = async (caller: CallerName, request: ApiRequest) => {
      const answer = await fixtures.call(operation, caller, { id, ...request });
      if (answer.status < 300) succeeded.add(operation.name);
      const isUnchanged = answer.status === 304 && request.headers?.['If-None-Match'] !== undefined;
      const fault = isUnchanged || isHeadTooLarge(request, answer) ? undefined : faultOf(operation, answer);
      if (fault)
        throw new Error(`${describeRequest(operation, caller, request)}\nanswers ${fault}\nFUZZ_SEED=${FUZZ_SEED}`);
    };
    const [likely] = callersOf(operation);
    for (const request of some(boundariesOf(operation, fixtures))) await ask(likely, request);
    if (operation.method === 'delete') id = await fixtures.idFor(operation);
    for (const caller of CALLERS) await ask(caller, { body: fixtures.bodyOf(operation) });
    await fc.assert(
      fc.asyncProperty(requestsOf(operation, callersOf(operation)), ({ caller, pathPart, ...request }) =>
        ask(caller as CallerName, pathPart === null ? request : { ...request, id: pathPart || '%20' }),
      ),
      { seed: FUZZ_SEED, numRuns: RUNS },
    );
  });

  it('is reached by what it takes, too, in most cases', () => {
    expect(succeeded.size).toBeGreaterThan(operations.length * 0.7);
  });

  it('delivers or gives up what it accepted', async () => {
    await waitFor('all messages to be done with', async () => {
      const waiting = await fixture.service.query(
        'SELECT message_id FROM pending_deliveries WHERE scheduled_at IS NULL LIMIT 1',
      );
      return waiting.length === 0;
    });
    expect(relay.received().length).toBeGreaterThan(0);
  });

  it('answers elsewhere, too', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      for (const path of [
        '/api/nothing',
        '//nothing',
        '/api/../api',
        '/%',
        '/api/%zz',
        '/%00',
        '/api/users//',
        '/docs/%2e%2e/x',
      ])
        expectError(await client.send({ method, path }));
    }
  });

  function expectError({ status, text }: RawAnswer) {
    expect(errorFault(status, JSON.parse(text))).toBeUndefined();
    expect([400, 404]).toContain(status);
  }
});

/** The most likely one first, and more often than the others. */
function callersOf({ security }: Operation): [CallerName, ...CallerName[]] {
  if (security.includes('session')) return ['admin', 'admin', 'admin', 'admin', ...CALLERS];
  if (security.includes('apiKey')) return ['key', 'key', 'key', 'key', ...CALLERS];
  return ['nobody', ...CALLERS];
}

/** As many of them as the budget allows, in any order. */
function some(all: Iterable<ApiRequest>): ApiRequest[] {
  const requests = [...all];
  const count = Math.min(BOUNDARIES, requests.length);
  const chosen = fc.shuffledSubarray(requests, { minLength: count, maxLength: count });
  return fc.sample(chosen, { seed: FUZZ_SEED, numRuns: 1 })[0]!;
}

/** A request that is right but for one thing, for each hostile thing at each place. */
function* boundariesOf(operation: Operation, fixtures: ApiFixtures): Generator<ApiRequest> {
  const { path, body, parameters } = operation;
  const sample = fixtures.bodyOf(operation);
  yield { body: sample };
  if (path.includes('{')) for (const id of HOSTILE_PATH_PARTS) yield { id, body: sample };
  for (const query of HOSTILE_QUERIES) yield { query, body: sample };
  for (const headers of HOSTILE_HEADERS) yield { headers, body: sample };
  for (const { name } of parameters.filter((parameter) => parameter.in === 'query'))
    for (const value of HOSTILE_QUERY_VALUES) yield { query: value.replaceAll('NAME', name) };
  for (const whole of HOSTILE_BODIES) yield { body: whole };
  if (body?.type !== 'application/json' || sample === undefined) return;
  const right = JSON.parse(sample) as unknown;
  for (const field of [...fieldsOf(body.schema), ['unknown'], ['constructor']])
    for (const value of [...HOSTILE_VALUES, undefined]) yield { body: toJson(withField(right, field, value)) };
}

/** Node refuses these before there is an operation; `protocol-errors.e2e-spec.ts` checks what it answers. */
const isHeadTooLarge = ({ id, query, headers }: ApiRequest, { status }: RawAnswer): boolean =>
  status === 431 && JSON.stringify({ id, query, headers }).length > maxHeaderSize - OTHER_HEADERS_SIZE;

/** What of the answer is not documented. */
function faultOf({ answers, method }: Operation, { status, headers, text }: RawAnswer): string | undefined {
  const shown = `${status} ${headers['content-type'] ?? ''} ${text.slice(0, 600)}`;
  if (status === 500 && !text.includes('"Provider error: ')) return shown;
  if (status === 503 && !text.includes('"The service is overloaded"')) return shown;
  if (/node_modules|QueryFailedError|\bat \w+.*\.[jt]s:\d+|syntax error at or near/.test(text))
    return `a secret: ${shown}`;
  const documented = answers.get(status);
  if (!documented) return `a status that is not documented: ${shown}`;
  if (documented.content.size === 0) return text === '' ? undefined : `a body that is not documented: ${shown}`;
  const type = (headers['content-type'] ?? '').split(';')[0]!;
  const validator = documented.content.get(type);
  if (validator === undefined) return `a content type that is not documented: ${shown}`;
  if (!validator || method === ('head' as string)) return undefined;
  const validate = validator();
  const parsed: unknown = JSON.parse(text);
  if (!validate(parsed)) return `what its schema does not describe (${JSON.stringify(validate.errors)}): ${shown}`;
  return status >= 400 ? errorFault(status, parsed) : undefined;
}

const describeRequest = ({ name }: Operation, caller: string, { body, ...request }: ApiRequest): string =>
  `${name} as ${caller}, ${JSON.stringify(request)}, with the body ${String(body).slice(0, 300)}`;
