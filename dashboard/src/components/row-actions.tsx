import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The actions of a table row. Where there is a mouse they are shown while it is over the row or one has the focus. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <Group gap={4} justify="flex-end" wrap="nowrap" className="row-actions">
    {children}
  </Group>
);
