import type { Schemas } from '../../api/types';

type Totals = Pick<Schemas['CampaignStatsResponse'], 'total' | 'status' | 'opens' | 'clicks'>;
type Counts = NonNullable<Totals['status']>;

const NONE: Counts = {
  ...{ queued: 0, sending: 0, sent: 0, delivered: 0 },
  ...{ bounced: 0, complained: 0, failed: 0, suppressed: 0 },
};

/** The messages by status. The API document wrongly calls them optional. */
export const countsOf = ({ status = NONE }: Pick<Totals, 'status'>): Counts => status;

/** Messages without a final status. */
export function underWayOf(totals: Pick<Totals, 'status'>): number {
  const { queued, sending } = countsOf(totals);
  return queued + sending;
}

/** Totals of the API as the results that the overview counts. */
export function outcomeOf({ total, opens, clicks, ...totals }: Totals): Schemas['OutcomeResponse'] {
  const { sent, delivered, bounced, complained, failed } = countsOf(totals);
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
