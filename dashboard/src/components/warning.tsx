import { Alert, type AlertProps } from '@mantine/core';
import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface Props extends Pick<AlertProps, 'mb'> {
  title: string;
  icon?: LucideIcon;
  /** Set `alert` if it appears while the user works on something else. */
  role?: 'alert' | 'status' | 'note';
  children: ReactNode;
}

/** A message that the user should know or decide about, where nothing has failed. */
export const Warning = ({ icon: Icon = CircleAlert, ...props }: Props) => (
  <Alert color="yellow" variant="outline" icon={<Icon size={18} />} {...props} />
);
