import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';

import type { Filters } from './use-filters';

const TYPING_PAUSE_MS = 300;

/** Edits the filter `search` and applies it when typing pauses. */
export function SearchField({ filters, label }: { filters: Filters; label: string }) {
  const applied = filters.get('search');
  const [text, setText] = useState(applied);
  const [known, setKnown] = useState(applied);
  /** The last value that this field applied. When it arrives in the URL, the user may have typed on. */
  const [own, setOwn] = useState(applied);
  if (known !== applied) {
    setKnown(applied);
    if (applied !== own) {
      setOwn(applied);
      setText(applied);
    }
  }
  const apply = useDebouncedCallback((typed: string) => {
    const search = typed.trim();
    setOwn(search);
    filters.change({ search }, { replace: true });
  }, TYPING_PAUSE_MS);
  return (
    <TextInput
      type="search"
      className="search-field"
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={15} aria-hidden />}
      maxLength={200}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        apply(value);
      }}
    />
  );
}
