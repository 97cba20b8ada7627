import { Anchor, Autocomplete, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import { useSession } from '../../app/session';
import { FormModal } from '../../components/form-modal';
import { isVerified } from '../../components/is-verified';
import { useAction } from '../../components/use-action';
import { useSenderIdentities } from '../../components/use-sender-identities';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';
import { lastTestRecipient, rememberTestRecipient } from './last-recipient';

interface Props {
  templateId: string;
  variables: Record<string, unknown>;
  onClose: () => void;
}

export function SendTest({ templateId, variables, onClose }: Props) {
  const session = useSession();
  const senders = useSenderIdentities();
  const verified = senders.data?.items.filter(isVerified).map(({ email }) => email) ?? [];
  const form = useForm({
    initialValues: { to: session ? (lastTestRecipient(session.user.id) ?? session.user.email) : '', fromEmail: '' },
  });
  const send = useAction({
    run: (values: typeof form.values) =>
      unwrap(
        api.POST('/api/templates/{id}/test', {
          params: { path: { id: templateId } },
          body: { to: values.to, fromEmail: values.fromEmail, variables },
        }),
      ),
    invalidates: [['messages'], ['usage']],
    isErrorShownInForm: true,
    report: ({ messageLogId }, { to }) => {
      if (session) rememberTestRecipient(session.user.id, to);
      notifications.show({ color: 'teal', message: <Sent id={messageLogId} /> });
    },
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
      <TextInput label={t('common.column.to')} type="email" required data-autofocus {...form.getInputProps('to')} />
      <Autocomplete
        label={t('common.column.from')}
        description={t('common.field.sender.description')}
        type="email"
        required
        data={verified}
        {...form.getInputProps('fromEmail')}
      />
    </FormModal>
  );
}

const Sent = ({ id }: { id: string }) => (
  <RichText id="common.sendTest.queued" tags={{ link: <Anchor component={Link} to={`/messages/${id}`} size="sm" /> }} />
);
