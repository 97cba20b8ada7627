import type { Evidence } from '../evidence/evidence.js';

/** Whether a client may have canceled the message or, if it belongs to a campaign, that campaign. */
export function mayBeCanceled({ campaigns, schedules }: Evidence, campaignId: string | null, index: number): boolean {
  if (campaignId === null) return schedules.mayBeCanceled(index);
  return campaigns.some(({ id, status }) => id === campaignId && status === 'canceled');
}
