import { Status } from '../../components/status';
import type { Webhook } from './webhook-events';

/** `failing` for one that is enabled and whose attempts have only failed since its last success. */
export function EndpointStatus({ endpoint: { enabled, disabledReason, failingSince } }: { endpoint: Webhook }) {
  if (!enabled) return <Status tone={disabledReason === null ? 'idle' : 'bad'} label="disabled" />;
  return failingSince === null ? <Status tone="good" label="enabled" /> : <Status tone="warning" label="failing" />;
}
