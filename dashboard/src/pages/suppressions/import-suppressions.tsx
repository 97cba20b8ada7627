import { FileInput, Modal, Stack, Table, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';

import { fetchApi } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormError } from '../../components/form-error';
import { useAction } from '../../components/use-action';

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
    <Modal opened onClose={onClose} title="Import suppressions" size="lg">
      <Stack>
        <FormError error={upload.error} />
        {upload.data ? (
          <ImportResult result={upload.data} />
        ) : (
          <FileInput
            label="CSV file"
            description="Addresses are read from the column address, email or phone, or else the first column. The columns reason and note are optional. At most 10 MB."
            placeholder="Choose a file"
            accept=".csv,text/csv"
            leftSection={<FileUp size={16} aria-hidden />}
            value={file}
            onChange={setFile}
            clearable
            clearButtonProps={{ 'aria-label': 'Remove file' }}
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {upload.data ? 'Close' : 'Cancel'}
          </Button>
          {!upload.data && (
            <Button disabled={!file} loading={upload.isPending} onClick={() => file && upload.mutate(file)}>
              Import
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

const ImportResult = ({ result: { added, stood, failed, errors } }: { result: Result }) => (
  <>
    <Text role="status">
      {added.toLocaleString()} added, {stood.toLocaleString()} already suppressed, {failed.toLocaleString()} failed.
    </Text>
    {errors.length > 0 && (
      <Table.ScrollContainer minWidth={360} mah={280}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Line</Table.Th>
              <Table.Th>Address</Table.Th>
              <Table.Th>Reason</Table.Th>
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
