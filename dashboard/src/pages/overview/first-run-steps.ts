import type { Message, Schemas } from '../../api/types';
import { isVerified } from '../../components/is-verified';
import { t } from '../../texts/text';

/** The resources that decide which steps of the set-up are done. Undefined while they are loading. */
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
  /** The result of the step, or what is missing. */
  text: string;
}

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
  const own = settings?.[settings.emailProvider];
  return {
    name: 'provider',
    title: t('overview.step.provider.title'),
    isDone,
    text: !isDone
      ? t('overview.step.provider.missing')
      : own
        ? t(`overview.step.provider.${settings.emailProvider}`)
        : t('overview.step.provider.installation'),
  };
}

function senderStep({ senders = [], domains = [] }: SetUp): Step {
  const verified = [...domains.map(({ name, status }) => ({ name, status })), ...senders.map(named)].find(isVerified);
  const pending = senders.find(({ status }) => status === 'pending');
  const [domain] = domains;
  return {
    name: 'sender',
    title: t('overview.step.sender.title'),
    isDone: verified !== undefined,
    text: verified
      ? t('overview.step.sender.verified', { name: verified.name })
      : pending
        ? t('overview.step.sender.pending', { email: pending.email })
        : domain
          ? t('overview.step.sender.pendingDomain', { domain: domain.name })
          : t('overview.step.sender.missing'),
  };
}

const named = ({ email, status }: Schemas['SenderResponse']) => ({ name: email, status });

const keyStep = ({ activeKeys = 0 }: SetUp): Step => ({
  name: 'key',
  title: t('overview.step.key.title'),
  isDone: activeKeys > 0,
  text: t(activeKeys > 0 ? 'overview.step.key.created' : 'overview.step.key.missing'),
});

function messageStep({ newestMessage }: SetUp): Step {
  const step = { name: 'message', title: t('overview.step.message.title') } as const;
  if (!newestMessage) return { ...step, isDone: false, text: t('overview.step.message.missing') };
  const { status, to, error } = newestMessage;
  if (status === 'queued' || status === 'sending')
    return { ...step, isDone: false, text: t('overview.step.message.waiting', { to }) };
  if (status === 'failed') {
    const reason = error ?? t('overview.step.message.unknownError');
    return { ...step, isDone: false, text: t('overview.step.message.failed', { to, reason }) };
  }
  return { ...step, isDone: true, text: t('overview.step.message.sent', { to }) };
}

const webhookStep = ({ webhooks = 0 }: SetUp): Step => ({
  name: 'webhook',
  title: t('overview.step.webhook.title'),
  isDone: webhooks > 0,
  text: t(webhooks > 0 ? 'overview.step.webhook.added' : 'overview.step.webhook.missing'),
});
