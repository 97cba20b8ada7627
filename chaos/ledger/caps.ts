import type { Cap, Evidence, MessageRow } from '../evidence.js';
import type { Entry } from './entry.js';

export function checkCaps({ caps, messages }: Evidence): Entry {
  const stored = caps.map((cap) => messages.filter((row) => isUnder(row, cap)).length);
  return {
    name: 'No cap is exceeded, and what is counted is what is stored',
    counted: caps.map(({ subject, limit }, i) => `${subject}: ${stored[i]} of ${limit}`).join('; '),
    gaps: caps.flatMap(({ subject, id, limit, used }, i) => {
      const count = stored[i] ?? 0;
      return [
        ...(count > limit ? [`${subject} ${id} has ${count} messages, ${limit} are allowed`] : []),
        ...(count !== used ? [`${subject} ${id} has ${count} messages, ${used} are counted`] : []),
      ];
    }),
  };
}

const isUnder = ({ accountId, keyId }: MessageRow, { subject, id }: Cap) =>
  (subject === 'account' ? accountId : keyId) === id;
