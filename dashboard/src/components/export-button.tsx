import { Button } from '@mantine/core';
import { Download } from 'lucide-react';

import { fetchApi } from '../api/client';
import { saveAs } from './save-as';
import { useAction } from './use-action';

interface Props {
  /** Of the file, with the filters. */
  path: string;
  fileName: string;
}

/** Saves what the API answers as a file. */
export function ExportButton({ path, fileName }: Props) {
  const download = useAction({
    run: async () => {
      const response = await fetchApi(path);
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
      Export
    </Button>
  );
}
