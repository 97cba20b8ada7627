import type { Schemas } from '../../api/types';
import { Status, type Tone } from '../../components/status';
import { t } from '../../texts/text';

export type Contact = Schemas['ContactResponse'];

const TONES: Readonly<Record<Contact['status'], Tone>> = {
  active: 'good',
  unsubscribed: 'idle',
  bounced: 'bad',
  complained: 'bad',
};

export const CONTACT_STATUSES = Object.keys(TONES) as Contact['status'][];

export const ContactStatus = ({ value }: { value: Contact['status'] }) => (
  <Status tone={TONES[value]} label={t(`common.contactStatus.${value}`)} />
);
