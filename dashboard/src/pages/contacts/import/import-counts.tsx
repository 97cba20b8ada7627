import { SimpleGrid, Text } from '@mantine/core';

import { locale } from '../../../texts/language';
import { t } from '../../../texts/text';
import type { ContactImport } from './use-start-import';

/** The number of rows by outcome. For a dry run, the expected outcome. */
export function ImportCounts({
  contactImport: { dryRun, created, updated, skipped, failed },
}: {
  contactImport: ContactImport;
}) {
  const counts = [
    [dryRun ? 'contacts.import.toBeAdded' : 'contacts.import.added', created],
    [dryRun ? 'contacts.import.toBeUpdated' : 'contacts.import.updated', updated],
    ['contacts.import.unchanged', skipped],
    ['contacts.import.invalid', failed],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 2, xs: 4 }}>
      {counts.map(([label, count]) => (
        <div key={label}>
          <Text className="tile-number">{count.toLocaleString(locale)}</Text>
          <Text size="sm" c="dimmed">
            {t(label)}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
