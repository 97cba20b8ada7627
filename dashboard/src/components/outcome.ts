import type { Schemas } from '../api/types';

type Totals = Pick<Schemas['CampaignStatsResponse'], 'total' | 'status' | 'opens' | 'clicks'>;

/** Messages without a final status. */
export const underWayOf = ({ status: { queued, sending } }: Pick<Totals, 'status'>): number => queued + sending;

/** Converts totals of the API to the results that the overview counts. */
export function outcomeOf({ total, status, opens, clicks }: Totals): Schemas['OutcomeResponse'] {
  const { sent, delivered, bounced, complained, failed } = status;
  return {
    accepted: total,
    sent: sent + delivered + bounced + complained,
    delivered: delivered + complained,
    bounced,
    complained,
    failed,
    opened: opens.unique,
    clicked: clicks.unique,
  };
}
