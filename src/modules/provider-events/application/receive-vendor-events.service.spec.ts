import { describe, expect, it } from '@jest/globals';

import type { EventSource } from '../../provider-settings/index.js';
import type { ProviderEvent } from '../domain/provider-event.js';
import type { EventVendor } from './ports/event-vendor.js';
import { ReceiveVendorEvents } from './receive-vendor-events.service.js';
import type { StoreReports } from './store-reports.service.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const EVENT: ProviderEvent = {
  ...{ messageId: null, providerMessageId: 'p1', occurredAt: NOW, recipient: null, type: 'delivered', data: {} },
  identity: ['e1'],
};
/** Longer than a slice of work. */
const SLOW_MS = 12;

describe('ReceiveVendorEvents', () => {
  it('lets others run while it reads many events of a post', async () => {
    let turns = 0;
    const turnsBefore: number[] = [];
    const vendor: EventVendor = {
      verify: () => ({ singleUseToken: null }),
      *parse() {
        for (let i = 0; i < 3; i++) {
          turnsBefore.push(turns);
          setImmediate(() => (turns += 1));
          for (const end = performance.now() + SLOW_MS; performance.now() < end;);
          yield EVENT;
        }
      },
    };
    let stored = 0;
    const service = new ReceiveVendorEvents(
      { find: () => Promise.resolve({ vendor: 'generic', signingKey: 'k' } as EventSource) },
      { get: () => vendor },
      {
        store: ({ events }: { events: unknown[] }) => {
          stored = events.length;
          return Promise.resolve();
        },
      } as unknown as StoreReports,
      { now: () => NOW, catchUp: () => Promise.resolve() },
    );
    await service.receive('a1', { headers: {}, body: Buffer.alloc(0) }, () => undefined);
    expect(turnsBefore).toEqual([0, 1, 2]);
    expect(stored).toBe(3);
  });
});
