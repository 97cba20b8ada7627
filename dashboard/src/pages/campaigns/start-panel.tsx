import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Play, SendHorizontal } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';

import { unwrap, api } from '../../api/client';
import { useIsAdmin } from '../../app/use-is-admin';
import { confirmAction } from '../../components/confirm-action';
import { recipients } from './audience-count';
import type { Campaign } from './campaign-status';
import { Checklist } from './checklist';
import { useCampaignAction } from './use-campaign-action';
import { type Checked, useChecks } from './use-checks';

/** Loaded on demand because it is rarely used. */
const TestCampaign = lazy(() => import('./test-campaign'));

const SAVE_FIRST = 'Save first: the saved campaign is sent';

interface Props extends Checked {
  campaign: Campaign | null;
  isDirty: boolean;
  onRefused: (error: Error) => void;
}

/** The checklist, and the buttons that send something. */
export function StartPanel({ campaign, isDirty, onRefused, ...checked }: Props) {
  const { values } = checked;
  const isAdmin = useIsAdmin();
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
    successMessage: ({ status }) =>
      status === 'scheduled' ? 'The campaign is scheduled.' : 'The campaign has started.',
    isErrorShownInForm: true,
  });
  const { reset: forgetRefusal } = start;
  useEffect(() => forgetRefusal(), [values, forgetRefusal]);
  const isTimed = values.timing === 'scheduled';
  const { count } = checked.audience;
  const confirmStart = () =>
    confirmAction({
      title: isTimed ? `Schedule “${campaign?.name}”?` : `Start “${campaign?.name}”?`,
      children: `${count ? recipients(count.active) : 'All recipients'} will get it${isTimed ? ' at the set time' : ' now'}. You can pause or cancel it at any moment.`,
      confirm: isTimed ? 'Schedule campaign' : 'Start campaign',
      isDangerous: false,
      onConfirm: start.mutate,
    });
  return (
    <Checklist checks={useChecks(checked)} refusal={start.error}>
      {isAdmin && campaign && (
        <Group gap="xs">
          {campaign.status === 'draft' && (
            <Button
              leftSection={<Play size={16} />}
              disabled={isDirty}
              title={isDirty ? SAVE_FIRST : undefined}
              loading={start.isPending}
              onClick={confirmStart}
            >
              {isTimed ? 'Schedule' : 'Start'}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<SendHorizontal size={16} />}
            disabled={isDirty}
            title={isDirty ? SAVE_FIRST : undefined}
            onClick={open}
          >
            Send a test
          </Button>
          {isTesting && (
            <Suspense>
              <TestCampaign id={campaign.id} onClose={close} />
            </Suspense>
          )}
        </Group>
      )}
    </Checklist>
  );
}
