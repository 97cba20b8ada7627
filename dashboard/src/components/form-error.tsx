import { Alert } from '@mantine/core';

/** The error message of the API for a rejected form. */
export const FormError = ({ error }: { error: Error | null }) =>
  error && (
    <Alert color="red" variant="outline" role="alert" p="xs">
      {error.message}
    </Alert>
  );
