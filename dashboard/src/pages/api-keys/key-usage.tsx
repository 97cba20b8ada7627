import { Progress } from '@mantine/core';

/** The messages sent today, and the key's own daily limit if it has one. */
export function KeyUsage({ used, limit }: { used: number; limit: number | null }) {
  if (limit === null) return used.toLocaleString();
  return (
    <>
      {used.toLocaleString()} of {limit.toLocaleString()}
      <Progress
        value={(100 * used) / limit}
        size={2}
        color={used >= limit ? 'red' : 'indigo'}
        aria-label="Share of the daily limit used"
      />
    </>
  );
}
