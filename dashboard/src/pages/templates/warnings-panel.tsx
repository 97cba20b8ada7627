import { List } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';

import { Warning } from '../../components/warning';
import { t } from '../../texts/text';

/** Lists problems that do not prevent a save but are rarely intended. */
export function WarningsPanel({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Warning role="note" icon={TriangleAlert} title={t('templates.warnings')}>
      <List size="sm" spacing={4}>
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Warning>
  );
}
