import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';

import { api, unwrap } from '../../api/client';
import type { Schemas } from '../../api/types';
import { CursorList } from '../../components/cursor-list';
import type { Column } from '../../components/data-table';
import { ExportButton } from '../../components/export-button';
import { lazyDialog } from '../../components/lazy-dialog';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { Time } from '../../components/time';
import { t } from '../../texts/text';
import { TopicName } from '../topics/topic-name';
import { StandingConsents } from './standing-consents';

/** Loaded on demand because they are rarely used. */
const RecordConsent = lazyDialog(() => import('./record-consent'));
const ConsentProof = lazyDialog(() => import('./consent-proof'));

type Consent = Schemas['ConsentResponse'];

const LIMIT = 25;

/** The consents of a person that are in force, and the records that prove them. */
export function ConsentPanel({ email, isAdmin }: { email: string; isAdmin: boolean }) {
  const [isRecording, recording] = useDisclosure();
  const [shown, setShown] = useState<Consent | null>(null);
  const standing = useQuery({
    queryKey: ['consents', email, 'standing'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/consents/standing', { params: { query: { email } }, signal })),
  });
  return (
    <Panel
      title={t('contacts.consent')}
      description={t('contacts.consent.description')}
      isFlush
      actions={
        isAdmin && (
          <>
            <ExportButton path="/api/consents/export" query={{ email }} fileName="consents.csv" />
            <Button leftSection={<Plus size={16} />} onClick={recording.open}>
              {t('contacts.consent.record')}
            </Button>
          </>
        )
      }
    >
      {standing.data ? (
        <StandingConsents standing={standing.data} />
      ) : standing.error ? (
        <LoadError error={standing.error} onRetry={() => void standing.refetch()} />
      ) : (
        <Loading />
      )}
      <CursorList
        caption={t('contacts.consent.history')}
        queryKey={['consents', email, 'history']}
        load={(cursor, signal) =>
          unwrap(api.GET('/api/consents', { params: { query: { email, cursor, limit: LIMIT } }, signal }))
        }
        columns={columnsFor(setShown)}
        keyOf={({ id }) => id}
        refreshEveryMs={false}
        empty={null}
      />
      {isRecording && <RecordConsent email={email} onClose={recording.close} />}
      {shown && <ConsentProof consent={shown} onClose={() => setShown(null)} />}
    </Panel>
  );
}

const columnsFor = (show: (consent: Consent) => void): readonly Column<Consent>[] => [
  { header: 'contacts.column.when', cell: ({ occurredAt }) => <Time value={occurredAt} />, width: '13rem' },
  { header: 'contacts.column.what', cell: ({ action }) => t(`contacts.consent.action.${action}`) },
  { header: 'contacts.column.purpose', cell: ({ purpose }) => t(`contacts.consent.purpose.${purpose}`) },
  {
    header: 'common.field.topic',
    cell: ({ topicId }) => (topicId === null ? '–' : <TopicName id={topicId} />),
  },
  { header: 'contacts.column.how', cell: ({ source }) => t(`common.consentSource.${source}`) },
  {
    header: 'common.column.actions',
    isHeaderHidden: true,
    align: 'right',
    width: '9rem',
    cell: (consent) => (
      <Button variant="subtle" size="compact-sm" onClick={() => show(consent)}>
        {t('contacts.consent.showProof')}
      </Button>
    ),
  },
];
