import { Button } from '@mantine/core';

import { askFirst, type Question } from './confirm';

interface Props extends Question {
  label: string;
  /** The name of what it acts on, for those who do not see which row it stands in. */
  of?: string;
  isSmall?: boolean;
  isBusy?: boolean;
}

/** For what is not easily undone: asks first. */
export const DangerButton = ({ label, of, isSmall = false, isBusy = false, ...question }: Props) => (
  <Button
    variant="subtle"
    color="red"
    size={isSmall ? 'compact-sm' : undefined}
    loading={isBusy}
    aria-label={of && `${label} ${of}`}
    onClick={() => askFirst(question)}
  >
    {label}
  </Button>
);
