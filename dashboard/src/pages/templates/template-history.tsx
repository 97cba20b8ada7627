import { Grid, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { LoadError, Loading } from '../../components/states';
import { useReturnFocus } from '../../components/use-return-focus';
import { t } from '../../texts/text';
import { RestoreButton } from './restore-button';
import { VersionList } from './version-list';
import { VersionPreview } from './version-preview';

/** As many as the service keeps. */
const MAX_VERSIONS = 100;

interface Props {
  templateId: string;
  isDirty: boolean;
  onRestored: (version: Schemas['TemplateVersionDetailResponse']) => void;
  onClose: () => void;
}

/** Lists the versions of a template, shows the chosen one and restores it. */
export default function TemplateHistory({ templateId, isDirty, onRestored, onClose }: Props) {
  useReturnFocus(true);
  const isAdmin = useIsAdmin();
  const [chosen, choose] = useState<number | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['templates', templateId, 'versions'],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/templates/{id}/versions', {
          params: { path: { id: templateId }, query: { limit: MAX_VERSIONS } },
          signal,
        }),
      ),
  });
  const newest = data?.items[0]?.version;
  const shown = chosen ?? newest;
  return (
    <Modal opened onClose={onClose} title={t('templates.history')} size="72rem">
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && shown !== undefined && newest !== undefined && (
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 4 }}>
            <VersionList versions={data.items} chosen={shown} onChoose={choose} />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 8 }}>
            <VersionPreview key={shown} templateId={templateId} version={shown}>
              {isAdmin && (
                <RestoreButton
                  templateId={templateId}
                  version={shown}
                  newest={newest}
                  isDirty={isDirty}
                  onRestored={(restored) => {
                    onClose();
                    onRestored(restored);
                  }}
                />
              )}
            </VersionPreview>
          </Grid.Col>
        </Grid>
      )}
    </Modal>
  );
}
