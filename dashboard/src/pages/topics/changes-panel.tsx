import { Group, SegmentedControl } from '@mantine/core';
import { Users } from 'lucide-react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { CursorList } from '../../components/cursor-list';
import type { Column } from '../../components/data-table';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { Time } from '../../components/time';
import { useFilters } from '../../components/use-filters';
import { t } from '../../texts/text';

type Consent = Schemas['ConsentResponse'];

const LIMIT = 25;
const ACTIONS = ['granted', 'withdrawn'] as const;

/** The consents to a topic and their withdrawals, as they were recorded. */
export function ChangesPanel({ topicId }: { topicId: string }) {
  const filters = useFilters();
  const action = filters.get('action') === 'withdrawn' ? 'withdrawn' : 'granted';
  return (
    <Panel title={t('topics.changes')} description={t('topics.changes.description')} isFlush>
      <Group className="filters" gap="xs">
        <SegmentedControl
          aria-label={t('topics.changes')}
          size="xs"
          data={ACTIONS.map((value) => ({ value, label: t(`topics.changes.${value}`) }))}
          value={action}
          onChange={(value) => filters.change({ action: value === 'withdrawn' ? value : null })}
        />
      </Group>
      <CursorList
        caption={t('topics.changes')}
        queryKey={['consents', 'topic', topicId, action]}
        load={(cursor, signal) =>
          unwrap(api.GET('/api/consents', { params: { query: { topicId, action, cursor, limit: LIMIT } }, signal }))
        }
        columns={COLUMNS}
        keyOf={({ id }) => id}
        refreshEveryMs={false}
        empty={<Empty icon={Users} title={t(`topics.changes.empty.${action}`)} />}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Consent>[] = [
  { header: 'common.column.address', cell: (consent) => <Person {...consent} />, width: '40cqi' },
  { header: 'topics.column.how', cell: ({ source }) => t(`common.consentSource.${source}`) },
  {
    header: 'topics.column.when',
    cell: ({ occurredAt }) => <Time value={occurredAt} />,
    align: 'right',
    width: '13rem',
  },
];

/** A SHA-256 hash, which replaces the address of an erased person in the consent records. */
const HASH = /^[0-9a-f]{64}$/;

function Person({ address, contactId }: Consent) {
  if (HASH.test(address)) return t('topics.changes.erased');
  if (contactId === null) return address;
  return (
    <Link to={`/contacts/${contactId}`} className="plain-link">
      {address}
    </Link>
  );
}
