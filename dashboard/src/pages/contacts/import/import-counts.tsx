import { SimpleGrid, Text } from '@mantine/core';

import type { ContactImport } from './use-start-import';

/** The number of rows by outcome. For a dry run, the expected outcome. */
export function ImportCounts({
  contactImport: { dryRun, created, updated, skipped, failed },
}: {
  contactImport: ContactImport;
}) {
  const counts = [
    [dryRun ? 'To be added' : 'Added', created],
    [dryRun ? 'To be updated' : 'Updated', updated],
    ['Unchanged', skipped],
    ['Invalid', failed],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }}>
      {counts.map(([label, count]) => (
        <div key={label}>
          <Text className="tile-number">{count.toLocaleString()}</Text>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
