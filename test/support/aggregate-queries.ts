import { RollUpMessages } from '../../src/modules/messages/application/roll-up-messages.service.js';
import type { TestAccount } from './account.js';
import { asKey, asUser, type Query } from './message-queries.js';
import { insertMessages, type MessageRow } from './message-rows.js';
import type { TestService } from './service.js';

export const AGGREGATE = '/api/messages/aggregate';

/** Inserts messages of the account of the running test and queries their totals. */
export function aggregateQueries(service: () => TestService, account: () => TestAccount) {
  const user = (of = account()) => asUser(of, AGGREGATE);
  const totals = async (query?: Query, ask = user()) => (await ask(query).expect(200)).body;
  return {
    user,
    withKey: ({ secret }: { secret: string }) => asKey(service(), secret, AGGREGATE),
    insert: (rows: Partial<MessageRow>[], of = account()) => insertMessages(service(), of.id, rows),
    rollUp: () => service().app.get(RollUpMessages, { strict: false }).rollUp(),
    totals,
    total: async (query?: Query, ask = user()) => (await totals(query, ask)).total,
  };
}
