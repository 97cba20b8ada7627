import { Box } from '@mantine/core';

/** The colour of a status. */
export type Tone = 'busy' | 'good' | 'warning' | 'bad' | 'idle';

interface Props {
  tone: Tone;
  /** A value of the API, or words. */
  label: string;
}

/** A coloured dot and a label. The label carries the meaning, so that nobody has to distinguish the colours. */
export const Status = ({ tone, label }: Props) => (
  <Box component="span" className="status" data-tone={tone}>
    {toLabel(label)}
  </Box>
);

/** Values whose label is more than the value with spaces and a capital. */
const LABELS: Readonly<Record<string, string>> = {
  sms_opt_out: 'SMS opt-out',
  sms_sync: 'SMS opt-out sync',
  api: 'API',
  form: 'Unsubscribe form',
  failed_permanent: 'Failed permanently',
};

/** An API value as a label: `in_progress` becomes `In progress`. */
export const toLabel = (value: string): string => {
  const words = LABELS[value] ?? value.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
