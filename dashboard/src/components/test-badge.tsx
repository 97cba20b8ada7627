import { Badge } from '@mantine/core';

import { t } from '../texts/text';

/** Marks test keys and their messages. */
export const TestBadge = () => (
  <Badge size="sm" variant="outline" color="violet">
    {t('common.test')}
  </Badge>
);
