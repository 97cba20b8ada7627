import { Button, FileInput, Group, Select, Stack } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useState } from 'react';

import { FormError } from '../../../components/form-error';
import { Panel } from '../../../components/panel';
import { t } from '../../../texts/text';
import { useLists } from '../../lists/use-lists';
import { guessMapping, type Mapping } from './mapping';
import { MappingTable } from './mapping-table';
import { readSample, type Sample } from './read-sample';
import type { ImportRequest } from './use-start-import';

interface Props {
  /** The previous choice, after a check. */
  initial: ImportRequest | undefined;
  isBusy: boolean;
  error: Error | null;
  onStart: (request: ImportRequest, dryRun: boolean) => void;
}

export function ImportForm({ initial, isBusy, error, onStart }: Props) {
  const { options } = useLists();
  const [file, setFile] = useState<File | null>(initial?.file ?? null);
  const [sample, setSample] = useState<Sample | null | undefined>(initial?.sample);
  const [mapping, setMapping] = useState<Mapping>(initial?.mapping ?? {});
  const [listId, setListId] = useState<string | null>(initial?.listId ?? null);
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setSample(undefined);
    if (chosen === null) return;
    void readSample(chosen).then((read) => {
      setSample(read);
      setMapping(guessMapping(read?.header ?? []));
    });
  };
  const start = (dryRun: boolean) => {
    if (file && sample) onStart({ file, sample, mapping, listId }, dryRun);
  };
  const isReady = file !== null && mapping.email !== undefined;
  return (
    <Stack gap="md" maw={880}>
      <FormError error={error} />
      <Panel title={t('contacts.import.file')}>
        <FileInput
          label={t('common.file.csv')}
          description={t('contacts.import.csvFileDescription')}
          placeholder={t('common.file.choose')}
          accept=".csv,.tsv,.txt,text/csv"
          leftSection={<FileUp size={16} aria-hidden />}
          value={file}
          onChange={choose}
          error={sample === null && t('contacts.import.noHeader')}
          clearable
          clearButtonProps={{ 'aria-label': t('common.file.remove') }}
        />
      </Panel>
      {sample && (
        <>
          <Panel isFlush title={t('contacts.import.columns')} description={t('contacts.import.columnsDescription')}>
            <MappingTable sample={sample} mapping={mapping} onChange={setMapping} />
          </Panel>
          <Panel title={t('contacts.filter.list')}>
            <Select
              label={t('contacts.import.list')}
              placeholder={t('contacts.import.noList')}
              data={options}
              value={listId}
              onChange={setListId}
              searchable
              clearable
              maw={360}
              clearButtonProps={{ 'aria-label': t('contacts.import.clearList') }}
            />
          </Panel>
          <Group justify="flex-end">
            <Button variant="default" disabled={!isReady} loading={isBusy} onClick={() => start(true)}>
              {t('contacts.import.check')}
            </Button>
            <Button disabled={!isReady} loading={isBusy} onClick={() => start(false)}>
              {t('contacts.import')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}
