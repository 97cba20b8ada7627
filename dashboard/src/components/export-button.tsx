import { Button } from '@mantine/core';
import { Download } from 'lucide-react';

import { fetchApi } from '../api/client';
import { t } from '../texts/text';
import { saveAs } from './save-as';
import { useAction } from './use-action';

interface Props {
  path: string;
  /** The filters; undefined ones are omitted. */
  query: object;
  fileName: string;
}

/** Downloads a response of the API as a file. */
export function ExportButton({ path, query, fileName }: Props) {
  const download = useAction({
    run: async () => {
      const response = await fetchApi(`${path}?${toSearch(query)}`);
      saveAs(fileName, await response.blob());
    },
  });
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} />}
      loading={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('common.action.export')}
    </Button>
  );
}

const toSearch = (query: object): string =>
  new URLSearchParams(Object.entries(query).filter(([, value]) => value !== undefined)).toString();
