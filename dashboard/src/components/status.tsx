/** The colour of a status. */
export type Tone = 'busy' | 'good' | 'warning' | 'bad' | 'idle';

interface Props {
  tone: Tone;
  label: string;
}

/** A coloured dot and a label. The label carries the meaning, so that nobody has to distinguish the colours. */
export const Status = ({ tone, label }: Props) => (
  <span className="status" data-tone={tone}>
    {label}
  </span>
);
