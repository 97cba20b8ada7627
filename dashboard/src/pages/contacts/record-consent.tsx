import { SegmentedControl, Select, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';

import { api, unwrap } from '../../api/client';
import type { Schemas } from '../../api/types';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';
import { useTopics } from '../topics/use-topics';

type Fields = Pick<Schemas['RecordConsentDto'], 'action'> & {
  purpose: 'marketing' | 'tracking';
  /** Null for all topics. */
  topicId: string | null;
  wording: string;
  evidence: string;
};

const NEW: Fields = { action: 'granted', purpose: 'marketing', topicId: null, wording: '', evidence: '' };

/** Records a consent that was given elsewhere, such as on paper or on the phone. */
export default function RecordConsent({ email, onClose }: { email: string; onClose: () => void }) {
  const form = useForm<Fields>({ initialValues: NEW });
  const topics = useTopics().optionsWith([]);
  const record = useAction({
    run: ({ action, purpose, topicId, wording, evidence }: Fields) =>
      unwrap(
        api.POST('/api/consents', {
          body: {
            ...{ email, action, purpose, topicId: purpose === 'marketing' ? topicId : null },
            wording: wording.trim() || null,
            evidence: evidence.trim() || null,
          },
        }),
      ),
    successMessage: t('contacts.consent.recordedNow'),
    invalidates: [['consents', email], ['consents', 'topic'], ['consent-coverage']],
    isErrorShownInForm: true,
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('contacts.consent.record')}
      submit={t('contacts.consent.record')}
      action={record}
      onSubmit={form.onSubmit((values) => record.mutate(values))}
    >
      <SegmentedControl
        aria-label={t('contacts.column.what')}
        data={[
          { value: 'granted', label: t('contacts.consent.action.granted') },
          { value: 'withdrawn', label: t('contacts.consent.action.withdrawn') },
        ]}
        {...form.getInputProps('action')}
      />
      <Select
        label={t('contacts.column.purpose')}
        allowDeselect={false}
        data={[
          { value: 'marketing', label: t('contacts.consent.purpose.marketing') },
          { value: 'tracking', label: t('contacts.consent.purpose.tracking') },
        ]}
        {...form.getInputProps('purpose')}
      />
      {form.values.purpose === 'marketing' && topics.length > 0 && (
        <Select
          label={t('contacts.consent.topic')}
          data={topics}
          placeholder={t('contacts.consent.topic.all')}
          searchable
          clearable
          {...form.getInputProps('topicId')}
        />
      )}
      <Textarea
        label={t('contacts.consent.words')}
        description={t('contacts.consent.wordsDescription')}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('wording')}
      />
      <Textarea
        label={t('contacts.consent.evidence')}
        description={t('contacts.consent.evidenceDescription')}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps('evidence')}
      />
    </FormModal>
  );
}
