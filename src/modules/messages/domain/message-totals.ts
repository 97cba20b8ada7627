import { MESSAGE_STATUSES, type MessageStatus } from './message-log.js';

/** Counts of the messages in one status. */
export interface StatusCount {
  status: MessageStatus;
  messages: number;
  /** Messages opened at least once. */
  opened: number;
  opens: number;
  clicked: number;
  clicks: number;
}

/** Which results are reported: a zero of the others means nothing. */
export interface ReportedTotals {
  deliveries: boolean;
  opens: boolean;
  clicks: boolean;
}

export interface MessageTotals {
  total: number;
  status: Record<MessageStatus, number>;
  /** Including those that were complained about. */
  deliveries: { total: number; reported: boolean };
  opens: { unique: number; total: number; reported: boolean };
  clicks: { unique: number; total: number; reported: boolean };
}

const ALL_REPORTED: ReportedTotals = { deliveries: true, opens: true, clicks: true };

/** Counted results were reported, whatever the present settings say. */
export function toTotals(counts: readonly StatusCount[], reported: ReportedTotals = ALL_REPORTED): MessageTotals {
  const sum = (field: Exclude<keyof StatusCount, 'status'>, from = counts) =>
    from.reduce((total, count) => total + count[field], 0);
  const inStatus = (status: MessageStatus) =>
    sum(
      'messages',
      counts.filter((count) => count.status === status),
    );
  const [opens, clicks, deliveries] = [sum('opens'), sum('clicks'), inStatus('delivered') + inStatus('complained')];
  return {
    total: sum('messages'),
    status: Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, inStatus(status)])) as MessageTotals['status'],
    deliveries: { total: deliveries, reported: reported.deliveries || inStatus('delivered') > 0 },
    opens: { unique: sum('opened'), total: opens, reported: reported.opens || opens > 0 },
    clicks: { unique: sum('clicked'), total: clicks, reported: reported.clicks || clicks > 0 },
  };
}
