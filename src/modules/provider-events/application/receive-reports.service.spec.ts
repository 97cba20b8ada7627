import { describe, expect, it } from '@jest/globals';

import type { ProviderEvent, Providers } from '../../../providers/index.js';
import type { StoredSettings } from '../../../shared/account-settings.js';
import { ReceiveReports } from './receive-reports.service.js';
import type { StoreReply } from './store-reply.service.js';
import type { StoreReports } from './store-reports.service.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const EVENT: ProviderEvent = {
  ...{ messageId: null, providerMessageId: 'p1', occurredAt: NOW, recipient: null, type: 'delivered', data: {} },
  identity: ['e1'],
};
/** Longer than a slice of work. */
const SLOW_MS = 12;

describe('ReceiveReports', () => {
  it('lets others run while it reads many events of a post', async () => {
    let turns = 0;
    const turnsBefore: number[] = [];
    function* events() {
      for (let i = 0; i < 3; i++) {
        turnsBefore.push(turns);
        setImmediate(() => (turns += 1));
        for (const end = performance.now() + SLOW_MS; performance.now() < end;);
        yield EVENT;
      }
    }
    let stored = 0;
    const service = new ReceiveReports(
      { find: () => Promise.resolve({} as StoredSettings) },
      { channelOf: () => 'email' } as unknown as Providers,
      {
        store: ({ events: all }: { events: unknown[] }) => {
          stored = all.length;
          return Promise.resolve();
        },
      } as unknown as StoreReports,
      {} as StoreReply,
      { now: () => NOW, catchUp: () => Promise.resolve() },
    );
    const reports = {
      read: () => ({ kind: 'events' as const, provider: 'generic', events: events(), singleUseToken: null }),
    };
    await service.receive(reports, 'a1', { headers: {}, body: Buffer.alloc(0) }, () => undefined);
    expect(turnsBefore).toEqual([0, 1, 2]);
    expect(stored).toBe(3);
  });
});
