import { Anchor, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useSession } from '../../app/session';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';

const MAX_ADDRESSES = 5;

/** Sends the saved content to a few addresses. */
export default function TestCampaign({ id, onClose }: { id: string; onClose: () => void }) {
  const session = useSession();
  const form = useForm({
    initialValues: { to: session ? [session.user.email] : [] },
    validate: { to: (to) => to.length === 0 && t('campaigns.invalid.testAddress') },
  });
  const send = useAction({
    run: (body: Schemas['TestCampaignDto']) =>
      unwrap(api.POST('/api/campaigns/{id}/test', { params: { path: { id } }, body })),
    invalidates: [['messages'], ['usage']],
    isErrorShownInForm: true,
    report: ({ results }) => notifications.show({ color: 'teal', message: <Sent results={results} /> }),
    onSuccess: onClose,
  });
  return (
    <FormModal
      onClose={onClose}
      title={t('common.sendTest')}
      submit={t('common.sendTest.send')}
      action={send}
      onSubmit={form.onSubmit((values) => send.mutate(values))}
    >
      <TagsInput
        label={t('common.column.to')}
        description={t('campaigns.test.to.description')}
        placeholder={form.values.to.length === 0 ? t('campaigns.test.placeholder') : undefined}
        maxTags={MAX_ADDRESSES}
        acceptValueOnBlur
        data-autofocus
        {...form.getInputProps('to')}
      />
    </FormModal>
  );
}

const Sent = ({ results }: { results: Schemas['CampaignTestResponse']['results'] }) =>
  results.length === 1 ? (
    <RichText
      id="common.sendTest.queued"
      tags={{ link: <Anchor component={Link} to={`/messages/${results[0]?.messageLogId}`} size="sm" /> }}
    />
  ) : (
    t('campaigns.test.queued', { count: results.length })
  );
