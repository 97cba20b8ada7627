import { Grid, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { LoadError, Loading } from '../../components/states';
import { useAction } from '../../components/use-action';
import { useReturnFocus } from '../../components/use-return-focus';
import { t } from '../../texts/text';
import { RestoreButton } from './restore-button';
import { VersionList } from './version-list';
import { VersionPreview } from './version-preview';

/** The number of versions that the service keeps. */
const MAX_VERSIONS = 100;

interface Props {
  templateId: string;
  isDirty: boolean;
  onRestored: (version: Schemas['TemplateVersionDetailResponse']) => void;
  onClose: () => void;
}

/** Lists the versions of a template, shows the chosen one and restores it. */
export default function TemplateHistory({ templateId, isDirty, onRestored, onClose }: Props) {
  useReturnFocus();
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
  const restore = useAction({
    run: ({ version, base }: { version: number; base: number }) =>
      unwrap(
        api.POST('/api/templates/{id}/versions/{version}/restore', {
          params: { path: { id: templateId, version: String(version) } },
          body: { version: base },
        }),
      ),
    successMessage: (restored, { version, base }) =>
      restored.version === base
        ? t('templates.restored.same', { version })
        : t('templates.restored', { version, restored: restored.version }),
    invalidates: [['templates']],
    refetchesOnConflict: true,
    onSuccess: (restored) => {
      onClose();
      onRestored(restored);
    },
  });
  const close = () => {
    if (!restore.isPending) onClose();
  };
  const newest = data?.items[0]?.version;
  const shown = chosen ?? newest;
  return (
    <Modal opened onClose={close} title={t('templates.history')} size="72rem">
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
                  version={shown}
                  isCurrent={shown === newest}
                  isDirty={isDirty}
                  isBusy={restore.isPending}
                  onRestore={() => restore.mutate({ version: shown, base: newest })}
                />
              )}
            </VersionPreview>
          </Grid.Col>
        </Grid>
      )}
    </Modal>
  );
}
