import { Alert } from '@mantine/core';

/** Why a form was refused, in the service's words. */
export const FormError = ({ error }: { error: Error | null }) =>
  error && (
    <Alert color="red" variant="outline" role="alert" p="xs">
      {error.message}
    </Alert>
  );
