import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Play, SendHorizontal } from 'lucide-react';
import { useEffect, useId } from 'react';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { confirmAction } from '../../components/confirm-action';
import { lazyDialog } from '../../components/lazy-dialog';
import { t } from '../../texts/text';
import { Checklist } from './checklist';
import { type OnBusy, useBusyReport } from './use-busy-report';
import { useCampaignAction } from './use-campaign-action';
import { type Checked, useChecks } from './use-checks';

/** Loaded on demand because it is rarely used. */
const TestCampaign = lazyDialog(() => import('./test-campaign'));

interface Props extends Checked {
  onRefused: (error: Error) => void;
  onBusy: OnBusy;
}

/** The checklist, with the buttons for a test and for the start. */
export function StartPanel({ onRefused, onBusy, ...checked }: Props) {
  const { campaign, isDirty, values } = checked;
  const checks = useChecks(checked);
  const isAdmin = useIsAdmin();
  const reasonId = useId();
  const [isTesting, { open, close }] = useDisclosure();
  const start = useCampaignAction({
    run: async () => {
      try {
        return await unwrap(api.POST('/api/campaigns/{id}/start', { params: { path: { id: campaign?.id ?? '' } } }));
      } catch (error) {
        onRefused(error as Error);
        throw error;
      }
    },
    successMessage: ({ status }) => t(status === 'scheduled' ? 'campaigns.start.scheduled' : 'campaigns.start.started'),
    isErrorShownInForm: true,
  });
  useBusyReport(start.isPending, onBusy);
  const { reset: forgetRefusal } = start;
  useEffect(() => forgetRefusal(), [values, forgetRefusal]);
  const { timing } = values;
  const isTimed = timing === 'scheduled';
  const { count } = checked.audience;
  const name = campaign?.name ?? '';
  const saveFirst = isDirty ? t('campaigns.saveFirst.sent') : undefined;
  const blocking = checks.find((check) => check?.blocks) ?? undefined;
  const reason = saveFirst ?? (blocking && t('campaigns.start.blocked', { reason: blocking.label }));
  const confirmStart = () =>
    confirmAction({
      title: t(isTimed ? 'campaigns.start.schedule.title' : 'campaigns.start.title', { name }),
      children: count
        ? t('campaigns.start.recipients', { count: count.active, timing })
        : t('campaigns.start.allRecipients', { timing }),
      confirm: t(isTimed ? 'campaigns.start.schedule.confirm' : 'campaigns.start.confirm'),
      isDangerous: false,
      onConfirm: start.mutate,
    });
  return (
    <Checklist checks={checks} refusal={start.error}>
      {isAdmin && campaign && (
        <Group gap="xs">
          {campaign.status === 'draft' && (
            <Button
              leftSection={<Play size={16} />}
              disabled={reason !== undefined}
              title={reason}
              aria-describedby={reason === undefined ? undefined : reasonId}
              loading={start.isPending}
              onClick={confirmStart}
            >
              {t(isTimed ? 'campaigns.start.schedule' : 'campaigns.start')}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<SendHorizontal size={16} />}
            disabled={isDirty}
            title={saveFirst}
            onClick={open}
          >
            {t('common.sendTest')}
          </Button>
          {campaign.status === 'draft' && reason !== undefined && (
            <Text id={reasonId} size="sm" c="dimmed">
              {reason}
            </Text>
          )}
          {isTesting && <TestCampaign id={campaign.id} onClose={close} />}
        </Group>
      )}
    </Checklist>
  );
}
