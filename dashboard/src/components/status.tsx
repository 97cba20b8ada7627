import { Box } from '@mantine/core';

/** What a state means for whoever looks: going on, well, worth a look, bad, over. */
export type Tone = 'busy' | 'good' | 'warning' | 'bad' | 'idle';

interface Props {
  tone: Tone;
  /** As the API calls it. */
  label: string;
}

/** A word with a dot of colour: the colour helps, the word says it. */
export const Status = ({ tone, label }: Props) => (
  <Box component="span" className="status" data-tone={tone}>
    {inWords(label)}
  </Box>
);

/** `sms_opt_out` as `Sms opt out`. */
export const inWords = (value: string): string => {
  const words = value.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
