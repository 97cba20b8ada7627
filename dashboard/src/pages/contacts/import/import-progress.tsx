import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';

import { unwrap, api } from '../../../api/client';
import { FormError } from '../../../components/form-error';
import { Panel } from '../../../components/panel';
import { LoadError, Loading } from '../../../components/states';
import { t, type TextId } from '../../../texts/text';
import { ImportCounts } from './import-counts';
import { RowErrors } from './row-errors';
import type { ContactImport } from './use-start-import';

const REFRESH_EVERY_MS = 500;
const MAX_NAMED = 20;

interface Props {
  id: string;
  isBusy: boolean;
  error: Error | null;
  /** Starts the import after a check. Undefined if the file is no longer available. */
  onImport: (() => void) | undefined;
  onAgain: () => void;
}

export function ImportProgress({ id, isBusy, error, onImport, onAgain }: Props) {
  const query = useImport(id);
  if (!query.data)
    return query.error ? <LoadError error={query.error} onRetry={() => void query.refetch()} /> : <Loading />;
  const { state, dryRun, processed, errors, ignoredColumns } = query.data;
  return (
    <Stack gap="md" maw={880}>
      <FormError error={error} />
      <Panel title={t(titleOf(query.data))}>
        <Stack gap="md">
          <Progress
            value={shareOf(query.data)}
            color={state === 'failed' ? 'red' : state === 'done' ? 'teal' : 'indigo'}
            size="lg"
            animated={!isFinished(query.data)}
            aria-label={t('contacts.import.progress')}
          />
          <Text size="sm" role="status">
            {query.data.error ?? progressOf(query.data)}
          </Text>
          <ImportCounts contactImport={query.data} />
          {ignoredColumns.count > 0 && (
            <Text size="sm" c="dimmed" className="break">
              {t('contacts.import.ignored', { count: ignoredColumns.count, names: namesOf(ignoredColumns) })}
            </Text>
          )}
          {isFinished(query.data) && (
            <Group gap="xs">
              {dryRun && state === 'done' && processed > 0 && onImport && (
                <Button loading={isBusy} onClick={onImport}>
                  {t('contacts.import.now')}
                </Button>
              )}
              {!dryRun && state === 'done' && (
                <Button component={Link} to="/contacts">
                  {t('contacts.import.viewContacts')}
                </Button>
              )}
              <Button variant="default" onClick={onAgain}>
                {t(onImport ? 'contacts.import.backToColumns' : 'contacts.import.another')}
              </Button>
            </Group>
          )}
        </Stack>
      </Panel>
      {errors.length > 0 && <RowErrors errors={errors} />}
    </Stack>
  );
}

function useImport(id: string) {
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api/imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data && !isFinished(state.data) ? REFRESH_EVERY_MS : false),
  });
  const hasWritten = query.data?.state === 'done' && !query.data.dryRun;
  useEffect(() => {
    if (hasWritten) void queryClient.invalidateQueries({ queryKey: ['contacts'] });
  }, [hasWritten, queryClient]);
  return query;
}

/** The names of some columns; `…` stands for the others. */
const namesOf = ({ count, names }: ContactImport['ignoredColumns']): string =>
  [...names.slice(0, MAX_NAMED), ...(count > MAX_NAMED ? ['…'] : [])].join(', ');

const isFinished = ({ state }: ContactImport): boolean => state === 'done' || state === 'failed';

function titleOf({ state, dryRun }: ContactImport): TextId {
  if (state === 'failed') return 'contacts.import.failed';
  if (state === 'queued') return 'contacts.import.waiting';
  if (state === 'running') return dryRun ? 'contacts.import.checking' : 'contacts.import.running';
  return dryRun ? 'contacts.import.checked' : 'contacts.import.complete';
}

const progressOf = ({ total, processed }: ContactImport): string =>
  total === null
    ? t('contacts.import.processedSoFar', { processed })
    : t('contacts.import.processed', { processed, total });

function shareOf({ state, total, processed }: ContactImport): number {
  if (state === 'done') return 100;
  return total === null || total === 0 ? 0 : (100 * processed) / total;
}
