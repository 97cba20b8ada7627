import { Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';

import { RowAction } from '../../components/row-actions';
import { t } from '../../texts/text';
import { type AttributeRow, isKey, MAX_ATTRIBUTES } from './attributes';

interface Props {
  value: readonly AttributeRow[];
  onChange: (rows: AttributeRow[]) => void;
  isReadOnly: boolean;
}

/** Edits the account's own fields of a contact, as rows of name and value. */
export function AttributesField({ value: rows, onChange, isReadOnly }: Props) {
  const change = (index: number, changed: Partial<AttributeRow>) =>
    onChange(rows.map((row, i) => (i === index ? { ...row, ...changed } : row)));
  return (
    <Input.Wrapper label={t('contacts.attributes')} description={t('contacts.attributes.description')}>
      <Stack gap="xs" mt={6}>
        {rows.map(({ key, text }, i) => (
          <Group key={i} gap="xs" wrap="nowrap" align="flex-start">
            <TextInput
              flex={1}
              aria-label={t('contacts.attributes.name', { number: i + 1 })}
              placeholder={t('contacts.attributes.namePlaceholder')}
              spellCheck={false}
              value={key}
              error={key !== '' && !isKey(key) && t('contacts.attributes.invalidName')}
              onChange={({ currentTarget }) => change(i, { key: currentTarget.value })}
            />
            <TextInput
              flex={2}
              aria-label={t('contacts.attributes.value', { number: i + 1 })}
              value={text}
              onChange={({ currentTarget }) => change(i, { text: currentTarget.value })}
            />
            {!isReadOnly && (
              <RowAction
                label={t('contacts.attributes.remove', { number: i + 1 })}
                icon={Trash2}
                onClick={() => onChange(rows.filter((_, other) => other !== i))}
              />
            )}
          </Group>
        ))}
        {!isReadOnly && rows.length < MAX_ATTRIBUTES && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<Plus size={14} />}
              onClick={() => onChange([...rows, { key: '', text: '' }])}
            >
              {t('contacts.attributes.add')}
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
