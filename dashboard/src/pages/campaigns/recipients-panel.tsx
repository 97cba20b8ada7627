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
import { t } from '../../texts/text';
import type { Campaign } from './campaign-status';

type Recipient = Schemas['CampaignRecipientPageResponse']['items'][number];
type Outcome = Recipient['outcome'];

const LIMIT = 25;
const REFRESH_EVERY_MS = 5_000;

const TONES: Readonly<Record<Outcome, Tone>> = { waiting: 'busy', accepted: 'good', skipped: 'warning' };
const OUTCOMES = Object.keys(TONES) as Outcome[];

/** The recipients of the campaign, and why some contacts do not get it. */
export function RecipientsPanel({ campaign: { id, status } }: { campaign: Campaign }) {
  const filters = useFilters();
  const outcome = OUTCOMES.find((value) => value === filters.get('outcome'));
  return (
    <Panel title={t('campaigns.recipients')} isFlush>
      <Group className="filters" gap="xs">
        <SegmentedControl
          aria-label={t('campaigns.column.outcome')}
          size="xs"
          data={[
            { value: '', label: t('campaigns.outcome.all') },
            ...OUTCOMES.map((value) => ({ value, label: t(`campaigns.outcome.${value}`) })),
          ]}
          value={outcome ?? ''}
          onChange={(value) => filters.change({ outcome: value })}
        />
      </Group>
      <CursorList
        caption={t('campaigns.recipients')}
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
        keyOf={({ contactId }) => contactId}
        refreshEveryMs={status === 'running' ? REFRESH_EVERY_MS : false}
        order="sendingOrder"
        empty={
          <Empty
            icon={Users}
            title={t(outcome ? 'campaigns.recipients.empty.filtered' : 'campaigns.recipients.empty')}
          />
        }
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Recipient>[] = [
  { header: 'common.column.address', cell: ({ email }) => email, width: '36cqi' },
  {
    header: 'campaigns.column.outcome',
    cell: ({ outcome }) => <Status tone={TONES[outcome]} label={t(`campaigns.outcome.${outcome}`)} />,
    width: '8.75rem',
  },
  {
    header: 'common.column.reason',
    cell: ({ reason }) =>
      reason === null ? (
        '–'
      ) : (
        <span style={{ whiteSpace: 'normal' }}>{t(`campaigns.recipients.skipped.${reason}`)}</span>
      ),
    isMajor: true,
  },
  {
    header: 'common.column.message',
    isHeaderHidden: true,
    cell: ({ outcome, messageLogId, email }) =>
      outcome === 'accepted' &&
      messageLogId !== null && (
        <Link
          to={`/messages/${messageLogId}`}
          className="plain-link"
          aria-label={t('campaigns.viewMessage.label', { email })}
        >
          {t('campaigns.viewMessage')}
        </Link>
      ),
    align: 'right',
    width: '5.5rem',
  },
];
