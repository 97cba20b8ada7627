import { Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

import { FormError } from '../../components/form-error';
import { Panel } from '../../components/panel';
import type { TemplateValues } from './template-values';

interface Props {
  form: UseFormReturnType<TemplateValues>;
  isAdmin: boolean;
  error: Error | null;
}

export function TemplateFields({ form, isAdmin, error }: Props) {
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
        <Textarea
          label="HTML"
          description="{{name}} inserts an escaped value, {{#list}}…{{/list}} repeats its content, {{unsubscribeUrl}} links to the unsubscribe page."
          autosize
          minRows={12}
          maxRows={28}
          readOnly={!isAdmin}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('html')}
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
