import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useParams } from 'react-router';

import { unwrap, api } from '../../api/client';
import { AdminOnly } from '../../app/admin-only';
import { lazyPart } from '../../components/lazy-part';
import { LoadError, Loading } from '../../components/states';
import { useIsDeleting } from '../../components/use-is-deleting';
import { type CampaignStatusValue, isEditable } from './campaign-status';

/** A page needs only one of them. */
const CampaignEditor = lazyPart(() => import('./campaign-editor'));
const CampaignReport = lazyPart(() => import('./campaign-report'));

/**
 * Reports are refreshed long after the end, because opens and clicks arrive late. A draft is not: it is being edited.
 */
const REFRESH_EVERY_MS: Readonly<Record<CampaignStatusValue, number | false>> = {
  draft: false,
  scheduled: 5_000,
  running: 1_000,
  paused: 3_000,
  completed: 15_000,
  canceled: 15_000,
};

/** Edits a campaign before its start, and reports on it afterwards. The id `new` creates one. */
export default function CampaignPage() {
  const { id = '' } = useParams();
  const isNew = id === 'new';
  const [isDirty, setDirty] = useState(false);
  const [loads, setLoads] = useState(0);
  const reload = useCallback(() => {
    setDirty(false);
    setLoads((count) => count + 1);
  }, []);
  const isDeleting = useIsDeleting();
  const { data, error, refetch } = useQuery({
    queryKey: ['campaigns', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/campaigns/{id}', { params: { path: { id } }, signal })),
    enabled: !isNew,
    refetchInterval: ({ state }) => (state.data && !isDeleting ? REFRESH_EVERY_MS[state.data.status] : false),
  });
  if (isNew)
    return (
      <AdminOnly>
        <CampaignEditor campaign={null} />
      </AdminOnly>
    );
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  // The editor stays as long as it has unsaved changes.
  return isEditable(data) || isDirty ? (
    <CampaignEditor key={loads} campaign={data} onDirty={setDirty} onReload={reload} />
  ) : (
    <CampaignReport campaign={data} error={error} />
  );
}
