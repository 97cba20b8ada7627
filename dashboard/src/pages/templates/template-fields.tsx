import { Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';

import { FormError } from '../../components/form-error';
import { Panel } from '../../components/panel';
import { HtmlField } from './html-field';
import type { TemplateValues } from './template-values';

interface Props {
  form: UseFormReturnType<TemplateValues>;
  isAdmin: boolean;
  error: Error | null;
  /** Names to offer in the HTML. */
  variables: readonly string[];
}

interface FieldProps {
  value: string;
  onChange: (value: string) => void;
  error?: ReactNode;
}

export function TemplateFields({ form, isAdmin, error, variables }: Props) {
  const html = form.getInputProps('html') as FieldProps;
  return (
    <Panel title="Template">
      <Stack>
        <FormError error={error} />
        <TextInput
          label="Name"
          required
          withAsterisk={false}
          maxLength={100}
          readOnly={!isAdmin}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Subject"
          required
          withAsterisk={false}
          readOnly={!isAdmin}
          {...form.getInputProps('subject')}
        />
        <HtmlField
          label="HTML"
          description="{{name}} inserts an escaped value, {{#list}}…{{/list}} repeats its content, {{unsubscribeUrl}} links to the unsubscribe page."
          isReadOnly={!isAdmin}
          variables={variables}
          value={html.value}
          onChange={html.onChange}
          error={html.error}
        />
        <Textarea
          label="Plain text"
          description="Leave empty to generate it from the HTML."
          autosize
          minRows={4}
          maxRows={20}
          readOnly={!isAdmin}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('text')}
        />
      </Stack>
    </Panel>
  );
}
