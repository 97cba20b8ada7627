import type { Schemas } from '../../api/types';
import { Status, type Tone } from '../../components/status';
import { t } from '../../texts/text';

type State = Schemas['WebhookDeliveryResponse']['state'];

const TONES: Readonly<Record<State, Tone>> = {
  pending: 'busy',
  in_progress: 'busy',
  retrying: 'warning',
  delivered: 'good',
  failed: 'bad',
  failed_permanent: 'bad',
};

export const DELIVERY_STATES = Object.keys(TONES) as State[];

/** Whether no further attempt is scheduled. */
export const isFinished = (state: State): boolean => TONES[state] === 'good' || TONES[state] === 'bad';

export const DeliveryState = ({ value }: { value: State }) => (
  <Status tone={TONES[value]} label={t(`webhooks.deliveryState.${value}`)} />
);
