import { Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

import { FormError } from '../../components/form-error';
import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import { HtmlField, type HtmlInputProps } from './html-field';
import type { TemplateValues } from './template-values';

interface Props {
  form: UseFormReturnType<TemplateValues>;
  isAdmin: boolean;
  error: Error | null;
  /** The names that the HTML editor offers. */
  variables: readonly string[];
}

export function TemplateFields({ form, isAdmin, error, variables }: Props) {
  return (
    <Panel title={t('templates.fields.title')}>
      <Stack>
        <FormError error={error} />
        <TextInput
          label={t('common.field.name')}
          required
          withAsterisk={false}
          maxLength={100}
          readOnly={!isAdmin}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('common.column.subject')}
          required
          withAsterisk={false}
          readOnly={!isAdmin}
          {...form.getInputProps('subject')}
        />
        <HtmlField
          label={t('common.field.html')}
          description={t('templates.fields.html.description')}
          isReadOnly={!isAdmin}
          variables={variables}
          {...(form.getInputProps('html') as HtmlInputProps)}
        />
        <Textarea
          label={t('common.field.plainText')}
          description={t('templates.fields.text.description')}
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
