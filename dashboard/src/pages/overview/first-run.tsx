import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';

import { useNewestKey } from '../../app/newest-key';
import { useIsAdmin } from '../../app/use-is-admin';
import { Panel } from '../../components/panel';
import { SendExamples } from '../../components/send-examples';
import { TestProvider } from '../../components/test-provider';
import { firstRunSteps, type Step, type StepName } from './first-run-steps';
import { useSetUp } from './use-set-up';

const CreateKey = lazy(() => import('../api-keys/create-key'));

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
        title="Get started"
        description={done === steps.length ? 'All steps are done.' : `${done} of ${steps.length} steps are done.`}
        actions={
          onHide && (
            <Button variant="default" size="xs" onClick={onHide}>
              Hide checklist
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
      <Suspense>{isCreating && <CreateKey onClose={close} />}</Suspense>
    </Stack>
  );
}

interface StepProps {
  step: Step;
  /** Whether it is the first one to do. */
  isNext: boolean;
  onCreateKey: () => void;
}

function StepItem({ step, isNext, onCreateKey }: StepProps) {
  const { name, title, text, isDone } = step;
  const isAdmin = useIsAdmin();
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li data-done={isDone || undefined}>
      <Icon size={20} role="img" aria-label={isDone ? 'Done' : 'To do'} className="first-run-icon" />
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

/** Where a step is done. Members can follow the links, too, and see there who can help. */
const PLACES: Readonly<Record<StepName, { to: string; toDo: string; done: string }>> = {
  provider: { to: '/settings', toDo: 'Open settings', done: 'Settings' },
  sender: { to: '/domains', toDo: 'Add sender or domain', done: 'Domains and senders' },
  key: { to: '/api-keys', toDo: 'Create key', done: 'API keys' },
  message: { to: '/messages', toDo: 'Messages', done: 'Messages' },
  webhook: { to: '/webhooks', toDo: 'Add endpoint', done: 'Webhooks' },
};

function StepAction({ step: { name, isDone }, isNext, onCreateKey }: StepProps) {
  const isAdmin = useIsAdmin();
  const { to, toDo, done } = PLACES[name];
  const variant = isNext && isAdmin && name !== 'message' ? 'filled' : 'default';
  if (name === 'key' && !isDone && isAdmin)
    return (
      <Button size="xs" variant={variant} onClick={onCreateKey}>
        {toDo}
      </Button>
    );
  return (
    <Button component={Link} to={to} size="xs" variant={variant}>
      {isDone || !isAdmin ? done : toDo}
    </Button>
  );
}

function Examples() {
  const key = useNewestKey();
  return (
    <Panel
      title="Send an email"
      description={
        key
          ? `With the key “${key.name}”, which you have just created. It is shown until you reload this page.`
          : 'Put an API key in the place of YOUR_API_KEY, or create a new one to have it filled in.'
      }
    >
      <SendExamples secret={key?.secret ?? SECRET_PLACEHOLDER} smtp={key?.smtp ?? null} />
    </Panel>
  );
}
