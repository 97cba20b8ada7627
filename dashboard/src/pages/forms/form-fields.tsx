import { Checkbox, Group, MultiSelect, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';

import { Panel } from '../../components/panel';
import { t } from '../../texts/text';
import { useLists } from '../lists/use-lists';
import { useTopics } from '../topics/use-topics';
import { FIELDS, type FormOfForm } from './form-values';

const MAX_LISTS = 20;
const MAX_TOPICS = 20;
const MAX_ORIGINS = 20;

/** The fields of the sign-up page, and the lists and topics of new contacts. */
export const FormFields = ({ form }: { form: FormOfForm }) => (
  <Panel title={t('forms.page.title')}>
    <Stack>
      <TextInput
        label={t('common.field.name')}
        description={t('forms.name.description')}
        required
        withAsterisk={false}
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <Textarea
        label={t('forms.wording')}
        description={t('forms.wording.description')}
        required
        withAsterisk={false}
        autosize
        minRows={3}
        maxLength={2_000}
        {...form.getInputProps('wording')}
      />
      <Checkbox.Group label={t('forms.fields')} {...form.getInputProps('fields')}>
        <Group mt={8}>
          {FIELDS.map((field) => (
            <Checkbox key={field} value={field} label={t(`forms.field.${field}`)} />
          ))}
        </Group>
      </Checkbox.Group>
      <ListsField form={form} />
      <TopicsField form={form} />
      <TagsInput
        label={t('forms.origins')}
        description={t('forms.origins.description')}
        maxTags={MAX_ORIGINS}
        {...form.getInputProps('allowedOrigins')}
      />
      <TextInput
        label={t('forms.redirectUrl')}
        description={t('forms.redirectUrl.description')}
        type="url"
        maxLength={2_000}
        {...form.getInputProps('redirectUrl')}
      />
      <TextInput
        label={t('forms.confirmedUrl')}
        description={t('forms.confirmedUrl.description')}
        type="url"
        maxLength={2_000}
        {...form.getInputProps('confirmedUrl')}
      />
      <Switch
        label={t('forms.challenge')}
        description={t('forms.challenge.description')}
        {...form.getInputProps('hasChallenge', { type: 'checkbox' })}
      />
      <Switch
        label={t('forms.active')}
        description={t('forms.active.description')}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
    </Stack>
  </Panel>
);

function ListsField({ form }: { form: FormOfForm }) {
  const { optionsWith } = useLists();
  const { listIds } = form.values;
  return (
    <MultiSelect
      label={t('common.section.lists')}
      description={t('forms.lists.description')}
      data={optionsWith(listIds, t('common.deletedList'))}
      placeholder={listIds.length === 0 ? t('common.none') : undefined}
      maxValues={MAX_LISTS}
      searchable
      {...form.getInputProps('listIds')}
    />
  );
}

/** Hidden in accounts without topics. */
function TopicsField({ form }: { form: FormOfForm }) {
  const { topicIds } = form.values;
  const topics = useTopics().optionsWith(topicIds, t('common.deletedTopic'));
  if (topics.length === 0) return null;
  return (
    <MultiSelect
      label={t('common.section.topics')}
      description={t('forms.topics.description')}
      data={topics}
      placeholder={topicIds.length === 0 ? t('common.none') : undefined}
      maxValues={MAX_TOPICS}
      searchable
      {...form.getInputProps('topicIds')}
    />
  );
}
