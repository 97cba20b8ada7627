import { Progress } from '@mantine/core';

import { locale } from '../../texts/language';
import { t } from '../../texts/text';

/** The messages sent today, if that is known, and the key's own daily limit if it has one. */
export function KeyUsage({ used, limit }: { used: number | undefined; limit: number | null }) {
  if (used === undefined) return '–';
  if (limit === null) return used.toLocaleString(locale);
  return (
    <>
      {t('api-keys.usage', { used, limit })}
      <Progress
        value={(100 * used) / limit}
        size={2}
        color={used >= limit ? 'red' : 'indigo'}
        aria-label={t('api-keys.usage.label')}
      />
    </>
  );
}
