import { Alert } from '@mantine/core';

import { ApiError } from '../api/client';
import { useSession } from '../app/session';

/** The error message of the API for a rejected form; none once the user has signed in again. */
export function FormError({ error }: { error: Error | null }) {
  const session = useSession();
  const isSettled = error instanceof ApiError && error.status === 401 && session !== null && !session.isExpired;
  if (!error || isSettled) return null;
  return (
    <Alert color="red" variant="outline" role="alert" p="xs">
      {error.message}
    </Alert>
  );
}
