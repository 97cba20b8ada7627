import { Alert } from '@mantine/core';
import { CircleAlert } from 'lucide-react';

import { ApiError } from '../api/client';

/** Whether a refresh has found that the object of the page has been deleted. */
export const isDeleted = (error: Error | null): boolean => error instanceof ApiError && error.status === 404;

/** Replaces the content of a page whose object has been deleted. */
export const DeletedMeanwhile = ({ title }: { title: string }) => (
  <Alert color="red" variant="outline" icon={<CircleAlert size={18} />} title={title} role="alert" />
);
