import { Button, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';

/** Replaces a page that failed, for example because a newer version of the service has replaced its files. */
export function CrashPage() {
  const error = useRouteError();
  return (
    <Stack align="flex-start" p="xl" maw={560} role="alert">
      <Title order={1}>This page could not be displayed</Title>
      <Text>The service may have been updated since you opened the page. Reloading usually helps.</Text>
      <Text c="dimmed" className="mono">
        {error instanceof Error ? error.message : String(error)}
      </Text>
      <Button
        onClick={() => {
          window.location.reload();
        }}
      >
        Reload
      </Button>
    </Stack>
  );
}
