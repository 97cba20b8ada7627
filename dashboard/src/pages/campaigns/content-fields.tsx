import { Button, JsonInput, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';

import { useIsAdmin } from '../../app/use-is-admin';
import { Panel } from '../../components/panel';
import { Warning } from '../../components/warning';
import { t } from '../../texts/text';
import { HtmlField, type HtmlInputProps } from '../templates/html-field';
import { offeredNames } from '../templates/placeholder-names';
import type { CampaignForm } from './campaign-values';
import type { Templates } from './use-templates';

interface Props {
  form: CampaignForm;
  templates: Templates;
  variables: Record<string, unknown>;
}

/** Subject and bodies: the campaign's own, or those of a template. */
export function ContentFields({ form, templates, variables }: Props) {
  const { source } = form.values;
  const choose = (chosen: string) => {
    form.setFieldValue('source', chosen as typeof source);
    form.setFieldValue('replacesBodies', false);
  };
  return (
    <Panel title={t('campaigns.content.title')} description={t('campaigns.content.description')}>
      <Stack>
        <SegmentedControl
          aria-label={t('campaigns.content.source')}
          data={[
            { value: 'own', label: t('campaigns.content.own') },
            { value: 'template', label: t('campaigns.content.useTemplate') },
          ]}
          value={source}
          onChange={choose}
        />
        {source === 'own' ? (
          <OwnContent form={form} variables={variables} />
        ) : (
          <TemplateContent form={form} templates={templates} />
        )}
        <JsonInput
          label={t('campaigns.content.variables')}
          description={t('campaigns.content.variables.description')}
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
          classNames={{ input: 'mono' }}
          {...form.getInputProps('variables')}
        />
      </Stack>
    </Panel>
  );
}

/** The placeholders with values for every recipient, as far as they are known. */
const RECIPIENT = ['email', 'firstName', 'lastName', 'company'];

function OwnContent({ form, variables }: Pick<Props, 'form' | 'variables'>) {
  const isAdmin = useIsAdmin();
  return (
    <>
      <TextInput
        label={t('common.column.subject')}
        required
        withAsterisk={false}
        maxLength={998}
        {...form.getInputProps('subject')}
      />
      <HtmlField
        label={t('common.field.html')}
        description={t('campaigns.content.html.description')}
        isReadOnly={!isAdmin}
        variables={offeredNames(form.values, [...RECIPIENT, ...Object.keys(variables)])}
        {...(form.getInputProps('html') as HtmlInputProps)}
      />
      <Textarea
        label={t('common.field.plainText')}
        description={t('campaigns.content.text.description')}
        autosize
        minRows={4}
        maxRows={20}
        classNames={{ input: 'mono' }}
        {...form.getInputProps('text')}
      />
    </>
  );
}

const TemplateContent = ({ form, templates }: Pick<Props, 'form' | 'templates'>) => (
  <>
    <Select
      label={t('campaigns.content.template')}
      description={t('campaigns.content.template.description')}
      placeholder={t('campaigns.content.template.placeholder')}
      data={templates.optionsOf(form.values.templateId)}
      searchable
      nothingFoundMessage={t('campaigns.content.template.noneFound')}
      {...form.getInputProps('templateId')}
    />
    <TextInput
      label={t('common.column.subject')}
      description={t('campaigns.content.subject.fromTemplate')}
      placeholder={templates.chosen?.subject}
      maxLength={998}
      {...form.getInputProps('subject')}
    />
    {form.values.replacesBodies && (
      <Warning title={t('campaigns.content.replacesBodies.title')}>
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{t('campaigns.content.replacesBodies.text')}</Text>
          <Button size="xs" variant="default" onClick={() => form.setFieldValue('replacesBodies', false)}>
            {t('campaigns.content.replacesBodies.undo')}
          </Button>
        </Stack>
      </Warning>
    )}
  </>
);
