import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { Link } from 'react-router';

import { useNewestKey } from '../../app/newest-key';
import { withTexts } from '../../app/lazy-with-texts';
import { useIsAdmin } from '../../app/use-is-admin';
import { lazyDialog } from '../../components/lazy-dialog';
import { Panel } from '../../components/panel';
import { SendExamples } from '../../components/send-examples';
import { TestProvider } from '../../components/test-provider';
import { t, type TextId } from '../../texts/text';
import { firstRunSteps, type Step, type StepName } from './first-run-steps';
import { useSetUp } from './use-set-up';

const CreateKey = lazyDialog(withTexts('api-keys', () => import('../api-keys/create-key')));

const SECRET_PLACEHOLDER = 'YOUR_API_KEY';

/** Guides a new account to its first delivered email. */
export default function FirstRun({ onHide }: { onHide?: () => void }) {
  const steps = firstRunSteps(useSetUp());
  const next = steps.find(({ isDone }) => !isDone);
  const done = steps.filter(({ isDone }) => isDone).length;
  const [isCreating, { open, close }] = useDisclosure();
  return (
    <Stack gap="md" mb="md">
      <Panel
        title={t('overview.firstRun.title')}
        description={
          done === steps.length
            ? t('overview.firstRun.allDone')
            : t('overview.firstRun.progress', { done, total: steps.length })
        }
        actions={
          onHide && (
            <Button variant="default" size="xs" onClick={onHide}>
              {t('overview.firstRun.hide')}
            </Button>
          )
        }
      >
        <ol className="first-run">
          {steps.map((step) => (
            <StepItem key={step.name} step={step} isNext={step === next} onCreateKey={open} />
          ))}
        </ol>
      </Panel>
      <Examples />
      {isCreating && <CreateKey onClose={close} />}
    </Stack>
  );
}

interface StepProps {
  step: Step;
  /** Whether this is the first step that is not done. */
  isNext: boolean;
  onCreateKey: () => void;
}

function StepItem({ step, isNext, onCreateKey }: StepProps) {
  const { name, title, text, isDone } = step;
  const isAdmin = useIsAdmin();
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li data-done={isDone || undefined}>
      <Icon
        size={20}
        role="img"
        aria-label={t(isDone ? 'overview.step.done' : 'overview.step.toDo')}
        className="first-run-icon"
      />
      <div>
        <Text fw={500}>{title}</Text>
        <Text size="sm" c="dimmed" className="break">
          {text}
        </Text>
        {isDone && isAdmin && name === 'provider' && (
          <Group mt={6}>
            <TestProvider size="compact-xs" />
          </Group>
        )}
      </div>
      <StepAction step={step} isNext={isNext} onCreateKey={onCreateKey} />
    </li>
  );
}

/** The page on which each step is done. Members can follow the links, too, and see there who can help. */
const PLACES: Readonly<Record<StepName, { to: string; toDo: TextId; done: TextId }>> = {
  provider: { to: '/settings', toDo: 'overview.step.provider.open', done: 'common.section.settings' },
  sender: { to: '/domains', toDo: 'overview.step.sender.open', done: 'common.section.domains' },
  key: { to: '/api-keys', toDo: 'overview.step.key.open', done: 'common.section.api-keys' },
  message: { to: '/messages', toDo: 'common.section.messages', done: 'common.section.messages' },
  webhook: { to: '/webhooks', toDo: 'overview.step.webhook.open', done: 'common.section.webhooks' },
};

function StepAction({ step: { name, isDone }, isNext, onCreateKey }: StepProps) {
  const isAdmin = useIsAdmin();
  const { to, toDo, done } = PLACES[name];
  const variant = isNext && isAdmin && name !== 'message' ? 'filled' : 'default';
  if (name === 'key' && !isDone && isAdmin)
    return (
      <Button size="xs" variant={variant} onClick={onCreateKey}>
        {t(toDo)}
      </Button>
    );
  return (
    <Button component={Link} to={to} size="xs" variant={variant}>
      {t(isDone || !isAdmin ? done : toDo)}
    </Button>
  );
}

function Examples() {
  const key = useNewestKey();
  return (
    <Panel
      title={t('overview.examples.title')}
      description={
        key
          ? t('overview.examples.withKey', { name: key.name })
          : t('overview.examples.withoutKey', { placeholder: SECRET_PLACEHOLDER })
      }
    >
      <SendExamples secret={key?.secret ?? SECRET_PLACEHOLDER} smtp={key?.smtp ?? null} />
    </Panel>
  );
}
