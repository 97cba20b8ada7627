import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { DescriptionList } from '../../components/description-list';
import { Panel } from '../../components/panel';
import { Status } from '../../components/status';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';

type Sms = Schemas['SmsSettingsResponse'];

/** The status of the AWS account and of its opt-out list. */
export const SmsAccount = ({ sms, isAdmin }: { sms: Sms; isAdmin: boolean }) => (
  <Panel title="SMS account" description="As reported by AWS." actions={isAdmin && sms.enabled && <SyncButton />}>
    <DescriptionList
      items={[
        ['Sandbox', <Sandbox key="sandbox" sandbox={sms.sandbox} />],
        ['Verified numbers', sms.sandbox === true ? <Numbers numbers={sms.verifiedNumbers} /> : null],
        ['Sends from', <Numbers key="from" numbers={sms.originationNumbers} />],
        ['Last checked', <Time key="asked" value={sms.checkedAt} missing="Never" />],
        ['Opt-out list', <OptOuts key="opt-outs" />],
      ]}
    />
  </Panel>
);

function Sandbox({ sandbox }: { sandbox: boolean | null }) {
  if (sandbox === null) return <Status tone="idle" label="not yet known" />;
  if (!sandbox) return <Status tone="good" label="out of the sandbox" />;
  return <Status tone="warning" label="only verified numbers can receive SMS" />;
}

const Numbers = ({ numbers }: { numbers: readonly string[] }) =>
  numbers.length === 0 ? (
    'None'
  ) : (
    <Stack gap={2}>
      {numbers.map((number) => (
        <span key={number} className="mono">
          {number}
        </span>
      ))}
    </Stack>
  );

function OptOuts() {
  const { data } = useQuery({
    queryKey: ['opt-outs'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/sms/sync-optouts', { signal })),
  });
  if (!data) return '…';
  if (data.syncedAt === null) return 'Not synced yet';
  return (
    <>
      Synced <Time value={data.syncedAt} />
      <Text size="xs" c="dimmed">
        {data.total.toLocaleString()} listed, {data.added.toLocaleString()} newly added
      </Text>
    </>
  );
}

function SyncButton() {
  const sync = useAction({
    run: () => unwrap(api.POST('/api/sms/sync-optouts')),
    successMessage: ({ added, total }) =>
      `Opt-out list synced: ${total.toLocaleString()} listed, ${added.toLocaleString()} newly added.`,
    invalidates: [['opt-outs'], ['suppressions'], ['settings']],
  });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<RefreshCw size={14} />}
      loading={sync.isPending}
      onClick={() => sync.mutate()}
    >
      Sync opt-outs now
    </Button>
  );
}
