import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';

import { api, unwrap } from '../../api/client';
import type { Schemas } from '../../api/types';
import { type Column, DataTable } from '../../components/data-table';
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

const SHOWN = 50;

/** What a person has agreed to, and the records that prove it. */
export function ConsentPanel({ email, isAdmin }: { email: string; isAdmin: boolean }) {
  const [isRecording, recording] = useDisclosure();
  const [shown, setShown] = useState<Consent | null>(null);
  const standing = useQuery({
    queryKey: ['consents', email, 'standing'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/consents/standing', { params: { query: { email } }, signal })),
  });
  const history = useQuery({
    queryKey: ['consents', email],
    queryFn: ({ signal }) => unwrap(api.GET('/api/consents', { params: { query: { email, limit: SHOWN } }, signal })),
  });
  const error = standing.error ?? history.error;
  const retry = () => void Promise.all([standing.refetch(), history.refetch()]);
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
      {standing.data && history.data ? (
        <>
          <StandingConsents standing={standing.data} />
          {history.data.items.length > 0 && (
            <DataTable
              caption={t('contacts.consent.history')}
              columns={columnsFor(setShown)}
              rows={history.data.items}
              keyOf={({ id }) => id}
            />
          )}
          {history.data.nextCursor !== null && (
            <Text size="sm" c="dimmed" px="md" py="sm">
              {t('contacts.consent.more', { count: SHOWN })}
            </Text>
          )}
        </>
      ) : error ? (
        <LoadError error={error} onRetry={retry} />
      ) : (
        <Loading />
      )}
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
