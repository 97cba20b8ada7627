import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'react-router';

import { answerOf, api } from '../../../api/client';
import { FormError } from '../../../components/form-error';
import { Panel } from '../../../components/panel';
import { Failure, Loading } from '../../../components/states';
import { ImportCounts } from './import-counts';
import { RowErrors } from './row-errors';
import type { ContactImport } from './use-start-import';

const REFRESH_EVERY_MS = 500;

interface Props {
  id: string;
  isBusy: boolean;
  error: Error | null;
  /** Where the file is still at hand: imports what was tried. */
  onImport: (() => void) | undefined;
  onAgain: () => void;
}

export function ImportProgress({ id, isBusy, error, onImport, onAgain }: Props) {
  const found = useImport(id);
  if (!found.data)
    return found.error ? <Failure error={found.error} onRetry={() => void found.refetch()} /> : <Loading />;
  const { state, dryRun, total, processed, errors } = found.data;
  return (
    <Stack gap="md" maw={880}>
      <FormError error={error} />
      <Panel title={titleOf(found.data)}>
        <Stack gap="md">
          <Progress
            value={shareOf(found.data)}
            color={state === 'failed' ? 'red' : state === 'done' ? 'teal' : 'indigo'}
            size="lg"
            animated={!isOver(found.data)}
            aria-label="Import progress"
          />
          <Text size="sm" role="status">
            {found.data.error ??
              `${processed.toLocaleString()} of ${total === null ? '…' : total.toLocaleString()} rows processed`}
          </Text>
          <ImportCounts found={found.data} />
          {isOver(found.data) && (
            <Group gap="xs">
              {dryRun && state === 'done' && processed > 0 && onImport && (
                <Button loading={isBusy} onClick={onImport}>
                  Import now
                </Button>
              )}
              {!dryRun && state === 'done' && (
                <Button component={Link} to="/contacts">
                  View contacts
                </Button>
              )}
              <Button variant="default" onClick={onAgain}>
                {onImport ? 'Back to column mapping' : 'Import another file'}
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
  const found = useQuery({
    queryKey: ['imports', id],
    queryFn: ({ signal }) => answerOf(api.GET('/api/imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data && !isOver(state.data) ? REFRESH_EVERY_MS : false),
  });
  const hasWritten = found.data?.state === 'done' && !found.data.dryRun;
  useEffect(() => {
    if (hasWritten) void queryClient.invalidateQueries({ queryKey: ['contacts'] });
  }, [hasWritten, queryClient]);
  return found;
}

const isOver = ({ state }: ContactImport): boolean => state === 'done' || state === 'failed';

function titleOf({ state, dryRun }: ContactImport): string {
  if (state === 'failed') return 'Import failed';
  if (state === 'queued') return 'Waiting to start';
  if (state === 'running') return dryRun ? 'Checking' : 'Importing';
  return dryRun ? 'Check complete: nothing has been imported yet' : 'Import complete';
}

function shareOf({ state, total, processed }: ContactImport): number {
  if (state === 'done') return 100;
  return total === null || total === 0 ? 0 : (100 * processed) / total;
}
