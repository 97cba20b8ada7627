import { describe, expect, it } from '@jest/globals';

import type { RequiredConsent } from '../../consent/index.js';
import type { ContactAudience, ListDirectory } from '../../contacts/index.js';
import { CountAudience } from './count-audience.service.js';
import type { TopicDirectory } from '../../topics/index.js';
import type { ReadCampaigns } from './read-campaigns.service.js';

const AUDIENCE = { listIds: ['l'], tags: [], excludeListIds: [], excludeTags: [] };

const requireSendable = (active: number, suppressed: number, withoutConsent = 0) =>
  new CountAudience(
    {} as ReadCampaigns,
    {
      count: () => Promise.resolve({ active, suppressed, withoutConsent, outOfTopic: 0 }),
    } as unknown as ContactAudience,
    {} as ListDirectory,
    { isRequired: () => Promise.resolve(withoutConsent > 0) } as unknown as RequiredConsent,
    {} as TopicDirectory,
  ).requireSendable('a', { audience: AUDIENCE, topicId: null });

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

  it('refuses an audience in which nobody has a required consent', async () => {
    await expect(requireSendable(0, 0, 5)).rejects.toMatchObject({ message: 'audience has no recipients' });
    await expect(requireSendable(1, 0, 1_000_000)).rejects.toMatchObject({ kind: 'invalid' });
  });
});
