import { Alert, Button, Stack, Text } from '@mantine/core';
import { Zap } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import { Panel } from '../../components/panel';
import { useAction } from '../../components/use-action';

/** Sends a test event and shows the response. */
export function TestPanel({ id }: { id: string }) {
  const test = useAction({
    run: () => unwrap(api.POST('/api/webhooks/{id}/test', { params: { path: { id } } })),
  });
  return (
    <Panel
      title="Test"
      description="Sends a webhook.test event immediately. It is not listed as a delivery and not retried."
    >
      <Stack gap="sm" align="flex-start">
        <Button
          variant="default"
          leftSection={<Zap size={16} />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          Send test event
        </Button>
        {test.data && <TestResult {...test.data} />}
      </Stack>
    </Panel>
  );
}

interface Result {
  delivered: boolean;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

const TestResult = ({ delivered, statusCode, durationMs, error }: Result) => (
  <Alert
    color={delivered ? 'teal' : 'red'}
    variant="outline"
    role="status"
    w="100%"
    title={delivered ? 'Delivered' : 'Not delivered'}
  >
    <Text size="sm" className="break">
      {error ?? `Responded with ${statusCode ?? ''}`} after {durationMs.toLocaleString()} ms
    </Text>
  </Alert>
);
