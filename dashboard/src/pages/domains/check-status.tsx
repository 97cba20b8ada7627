import type { Schemas } from '../../api/types';
import { Status, type Tone } from '../../components/status';
import { t } from '../../texts/text';

type Value = Schemas['DomainResponse']['status'];

const TONES: Readonly<Record<Value, Tone>> = { pending: 'busy', verified: 'good', failed: 'bad' };

export const CheckStatus = ({ value }: { value: Value }) => (
  <Status tone={TONES[value]} label={t(`domains.status.${value}`)} />
);
