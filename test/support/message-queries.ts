import type request from 'supertest';

import type { TestAccount } from './account.js';
import type { TestService } from './service.js';

export type Query = Record<string, string | readonly string[] | undefined>;
/** Queries one endpoint as one caller. */
export type Ask = (query?: Query) => request.Test;

export interface MessageItem {
  id: string;
  status: string;
  subject: string | null;
}

const LIST = '/api/messages';

export const asUser =
  (account: TestAccount, path = LIST): Ask =>
  (query = {}) =>
    account.asMember('get', path + search(query));

export const asKey =
  (service: TestService, secret: string, path = LIST): Ask =>
  (query = {}) =>
    service.request('get', path + search(query)).set('X-API-Key', secret);

/** An array repeats the parameter. */
function search(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, values = []] of Object.entries(query))
    for (const value of [values].flat()) parameters.append(name, value);
  return `?${parameters.toString()}`;
}

export async function items(ask: Ask, query?: Query): Promise<MessageItem[]> {
  const { body } = await ask(query).expect(200);
  return body.items as MessageItem[];
}

export const ids = async (ask: Ask, query?: Query): Promise<string[]> => (await items(ask, query)).map(({ id }) => id);

/** Sorted alphabetically. */
export const subjects = async (ask: Ask, query?: Query): Promise<(string | null)[]> =>
  (await items(ask, query)).map(({ subject }) => subject).sort();

/** All pages of the list; calls a function after each. */
export async function pages(
  ask: Ask,
  query: Query,
  meanwhile?: (page: MessageItem[]) => Promise<unknown>,
): Promise<MessageItem[][]> {
  const read: MessageItem[][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await ask(cursor ? { ...query, cursor } : query).expect(200);
    read.push(body.items as MessageItem[]);
    cursor = body.nextCursor as string | null;
    await meanwhile?.(body.items as MessageItem[]);
  }
  return read;
}
