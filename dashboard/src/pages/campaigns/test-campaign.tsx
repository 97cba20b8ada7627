import { Anchor, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useSession } from '../../app/session';
import { FormModal } from '../../components/form-modal';
import { useAction } from '../../components/use-action';

const MAX_ADDRESSES = 5;

/** Sends the saved content to a few addresses. */
export default function TestCampaign({ id, onClose }: { id: string; onClose: () => void }) {
  const session = useSession();
  const form = useForm({
    initialValues: { to: session ? [session.user.email] : [] },
    validate: { to: (to) => to.length === 0 && 'Enter an address.' },
  });
  const send = useAction({
    run: (body: Schemas['TestCampaignDto']) =>
      unwrap(api.POST('/api/campaigns/{id}/test', { params: { path: { id } }, body })),
    invalidates: [['messages'], ['usage']],
    isErrorShownInForm: true,
    onSuccess: ({ results }) => {
      onClose();
      notifications.show({ color: 'teal', message: <Sent results={results} /> });
    },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Send a test"
      submit="Send"
      action={send}
      onSubmit={form.onSubmit((values) => send.mutate(values))}
    >
      <TagsInput
        label="To"
        description="Up to five addresses. A test counts towards the daily limit. Placeholders show the contact with the address, if there is one."
        placeholder={form.values.to.length === 0 ? 'Press Enter after each address' : undefined}
        maxTags={MAX_ADDRESSES}
        acceptValueOnBlur
        data-autofocus
        {...form.getInputProps('to')}
      />
    </FormModal>
  );
}

const Sent = ({ results }: { results: Schemas['CampaignTestResponse']['results'] }) => (
  <>
    {results.length === 1 ? 'The test has been queued.' : `${results.length} tests have been queued.`}{' '}
    {results.length === 1 && (
      <Anchor component={Link} to={`/messages/${results[0]?.messageLogId}`} size="sm">
        View message
      </Anchor>
    )}
  </>
);
