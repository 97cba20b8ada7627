import { Badge } from '@mantine/core';

import { t } from '../texts/text';

/** Marks what test keys are and have sent. */
export const TestBadge = () => (
  <Badge size="sm" variant="outline" color="violet">
    {t('common.test')}
  </Badge>
);
