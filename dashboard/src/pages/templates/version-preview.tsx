import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { LoadError, Loading } from '../../components/states';
import { Time } from '../../components/time';
import { Preview } from './preview';
import { useRendered } from './use-rendered';

interface Props {
  templateId: string;
  version: number;
  /** The actions for the version. */
  children: ReactNode;
}

/** Shows one version of a template, rendered with the sample values that were saved with it. */
export function VersionPreview({ templateId, version, children }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: ['templates', templateId, 'versions', version],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/api/templates/{id}/versions/{version}', {
          params: { path: { id: templateId, version: String(version) } },
          signal,
        }),
      ),
  });
  if (!data) return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm" className="break">
          {data.name} · <Time value={data.savedAt} format="precise" />
        </Text>
        {children}
      </Group>
      <RenderedVersion version={data} />
    </Stack>
  );
}

function RenderedVersion({ version }: { version: Schemas['TemplateVersionDetailResponse'] }) {
  const { subject, html, text, sampleValues } = version;
  const rendered = useRendered({ subject, html: html ?? '', text: text ?? '' }, sampleValues);
  return <Preview rendered={rendered} />;
}
