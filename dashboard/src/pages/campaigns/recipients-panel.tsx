import { Group, SegmentedControl } from '@mantine/core';
import { Users } from 'lucide-react';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { CursorList } from '../../components/cursor-list';
import type { Column } from '../../components/data-table';
import { Panel } from '../../components/panel';
import { Empty } from '../../components/states';
import { Status, type Tone } from '../../components/status';
import { useFilters } from '../../components/use-filters';
import type { Campaign } from './campaign-status';

type Recipient = Schemas['CampaignRecipientPageResponse']['items'][number];
type Outcome = Recipient['outcome'];

const LIMIT = 25;
const REFRESH_EVERY_MS = 5_000;

const OUTCOMES: readonly { value: Outcome | ''; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'skipped', label: 'Skipped' },
];

const TONES: Readonly<Record<Outcome, Tone>> = { waiting: 'busy', accepted: 'good', skipped: 'warning' };

const REASONS: Readonly<Record<NonNullable<Recipient['reason']>, string>> = {
  suppressed: 'The address is suppressed.',
  deleted: 'The contact was deleted.',
  failed: 'No message could be stored.',
};

/** Who gets the campaign, and why some do not. */
export function RecipientsPanel({ campaign: { id, status } }: { campaign: Campaign }) {
  const filters = useFilters();
  const chosen = OUTCOMES.find(({ value }) => value === filters.get('outcome'))?.value ?? '';
  const outcome = chosen === '' ? undefined : chosen;
  return (
    <Panel title="Recipients" isFlush>
      <Group className="filters" gap="xs">
        <SegmentedControl
          aria-label="Outcome"
          size="xs"
          data={[...OUTCOMES]}
          value={chosen}
          onChange={(value) => filters.change({ outcome: value })}
        />
      </Group>
      <CursorList
        caption="Recipients"
        queryKey={['campaigns', id, 'recipients', outcome]}
        load={(cursor, signal) =>
          unwrap(
            api.GET('/api/campaigns/{id}/recipients', {
              params: { path: { id }, query: { outcome, cursor, limit: LIMIT } },
              signal,
            }),
          )
        }
        columns={COLUMNS}
        keyOf={({ messageLogId }) => messageLogId}
        refreshEveryMs={status === 'running' ? REFRESH_EVERY_MS : false}
        words={{ order: 'in sending order', first: 'First', next: 'Next' }}
        empty={<Empty icon={Users} title={outcome ? 'No such recipients' : 'No recipients yet'} />}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Recipient>[] = [
  { header: 'Address', cell: ({ email }) => email, width: '36%' },
  {
    header: 'Outcome',
    cell: ({ outcome }) => <Status tone={TONES[outcome]} label={outcome} />,
    width: '8rem',
  },
  { header: 'Reason', cell: ({ reason }) => (reason === null ? '–' : REASONS[reason]) },
  {
    header: 'Message',
    isHeaderHidden: true,
    cell: ({ outcome, messageLogId, email }) =>
      outcome === 'accepted' && (
        <Link to={`/messages/${messageLogId}`} className="plain-link" aria-label={`View message to ${email}`}>
          View message
        </Link>
      ),
    align: 'right',
    width: '8.5rem',
  },
];
