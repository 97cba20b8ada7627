import type { Evidence, Report } from '../evidence.js';
import type { Entry } from './entry.js';

const RANK: Record<string, number> = { delivered: 1, bounced: 2, complained: 3 };

export function checkEvents({ reports, recorded, messages }: Evidence): Entry {
  const counts = new Map(recorded.map(({ messageId, type, count }) => [`${messageId} ${type}`, count]));
  const reported = new Set(reports.map(keyOf));
  const rows = new Map(messages.map((row) => [row.id, row]));
  return {
    name: 'Every event of a provider is applied once',
    counted: `${reports.length} events of ${new Set(reports.map(({ messageId }) => messageId)).size} messages`,
    gaps: [
      ...reports.flatMap((report) => {
        const count = counts.get(keyOf(report)) ?? 0;
        return count === 1 ? [] : [`${keyOf(report)} is recorded ${count} times`];
      }),
      ...[...counts.keys()].filter((key) => !reported.has(key)).map((key) => `${key} is recorded and was not reported`),
      ...reports.flatMap(({ messageId, type }) => {
        const row = rows.get(messageId);
        if (type === 'opened') return row?.opens === 1 ? [] : [`${messageId} counts ${row?.opens} opens instead of 1`];
        return (RANK[row?.status ?? ''] ?? 0) >= (RANK[type] ?? 0)
          ? []
          : [`${messageId} ${type}, but is ${row?.status}`];
      }),
    ],
  };
}

const keyOf = ({ messageId, type }: Pick<Report, 'messageId' | 'type'>) => `${messageId} ${type}`;
