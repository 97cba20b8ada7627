import { type InputWrapperProps, SimpleGrid, Stack, TextInput } from '@mantine/core';

import { FromAddress } from '../../components/from-address';
import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import type { CampaignForm } from './campaign-values';
import { TopicField } from './topic-field';

const ORDER: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];

/** The name of the campaign, and its sender. */
export const SenderFields = ({ form, addresses }: { form: CampaignForm; addresses: readonly string[] }) => (
  <Panel title={t('campaigns.sender.title')}>
    <Stack>
      <TextInput
        label={t('common.field.name')}
        description={t('campaigns.sender.name.description')}
        required
        withAsterisk={false}
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <FromAddress addresses={addresses} {...form.getInputProps('fromEmail')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('campaigns.sender.fromName')}
          description={t('campaigns.sender.fromName.description')}
          inputWrapperOrder={ORDER}
          maxLength={200}
          {...form.getInputProps('fromName')}
        />
        <TextInput
          label={t('campaigns.sender.replyTo')}
          description={t('campaigns.sender.replyTo.description')}
          inputWrapperOrder={ORDER}
          type="email"
          {...form.getInputProps('replyTo')}
        />
      </SimpleGrid>
      <TopicField form={form} />
    </Stack>
  </Panel>
);
