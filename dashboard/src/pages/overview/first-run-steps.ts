import type { Message, Schemas } from '../../api/types';

/** What is known about the set-up of an account. Undefined while it is being loaded. */
export interface SetUp {
  settings: Schemas['SettingsResponse'] | undefined;
  senders: readonly Schemas['SenderResponse'][] | undefined;
  domains: readonly Schemas['DomainResponse'][] | undefined;
  activeKeys: number | undefined;
  newestMessage: Message | null | undefined;
  webhooks: number | undefined;
}

export type StepName = 'provider' | 'sender' | 'key' | 'message' | 'webhook';

export interface Step {
  name: StepName;
  title: string;
  isDone: boolean;
  /** What has been done, or what is missing. */
  text: string;
}

const PROVIDER_NAMES = { smtp: 'SMTP relay', ses: 'Amazon SES' } as const;

/** The steps to the first delivered email, in order. */
export const firstRunSteps = (setUp: SetUp): Step[] => [
  providerStep(setUp),
  senderStep(setUp),
  keyStep(setUp),
  messageStep(setUp),
  webhookStep(setUp),
];

function providerStep({ settings }: SetUp): Step {
  const isDone = settings?.canSend.email ?? false;
  const isOwn = settings?.emailProvider === 'ses' || settings?.smtp !== null;
  return {
    name: 'provider',
    title: 'Connect an email provider',
    isDone,
    text: !isDone
      ? 'Email leaves through an SMTP relay or Amazon SES. Enter one of them in the settings.'
      : isOwn && settings
        ? `Email is sent through your ${PROVIDER_NAMES[settings.emailProvider]}.`
        : 'Email is sent through the relay of this installation.',
  };
}

function senderStep({ senders = [], domains = [] }: SetUp): Step {
  const verified = [...domains.map(({ name, status }) => ({ name, status })), ...senders.map(named)].find(isVerified);
  const pending = senders.find(({ status }) => status === 'pending');
  const [domain] = domains;
  return {
    name: 'sender',
    title: 'Verify a sender or a domain',
    isDone: verified !== undefined,
    text: verified
      ? `You can send from ${verified.name}.`
      : pending
        ? `Open the link in the email to ${pending.email} to verify this sender.`
        : domain
          ? `Publish the DNS records of ${domain.name}. They are checked every few minutes.`
          : 'Add the address you send from and open the link it receives, or add a whole domain.',
  };
}

const named = ({ email, status }: Schemas['SenderResponse']) => ({ name: email, status });
const isVerified = ({ status }: { status: string }): boolean => status === 'verified';

const keyStep = ({ activeKeys = 0 }: SetUp): Step => ({
  name: 'key',
  title: 'Create an API key',
  isDone: activeKeys > 0,
  text: activeKeys > 0 ? 'Your applications can authenticate.' : 'Applications authenticate with an API key.',
});

function messageStep({ newestMessage }: SetUp): Step {
  const step = { name: 'message', title: 'Send the first message' } as const;
  if (!newestMessage) return { ...step, isDone: false, text: 'Run one of the examples below.' };
  const { status, to, error } = newestMessage;
  if (status === 'queued' || status === 'sending')
    return { ...step, isDone: false, text: `The message to ${to} is waiting to be sent.` };
  if (status === 'failed')
    return { ...step, isDone: false, text: `The message to ${to} could not be sent: ${error ?? 'unknown error'}` };
  return { ...step, isDone: true, text: `The message to ${to} has been sent.` };
}

const webhookStep = ({ webhooks = 0 }: SetUp): Step => ({
  name: 'webhook',
  title: 'Add a webhook',
  isDone: webhooks > 0,
  text:
    webhooks > 0
      ? 'Your systems are notified of bounces, complaints and unsubscribes.'
      : 'Let your systems know about bounces, complaints and unsubscribes as they happen.',
});
