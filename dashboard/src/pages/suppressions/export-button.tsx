import { Button } from '@mantine/core';
import { Download } from 'lucide-react';

import { fetchApi } from '../../api/client';
import { saveAs } from '../../components/save-as';
import { useAction } from '../../components/use-action';

export function ExportButton() {
  const download = useAction({
    run: async () => {
      const response = await fetchApi('/api/suppressions/export');
      saveAs('suppressions.csv', await response.blob());
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
