import { Alert, List } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { t } from '../../texts/text';

/** What is allowed, but rarely meant. */
export function WarningsPanel({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert
      role="note"
      color="yellow"
      variant="outline"
      icon={<TriangleAlert size={18} />}
      title={t('templates.warnings')}
    >
      <List size="sm" spacing={4}>
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
