import { TextInput } from '@mantine/core';
import { Tag } from 'lucide-react';

import { t } from '../texts/text';
import type { Filters } from './use-filters';

interface Props {
  filters: Filters;
  maxLength: number;
  className?: string;
}

/** Edits the filter `tag`. Render it with the applied tag as its key, so that it shows changes made elsewhere. */
function TagField({ filters, ...input }: Props) {
  const applied = filters.get('tag');
  const apply = (tag: string) => {
    if (tag.trim() !== applied) filters.change({ tag: tag.trim() });
  };
  return (
    <TextInput
      aria-label={t('common.field.tag')}
      placeholder={t('common.filter.anyTag')}
      leftSection={<Tag size={15} aria-hidden />}
      defaultValue={applied}
      onBlur={({ currentTarget: { value } }) => apply(value)}
      onKeyDown={({ key, currentTarget: { value } }) => {
        if (key === 'Enter') apply(value);
      }}
      {...input}
    />
  );
}

/** Tags match exactly, so the filter is applied on Enter or blur, not while typing. */
export const TagFilter = (props: Props) => <TagField key={props.filters.get('tag')} {...props} />;
