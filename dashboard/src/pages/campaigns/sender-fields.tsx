import { Autocomplete, type InputWrapperProps, SimpleGrid, Stack, TextInput } from '@mantine/core';

import { Panel } from '../../components/panel';
import type { CampaignForm } from './campaign-values';

const ORDER: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];

/** Name and sender. */
export const SenderFields = ({ form, addresses }: { form: CampaignForm; addresses: readonly string[] }) => (
  <Panel title="Campaign">
    <Stack>
      <TextInput
        label="Name"
        description="Recipients do not see it."
        required
        withAsterisk={false}
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <Autocomplete
        label="From"
        description="A verified sender address or an address at a verified domain."
        type="email"
        required
        withAsterisk={false}
        data={[...addresses]}
        {...form.getInputProps('fromEmail')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Sender name"
          description="Optional."
          inputWrapperOrder={ORDER}
          maxLength={200}
          {...form.getInputProps('fromName')}
        />
        <TextInput
          label="Reply to"
          description="Optional. Replies go to the sender otherwise."
          inputWrapperOrder={ORDER}
          type="email"
          {...form.getInputProps('replyTo')}
        />
      </SimpleGrid>
    </Stack>
  </Panel>
);
