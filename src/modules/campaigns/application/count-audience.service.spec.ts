import { describe, expect, it } from '@jest/globals';

import type { ContactAudience, ListDirectory } from '../../contacts/index.js';
import { CountAudience } from './count-audience.service.js';
import type { ReadCampaigns } from './read-campaigns.service.js';

const AUDIENCE = { listIds: ['l'], tags: [], excludeListIds: [], excludeTags: [] };

const requireSendable = (active: number, suppressed: number) =>
  new CountAudience(
    {} as ReadCampaigns,
    { count: () => Promise.resolve({ active, suppressed }) } as unknown as ContactAudience,
    {} as ListDirectory,
  ).requireSendable('a', AUDIENCE);

describe('CountAudience', () => {
  it.each([
    [1, 0],
    [1, 999_999],
    [1_000_000, 0],
  ])('accepts %i active and %i suppressed contacts', async (active, suppressed) => {
    await expect(requireSendable(active, suppressed)).resolves.toBeUndefined();
  });

  it.each([
    [0, 0, 'audience has no recipients'],
    [0, 5, 'audience has no recipients'],
    [1_000_001, 0, 'audience has more than 1000000 recipients'],
    [1, 1_000_000, 'audience has more than 1000000 recipients'],
  ])('refuses %i active and %i suppressed contacts', async (active, suppressed, message) => {
    await expect(requireSendable(active, suppressed)).rejects.toMatchObject({ kind: 'invalid', message });
  });
});
