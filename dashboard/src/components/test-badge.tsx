import { Badge } from '@mantine/core';

/** Marks what test keys are and have sent. */
export const TestBadge = () => (
  <Badge size="sm" variant="outline" color="violet">
    Test
  </Badge>
);
