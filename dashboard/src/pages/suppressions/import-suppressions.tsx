import { FileInput, Modal, Stack, Table, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';

import { fetchApi } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormError } from '../../components/form-error';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';

type Result = Schemas['SuppressionImportResponse'];

export default function ImportSuppressions({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const upload = useAction({
    run: async (content: File) => {
      const response = await fetchApi('/api/suppressions/import', {
        method: 'POST',
        headers: { 'Content-Type': 'text/csv' },
        body: content,
      });
      return (await response.json()) as Result;
    },
    invalidates: [['suppressions']],
    isErrorShownInForm: true,
  });
  return (
    <Modal opened onClose={onClose} title={t('suppressions.import.title')} size="lg">
      <Stack>
        <FormError error={upload.error} />
        {upload.data ? (
          <ImportResult result={upload.data} />
        ) : (
          <FileInput
            label={t('common.file.csv')}
            description={t('suppressions.import.csvFileDescription')}
            placeholder={t('common.file.choose')}
            accept=".csv,text/csv"
            leftSection={<FileUp size={16} aria-hidden />}
            value={file}
            onChange={setFile}
            clearable
            clearButtonProps={{ 'aria-label': t('common.file.remove') }}
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(upload.data ? 'common.action.close' : 'common.action.cancel')}
          </Button>
          {!upload.data && (
            <Button disabled={!file} loading={upload.isPending} onClick={() => file && upload.mutate(file)}>
              {t('suppressions.import')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

const ImportResult = ({ result: { added, stood, failed, errors } }: { result: Result }) => (
  <>
    <Text role="status">{t('suppressions.import.result', { added, stood, failed })}</Text>
    {errors.length > 0 && (
      <Table.ScrollContainer minWidth={360} mah={280}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('suppressions.import.line')}</Table.Th>
              <Table.Th>{t('common.column.address')}</Table.Th>
              <Table.Th>{t('common.column.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {errors.map(({ line, address, message }) => (
              <Table.Tr key={line}>
                <Table.Td>{line}</Table.Td>
                <Table.Td className="break">{address}</Table.Td>
                <Table.Td>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    )}
  </>
);
