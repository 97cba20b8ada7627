import { Select, Stack, TextInput } from '@mantine/core';

import { FromAddress } from '../../components/from-address';
import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import { useSenders } from '../campaigns/use-senders';
import { useTemplates } from '../campaigns/use-templates';
import type { FormOfForm } from './form-values';

const CONFIRM_URL = '{{confirmUrl}}';

/** Edits the confirmation mail with the link, and the mail after the link was used. */
export default function MailFields({ form }: { form: FormOfForm }) {
  const { addresses } = useSenders();
  const { optionsOf } = useTemplates(null);
  const { confirmationTemplateId, welcomeTemplateId } = form.getValues();
  return (
    <Panel title={t('forms.mails.title')} description={t('forms.mails.description')}>
      <Stack>
        <FromAddress addresses={addresses} {...form.getInputProps('fromEmail')} />
        <TextInput label={t('forms.fromName')} maxLength={200} {...form.getInputProps('fromName')} />
        <TextInput
          label={t('common.column.subject')}
          required
          withAsterisk={false}
          maxLength={998}
          {...form.getInputProps('subject')}
        />
        <Select
          label={t('forms.confirmation')}
          description={t('forms.confirmation.description', { placeholder: CONFIRM_URL })}
          placeholder={t('forms.confirmation.none')}
          data={optionsOf(confirmationTemplateId)}
          clearable
          searchable
          {...form.getInputProps('confirmationTemplateId')}
        />
        <Select
          label={t('forms.welcome')}
          description={t('forms.welcome.description')}
          placeholder={t('common.none')}
          data={optionsOf(welcomeTemplateId)}
          clearable
          searchable
          {...form.getInputProps('welcomeTemplateId')}
        />
      </Stack>
    </Panel>
  );
}
