import { newId } from '../../src/shared/ids.js';
import { SCOPES } from '../../src/shared/permissions.js';
import type { TestAccount } from './account.js';
import type { Operation } from './api-document.js';
import { sampleOf, toJson } from './hostile-requests.js';
import type { RawAnswer, RawClient } from './raw-request.js';
import type { TestService } from './service.js';

export const CALLERS = ['admin', 'member', 'key', 'nobody'] as const;
export type CallerName = (typeof CALLERS)[number];

/** An id that nothing has. */
export const NO_SUCH_ID = 'c000000000000000000000000';

export interface ApiRequest {
  /** Fills the id in the path. */
  id?: string;
  query?: string;
  body?: string | Buffer | undefined;
  headers?: Record<string, string>;
}

/** What a path leads to that ends at its first parameter. */
export const collectionOf = ({ path }: Operation): string => path.split('/{')[0]!;

/** Where a sample of the description would not do. */
const BODIES: Record<string, object> = {
  '/api/campaigns': {
    name: 'News',
    fromEmail: 'hello@example.com',
    subject: 'News',
    text: '{{unsubscribeUrl}}',
    audience: {},
  },
  '/api/campaigns/{id}': { name: 'News', audience: {} },
  '/api/consents': { email: 'ada@example.com', action: 'granted' },
  '/api/forms': { name: 'Newsletter', wording: 'I want it.', fromEmail: 'hello@example.com', challenge: 'none' },
  '/api/forms/{id}': { name: 'Newsletter' },
  '/api/lists': { name: 'Readers of example.com' },
  '/api/topics': { name: 'News of example.com' },
  '/api/topics/{id}': { name: 'News of example.com' },
  '/api/suppressions': { email: 'ada@example.com' },
};

/** Their sender is one that is verified. */
const SENDS = /^\/api\/(?:send\/|campaigns$|forms(?:\/\{id\})?$)|^\/api\/templates\/\{id\}\/test$/;

/** Makes a row of a collection that nothing is posted to. */
const ROWS: Record<string, (of: ApiFixtures) => Promise<string>> = {
  '/api/imports': async (of) => {
    const id = newId(of.service.clock.now());
    await of.service.query(
      `INSERT INTO contact_imports (id, account_id, state, created_at, finished_at) VALUES ($1, $2, 'done', now(), now())`,
      [id, of.account.id],
    );
    return id;
  },
  '/api/messages': (of) => of.rowOf('/api/send/transactional'),
  '/api/provider-events/ses': (of) => Promise.resolve(of.account.id),
  '/api/provider-events/sms': (of) => Promise.resolve(of.account.id),
  '/api/provider-events/smtp': (of) => Promise.resolve(of.account.id),
  '/api/provider-events/twilio': (of) => Promise.resolve(of.account.id),
  '/api/webhooks/deliveries': async (of) => {
    const [endpoint, id] = [await of.rowOf('/api/webhooks'), newId(of.service.clock.now())];
    await of.service.query(
      `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event, body, state, created_at)
       VALUES ($1, $2, $3, $1, 'contact.suppressed', '{}', 'failed', now())`,
      [id, of.account.id, endpoint],
    );
    return id;
  },
  '/f': (of) => of.rowOf('/api/forms'),
  '/f/assets': () => Promise.resolve('altcha.js'),
  '/r': (of) => of.rowOf('/api/send/transactional'),
};

let made = 0;

/** An account whose rows are made through the API, as openapi.json describes it. */
export class ApiFixtures {
  private constructor(
    readonly service: TestService,
    private readonly client: RawClient,
    private readonly operations: readonly Operation[],
    readonly account: TestAccount,
    readonly keySecret: string,
  ) {}

  static async create(service: TestService, client: RawClient, operations: readonly Operation[]): Promise<ApiFixtures> {
    const account = await service.createAccount({ dailySendCap: 1_000_000 });
    const { secret } = await account.createKey({ scopes: SCOPES });
    await account.verifySender('hello@example.com');
    return new ApiFixtures(service, client, operations, account, secret);
  }

  /** The id of a new row of the account to call this operation with; throws where there is none. */
  async idFor(operation: Operation): Promise<string> {
    const collection = collectionOf(operation);
    return ROWS[collection]?.(this) ?? this.rowOf(collection);
  }

  /** The id of what a POST to this path makes. */
  async rowOf(path: string): Promise<string> {
    const operation = this.operations.find((one) => one.method === 'post' && one.path === path);
    if (!operation) throw new Error(`Nothing is posted to ${path}: say in api-fixtures.ts how a row of it is made`);
    const caller = operation.security.includes('session') ? 'admin' : 'key';
    const { status, text } = await this.call(operation, caller, { body: this.bodyOf(operation) });
    if (status !== 201) throw new Error(`A sample for ${path} in api-fixtures.ts is needed: ${status} ${text}`);
    const { id, messageLogId } = JSON.parse(text) as { id?: string; messageLogId?: string };
    return (id ?? messageLogId)!;
  }

  /** A body that the operation takes; addresses and domains in it are new each time. */
  bodyOf({ path, body }: Operation): string | undefined {
    if (!body) return undefined;
    const sample = BODIES[path] ?? sampleOf(body.schema);
    made += 1;
    const unique = (text: string) =>
      SENDS.test(path) ? text : text.replace(/example\.(com|org)/g, `n${made}.example.$1`);
    return body.type === 'application/json' ? unique(toJson(sample)) : unique(String(sample));
  }

  call(operation: Operation, caller: CallerName, request: ApiRequest = {}): Promise<RawAnswer> {
    const { id = NO_SUCH_ID, query = '', body, headers = {} } = request;
    const path = operation.path.replace(/\{(?:number|version)\}/, '1').replace(/\{\w+\}/g, () => id);
    return this.client.send({
      method: operation.method.toUpperCase(),
      path: query === '' ? path : `${path}?${query}`,
      body,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': operation.body?.type ?? 'application/json' }),
        ...this.credentials(caller),
        ...headers,
      },
    });
  }

  private credentials(caller: CallerName): Record<string, string> {
    if (caller === 'nobody') return {};
    if (caller === 'key') return { 'X-API-Key': this.keySecret };
    const token = caller === 'admin' ? this.account.adminToken : this.account.memberToken;
    return { Authorization: `Bearer ${token}` };
  }
}

/** The paths of fields that may name a row. */
export const idFieldsOf = (paths: readonly string[][]): string[] =>
  paths.map((path) => path.join('.')).filter((path) => /(^id|Ids?)$/.test(path));
