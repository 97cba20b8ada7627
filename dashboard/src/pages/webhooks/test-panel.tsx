import { Alert, Button, Stack, Text } from '@mantine/core';
import { Zap } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import { Panel } from '../../components/panel';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';

/** Sends a test event and shows the response. */
export function TestPanel({ id }: { id: string }) {
  const test = useAction({
    run: () => unwrap(api.POST('/api/webhooks/{id}/test', { params: { path: { id } } })),
  });
  return (
    <Panel title={t('webhooks.test.title')} description={t('webhooks.test.description')}>
      <Stack gap="sm" align="flex-start">
        <Button
          variant="default"
          leftSection={<Zap size={16} />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t('webhooks.test.send')}
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
    title={t(delivered ? 'webhooks.test.delivered' : 'webhooks.test.notDelivered')}
  >
    <Text size="sm" className="break">
      {error === null
        ? t('webhooks.test.responded', { status: statusCode ?? '', duration: durationMs })
        : t('webhooks.test.failed', { error, duration: durationMs })}
    </Text>
  </Alert>
);
