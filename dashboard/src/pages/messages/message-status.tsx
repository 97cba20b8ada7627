import type { MessageStatus as Value } from '../../api/types';
import { Status, type Tone } from '../../components/status';

const TONES: Readonly<Record<Value, Tone>> = {
  queued: 'busy',
  sending: 'busy',
  sent: 'good',
  delivered: 'good',
  bounced: 'bad',
  complained: 'bad',
  failed: 'bad',
  suppressed: 'warning',
  canceled: 'idle',
};

export const MESSAGE_STATUSES = Object.keys(TONES) as Value[];

export const MessageStatus = ({ value }: { value: Value }) => <Status tone={TONES[value]} label={value} />;
