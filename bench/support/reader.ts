import { quantile } from './report.js';

const WARM_UP = 200;
const REQUESTS = 400;
const CONCURRENCY = 2;

/** A client that reads messages; it measures with two concurrent requests. */
export class Caller {
  constructor(
    private readonly url: string,
    readonly headers: Record<string, string>,
  ) {}

  async get(path: string): Promise<{ nextCursor: string }> {
    const response = await fetch(this.url + path, { headers: this.headers });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as { nextCursor: string };
  }

  async p95(path: string): Promise<number> {
    for (let i = 0; i < WARM_UP; i++) await this.get(path);
    const times: number[] = [];
    const read = async () => {
      while (times.length < REQUESTS) {
        const start = performance.now();
        await this.get(path);
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, read));
    return quantile(times, 0.95);
  }

  /** The cursor after this many messages. */
  async cursorAt(depth: number): Promise<string> {
    let cursor = '';
    for (let read = 0; read < depth; read += 100)
      cursor = (await this.get(`/api/messages?limit=100${cursor && `&cursor=${cursor}`}`)).nextCursor;
    return cursor;
  }
}

export interface Reader {
  accountId: string;
  apiKeyId: string;
  account: Caller;
  key: Caller;
}

/** Signs in as the admin of the first account, and creates a key. */
export async function signIn(url: string, admin: { email: string; password: string }): Promise<Reader> {
  const login = await post<{ accessToken: string; account: { id: string } }>(`${url}/api/auth/login`, {}, admin);
  const session = { authorization: `Bearer ${login.accessToken}` };
  const key = await post<{ id: string; secret: string }>(`${url}/api/api-keys`, session, {
    name: 'Bench',
    scopes: ['read_events'],
  });
  return {
    accountId: login.account.id,
    apiKeyId: key.id,
    account: new Caller(url, session),
    key: new Caller(url, { 'x-api-key': key.secret }),
  };
}

export async function post<T>(url: string, headers: Record<string, string>, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
