import { Status } from '../../components/status';
import { t } from '../../texts/text';
import type { Webhook } from './webhook-events';

/** `failing`: the endpoint is enabled and every attempt since its last success has failed. */
export function EndpointStatus({ endpoint: { enabled, disabledReason, failingSince } }: { endpoint: Webhook }) {
  if (!enabled) return <Status tone={disabledReason === null ? 'idle' : 'bad'} label={t('webhooks.status.disabled')} />;
  return failingSince === null ? (
    <Status tone="good" label={t('webhooks.status.enabled')} />
  ) : (
    <Status tone="warning" label={t('webhooks.status.failing')} />
  );
}
