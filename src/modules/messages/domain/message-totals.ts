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

export interface MessageTotals {
  total: number;
  status: Record<MessageStatus, number>;
  opens: { unique: number; total: number };
  clicks: { unique: number; total: number };
}

export function toTotals(counts: readonly StatusCount[]): MessageTotals {
  const sum = (field: Exclude<keyof StatusCount, 'status'>, from = counts) =>
    from.reduce((total, count) => total + count[field], 0);
  const inStatus = (status: MessageStatus) =>
    sum(
      'messages',
      counts.filter((count) => count.status === status),
    );
  return {
    total: sum('messages'),
    status: Object.fromEntries(MESSAGE_STATUSES.map((status) => [status, inStatus(status)])) as MessageTotals['status'],
    opens: { unique: sum('opened'), total: sum('opens') },
    clicks: { unique: sum('clicked'), total: sum('clicks') },
  };
}
