import { Box, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { unwrap, api } from '../../api/client';
import { t } from '../../texts/text';
import type { Contact } from '../contacts/contact-status';
import { fullName } from '../contacts/full-name';

const TYPING_PAUSE_MS = 300;
const LIMIT = 20;

interface Props {
  value: Contact | null;
  onChange: (contact: Contact | null) => void;
  /** Offers only the contacts of this list. */
  listId: string | undefined;
}

/** Chooses the contact that a preview is rendered for. */
export function ContactChoice({ value, onChange, listId }: Props) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const isChosen = value !== null && search === value.email;
  const query = { search: isChosen ? undefined : search || undefined, listId, limit: LIMIT };
  const { data, isPending, isPlaceholderData } = useQuery({
    queryKey: ['contacts', 'choice', query],
    queryFn: ({ signal }) => unwrap(api.GET('/api/contacts', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
  /** Until the answer arrives, only matches among the known contacts are offered, so that none of them moves then. */
  const isAnswered = !isPending && !isPlaceholderData && search === text.trim();
  const found = data?.items ?? [];
  const contacts = value === null || found.some(({ id }) => id === value.id) ? found : [value, ...found];
  return (
    <Box px="md" pt="sm">
      <Select
        label={t('campaigns.contact')}
        placeholder={t('campaigns.contact.nobody')}
        data={contacts.map(({ id, email }) => ({ value: id, label: email }))}
        renderOption={({ option }) => <Option contact={contacts.find(({ id }) => id === option.value)} />}
        filter={isAnswered ? ({ options }) => options : undefined}
        value={value?.id ?? null}
        onChange={(id) => onChange(contacts.find((contact) => contact.id === id) ?? null)}
        searchable
        onSearchChange={setText}
        clearable
        clearButtonProps={{ 'aria-label': t('campaigns.contact.clear') }}
        nothingFoundMessage={t(isAnswered ? 'campaigns.contact.noneFound' : 'common.loading')}
      />
    </Box>
  );
}

function Option({ contact }: { contact: Contact | undefined }) {
  if (!contact) return null;
  const name = fullName(contact);
  return (
    <span className="break">
      {contact.email}
      {name !== '' && <span className="dimmed"> {name}</span>}
    </span>
  );
}
