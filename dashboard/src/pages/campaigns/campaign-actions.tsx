import { Button } from '@mantine/core';
import { useNavigate } from 'react-router';

import { unwrap, api } from '../../api/client';
import { DangerButton } from '../../components/danger-button';
import { useAction } from '../../components/use-action';
import { UNGUARDED } from '../../components/use-unsaved-guard';
import { t } from '../../texts/text';
import { type Campaign, failedOf, isEditable } from './campaign-status';
import { type OnBusy, useBusyReport } from './use-busy-report';
import { useCampaignAction } from './use-campaign-action';

interface Props {
  campaign: Campaign;
  /** Whether the page has unsaved changes. */
  isDirty?: boolean;
  onBusy?: OnBusy;
}

/** The buttons at the top of a campaign, as far as its status allows them. */
export function CampaignActions({ campaign, isDirty = false, onBusy }: Props) {
  const { status } = campaign;
  const isUnderWay = status === 'running' || status === 'paused';
  return (
    <>
      {!isUnderWay && <DeleteButton campaign={campaign} onBusy={onBusy} />}
      {(isUnderWay || status === 'scheduled') && <CancelButton campaign={campaign} onBusy={onBusy} />}
      <CopyCampaign campaign={campaign} isDirty={isDirty} />
      {status === 'scheduled' && <UnscheduleButton campaign={campaign} isDirty={isDirty} onBusy={onBusy} />}
      {!isEditable(campaign) && status !== 'canceled' && failedOf(campaign) > 0 && <RetryButton campaign={campaign} />}
      {status === 'running' && <PauseButton campaign={campaign} />}
      {status === 'paused' && <ResumeButton campaign={campaign} />}
    </>
  );
}

const pathOf = ({ id }: Campaign) => ({ params: { path: { id } } });

function DeleteButton({ campaign, onBusy }: Props) {
  const navigate = useNavigate();
  const { name } = campaign;
  const remove = useAction({
    run: () => unwrap(api.DELETE('/api/campaigns/{id}', pathOf(campaign))),
    deletes: [['campaigns', campaign.id]],
    successMessage: t('common.deleted', { name }),
    invalidates: [['campaigns', 'list']],
    onSuccess: () => void navigate('/campaigns', UNGUARDED),
  });
  useBusyReport(remove.isPending, onBusy);
  return (
    <DangerButton
      label={t('common.action.delete')}
      title={t('common.delete.title', { name })}
      confirm={t('campaigns.delete.confirm')}
      isBusy={remove.isPending}
      onConfirm={remove.mutate}
    >
      {t('campaigns.delete.text')}
    </DangerButton>
  );
}

function CancelButton({ campaign, onBusy }: Props) {
  const { name } = campaign;
  const cancel = useCampaignAction({
    run: () => unwrap(api.POST('/api/campaigns/{id}/cancel', pathOf(campaign))),
    successMessage: t('campaigns.canceled', { name }),
  });
  useBusyReport(cancel.isPending, onBusy);
  return (
    <DangerButton
      label={t('campaigns.cancel')}
      title={t('campaigns.cancel.title', { name })}
      confirm={t('campaigns.cancel.confirm')}
      dismiss={t('campaigns.cancel.dismiss')}
      isBusy={cancel.isPending}
      onConfirm={cancel.mutate}
    >
      {t('campaigns.cancel.text')}
    </DangerButton>
  );
}

function CopyCampaign({ campaign, isDirty }: Props) {
  const navigate = useNavigate();
  const copy = useAction({
    run: () => unwrap(api.POST('/api/campaigns/{id}/copy', pathOf(campaign))),
    successMessage: t('campaigns.copied'),
    invalidates: [['campaigns', 'list']],
    onSuccess: ({ id }) => void navigate(`/campaigns/${id}`),
  });
  return (
    <Button
      variant="default"
      loading={copy.isPending}
      disabled={isDirty}
      title={isDirty ? t('campaigns.copy.saveFirst') : undefined}
      onClick={() => copy.mutate()}
    >
      {t('common.action.copy')}
    </Button>
  );
}

/** The editor shows the campaign again, as a draft without a time. */
function UnscheduleButton({ campaign, isDirty, onBusy }: Props) {
  const unschedule = useCampaignAction({
    run: () => unwrap(api.PATCH('/api/campaigns/{id}', { ...pathOf(campaign), body: { scheduledAt: null } })),
    successMessage: t('campaigns.unscheduled'),
  });
  useBusyReport(unschedule.isPending, onBusy);
  return (
    <Button
      variant="default"
      loading={unschedule.isPending}
      disabled={isDirty}
      title={isDirty ? t('campaigns.saveFirst') : undefined}
      onClick={() => unschedule.mutate()}
    >
      {t('campaigns.unschedule')}
    </Button>
  );
}

function RetryButton({ campaign }: Props) {
  const retry = useCampaignAction({
    run: () => unwrap(api.POST('/api/campaigns/{id}/retry-failed', pathOf(campaign))),
    successMessage: t('campaigns.retried'),
  });
  return (
    <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate()}>
      {t('campaigns.retry', { count: failedOf(campaign) })}
    </Button>
  );
}

function PauseButton({ campaign }: Props) {
  const pause = useCampaignAction({ run: () => unwrap(api.POST('/api/campaigns/{id}/pause', pathOf(campaign))) });
  return (
    <Button loading={pause.isPending} onClick={() => pause.mutate()}>
      {t('campaigns.pause')}
    </Button>
  );
}

function ResumeButton({ campaign }: Props) {
  const resume = useCampaignAction({ run: () => unwrap(api.POST('/api/campaigns/{id}/resume', pathOf(campaign))) });
  return (
    <Button loading={resume.isPending} onClick={() => resume.mutate()}>
      {t('campaigns.resume')}
    </Button>
  );
}
