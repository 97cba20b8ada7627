import { Button, Group, Modal, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';

import { fetchApi } from '../../api/client';
import type { Schemas } from '../../api/types';
import { CsvField } from '../../components/csv-field';
import { FormError } from '../../components/form-error';
import { requireReadable } from '../../components/readable-file';
import { useAction } from '../../components/use-action';
import { useUnsavedGuard } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';

type Result = Schemas['SuppressionImportResponse'];

/** Stays open from the request until the user has seen the result, which is shown only here. */
export default function ImportSuppressions({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const upload = useAction({
    run: async (content: File) => {
      await requireReadable(content, 'suppressions.import.unreadable');
      const response = await fetchApi('/api/suppressions/import', {
        method: 'POST',
        headers: { 'Content-Type': 'text/csv' },
        body: content,
      });
      return (await response.json()) as Result;
    },
    invalidates: [['suppressions'], ['contacts'], ['contact']],
    isErrorShownInForm: true,
  });
  useUnsavedGuard(upload.isPending, 'suppressions.import.uploading');
  const close = () => {
    if (!upload.isPending) onClose();
  };
  return (
    <Modal opened onClose={close} title={t('suppressions.import.title')} size="lg" closeOnClickOutside={false}>
      <Stack>
        <FormError error={upload.error} />
        {upload.data ? (
          <ImportResult result={upload.data} />
        ) : (
          <CsvField
            label={t('suppressions.import.csvFile')}
            description={t('suppressions.import.csvFileDescription')}
            placeholder={t('suppressions.import.chooseFile')}
            accept=".csv,text/csv"
            value={file}
            onChange={(chosen) => {
              setFile(chosen);
              upload.reset();
            }}
            disabled={upload.isPending}
            clearButtonProps={{ 'aria-label': t('suppressions.import.removeFile') }}
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={upload.isPending}>
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
    {failed > errors.length && (
      <Text size="sm" c="dimmed">
        {t('suppressions.import.firstFailures', { count: errors.length })}
      </Text>
    )}
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
