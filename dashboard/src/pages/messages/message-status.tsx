import type { Message, MessageStatus as Value } from '../../api/types';
import { Status, type Tone } from '../../components/status';
import { t } from '../../texts/text';

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

export const MessageStatus = ({ value }: { value: Value }) => (
  <Status tone={TONES[value]} label={t(`common.messageStatus.${value}`)} />
);

const RESENDABLE: readonly Value[] = ['failed', 'canceled', 'suppressed'];

type WithStatus = Pick<Message, 'status'>;

/** Whether the message can be canceled, and rescheduled as well. */
export const isCancelable = ({ status }: WithStatus): boolean => status === 'queued';

export const isResendable = ({ status }: WithStatus): boolean => RESENDABLE.includes(status);
