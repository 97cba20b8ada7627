import { Alert } from '@mantine/core';
import { CircleAlert } from 'lucide-react';

import { ApiError } from '../api/client';

/** Whether a refresh has found that what the page shows has been deleted. */
export const isDeleted = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

/** Takes the place of the content of a page. */
export const DeletedMeanwhile = ({ title }: { title: string }) => (
  <Alert color="red" variant="outline" icon={<CircleAlert size={18} />} title={title} role="alert" />
);
