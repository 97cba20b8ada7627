import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { DangerButton } from '../../components/danger-button';
import { useAction } from '../../components/use-action';
import { type Campaign, failedOf, isEditable } from './campaign-status';
import { useCampaignAction } from './use-campaign-action';

interface Props {
  campaign: Campaign;
  /** Whether the page has unsaved changes. */
  isDirty?: boolean;
}

/** The buttons at the top of a campaign, as far as its status allows them. */
export function CampaignActions({ campaign, isDirty = false }: Props) {
  const { status } = campaign;
  const isUnderWay = status === 'running' || status === 'paused';
  return (
    <>
      {!isUnderWay && <DeleteButton campaign={campaign} />}
      {(isUnderWay || status === 'scheduled') && <CancelButton campaign={campaign} />}
      <CopyCampaign campaign={campaign} isDirty={isDirty} />
      {status === 'scheduled' && <UnscheduleButton campaign={campaign} isDirty={isDirty} />}
      {!isEditable(campaign) && status !== 'canceled' && failedOf(campaign) > 0 && <RetryButton campaign={campaign} />}
      {status === 'running' && <PauseButton campaign={campaign} />}
      {status === 'paused' && <ResumeButton campaign={campaign} />}
    </>
  );
}

const pathOf = ({ id }: Campaign) => ({ params: { path: { id } } });

function DeleteButton({ campaign }: Props) {
  const navigate = useNavigate();
  const { name } = campaign;
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/campaigns/{id}', pathOf(campaign))),
    successMessage: `“${name}” has been deleted.`,
    invalidates: [['campaigns', 'list']],
    onSuccess: () => void navigate('/campaigns'),
  });
  return (
    <DangerButton
      label="Delete"
      title={`Delete “${name}”?`}
      confirm="Delete campaign"
      isBusy={remove.isPending}
      onConfirm={remove.mutate}
    >
      The campaign, its recipients and its results are deleted. Messages that were accepted stay.
    </DangerButton>
  );
}

function CancelButton({ campaign }: Props) {
  const { name } = campaign;
  const cancel = useCampaignAction({
    run: () => unwrap(api.POST('/api/campaigns/{id}/cancel', pathOf(campaign))),
    successMessage: `“${name}” has been canceled.`,
  });
  return (
    <DangerButton
      label="Cancel campaign"
      title={`Cancel “${name}”?`}
      confirm="Cancel for good"
      isBusy={cancel.isPending}
      onConfirm={cancel.mutate}
    >
      Recipients who are still waiting get nothing. A canceled campaign cannot be resumed; you can copy it.
    </DangerButton>
  );
}

function CopyCampaign({ campaign, isDirty }: Props) {
  const navigate = useNavigate();
  const copy = useAction({
    run: () => unwrap(api.POST('/api/campaigns/{id}/copy', pathOf(campaign))),
    successMessage: 'The copy is a draft without a schedule.',
    invalidates: [['campaigns', 'list']],
    onSuccess: ({ id }) => void navigate(`/campaigns/${id}`),
  });
  return (
    <Button
      variant="default"
      loading={copy.isPending}
      disabled={isDirty}
      title={isDirty ? 'Save first: the saved campaign is copied' : undefined}
      onClick={() => copy.mutate()}
    >
      Copy
    </Button>
  );
}

/** The editor shows the campaign again, as a draft without a time. */
function UnscheduleButton({ campaign, isDirty }: Props) {
  const unschedule = useCampaignAction({
    run: () => unwrap(api.PATCH('/api/campaigns/{id}', { ...pathOf(campaign), body: { scheduledAt: null } })),
    successMessage: 'The campaign is a draft again.',
  });
  return (
    <Button
      variant="default"
      loading={unschedule.isPending}
      disabled={isDirty}
      title={isDirty ? 'Save first' : undefined}
      onClick={() => unschedule.mutate()}
    >
      Back to draft
    </Button>
  );
}

function RetryButton({ campaign }: Props) {
  const failed = failedOf(campaign);
  const retry = useCampaignAction({
    run: () => unwrap(api.POST('/api/campaigns/{id}/retry-failed', pathOf(campaign))),
    successMessage: 'Recipients whose message failed get another one.',
  });
  return (
    <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
      Retry {failed.toLocaleString()} failed
    </Button>
  );
}

function PauseButton({ campaign }: Props) {
  const pause = useCampaignAction({ run: () => unwrap(api.POST('/api/campaigns/{id}/pause', pathOf(campaign))) });
  return (
    <Button loading={pause.isPending} onClick={() => pause.mutate()}>
      Pause
    </Button>
  );
}

function ResumeButton({ campaign }: Props) {
  const resume = useCampaignAction({ run: () => unwrap(api.POST('/api/campaigns/{id}/resume', pathOf(campaign))) });
  return (
    <Button loading={resume.isPending} onClick={() => resume.mutate()}>
      Resume
    </Button>
  );
}
