import { Button, Group, Select, Stack } from '@mantine/core';
import { useRef, useState } from 'react';

import { CsvField } from '../../../components/csv-field';
import { FormError } from '../../../components/form-error';
import { Panel } from '../../../components/panel';
import { t, type TextId } from '../../../texts/text';
import { useLists } from '../../lists/use-lists';
import { AttributeColumns } from './attribute-columns';
import { attributeColumns, attributesOf, guessMapping, type Mapping } from './mapping';
import { MappingTable } from './mapping-table';
import { useAttributeKeys } from './use-attribute-keys';
import { readSample, type Sample } from './read-sample';
import type { ImportRequest } from './use-start-import';

interface Props {
  /** The previous choice, after a check. */
  initial: ImportRequest | undefined;
  isBusy: boolean;
  error: Error | null;
  /** Called when another file is chosen: the error belongs to the previous file. */
  onChoose: () => void;
  onStart: (request: ImportRequest, dryRun: boolean) => void;
}

export function ImportForm({ initial, isBusy, error, onChoose, onStart }: Props) {
  const { optionsWith } = useLists();
  const [file, setFile] = useState<File | null>(initial?.file ?? null);
  const [sample, setSample] = useState<Sample | undefined>(initial?.sample);
  const [fault, setFault] = useState<TextId | null>(null);
  const [mapping, setMapping] = useState<Mapping>(initial?.mapping ?? {});
  const [columns, setColumns] = useState<string[]>([...(initial?.attributes.values() ?? [])]);
  const attributes = attributesOf(columns, useAttributeKeys());
  const [listId, setListId] = useState<string | null>(initial?.listId ?? null);
  const latest = useRef(file);
  const choose = async (chosen: File | null) => {
    latest.current = chosen;
    setFile(chosen);
    setSample(undefined);
    setFault(null);
    onChoose();
    if (chosen === null) return;
    const read = await readSample(chosen).catch(() => 'contacts.import.unreadable' as const);
    if (latest.current !== chosen) return;
    if (read === null || typeof read === 'string') setFault(read ?? 'contacts.import.noHeader');
    else {
      setSample(read);
      setMapping(guessMapping(read.header));
      setColumns(attributeColumns(read.header));
    }
  };
  const start = (dryRun: boolean) => {
    if (file && sample) onStart({ file, sample, mapping, attributes, listId }, dryRun);
  };
  const isReady = file !== null && mapping.email !== undefined;
  return (
    <Stack gap="md" maw={880}>
      <FormError error={error} />
      <Panel title={t('contacts.import.file')}>
        <CsvField
          label={t('contacts.import.csvFile')}
          description={t('contacts.import.csvFileDescription')}
          placeholder={t('contacts.import.chooseFile')}
          accept=".csv,.tsv,.txt,text/csv"
          value={file}
          onChange={(chosen) => void choose(chosen)}
          error={fault && t(fault)}
          disabled={isBusy}
          clearButtonProps={{ 'aria-label': t('contacts.import.removeFile') }}
        />
      </Panel>
      {sample && (
        <>
          <Panel isFlush title={t('contacts.import.columns')} description={t('contacts.import.columnsDescription')}>
            <MappingTable sample={sample} mapping={mapping} onChange={setMapping} />
          </Panel>
          <Panel title={t('contacts.attributes')} description={t('contacts.attributes.description')}>
            <AttributeColumns
              header={sample.header}
              mapping={mapping}
              value={columns}
              attributes={attributes}
              onChange={setColumns}
            />
          </Panel>
          <Panel title={t('contacts.filter.list')}>
            <Select
              label={t('contacts.import.list')}
              placeholder={t('contacts.import.noList')}
              data={optionsWith(listId === null ? [] : [listId], t('common.deletedList'))}
              value={listId}
              onChange={setListId}
              searchable
              clearable
              maw={360}
              clearButtonProps={{ 'aria-label': t('contacts.import.clearList') }}
            />
          </Panel>
          <StartButtons isReady={isReady} isBusy={isBusy} onStart={start} />
        </>
      )}
    </Stack>
  );
}

interface StartProps extends Pick<Props, 'isBusy'> {
  isReady: boolean;
  onStart: (dryRun: boolean) => void;
}

const StartButtons = ({ isReady, isBusy, onStart }: StartProps) => (
  <Group justify="flex-end">
    <Button variant="default" disabled={!isReady} loading={isBusy} onClick={() => onStart(true)}>
      {t('contacts.import.check')}
    </Button>
    <Button disabled={!isReady} loading={isBusy} onClick={() => onStart(false)}>
      {t('contacts.import')}
    </Button>
  </Group>
);
