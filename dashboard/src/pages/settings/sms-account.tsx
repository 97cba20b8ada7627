import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';

import { unwrap, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { DescriptionList } from '../../components/description-list';
import { Panel } from '../../components/panel';
import { refreshErrorText } from '../../components/states';
import { Status } from '../../components/status';
import { Time } from '../../components/time';
import { useAction } from '../../components/use-action';
import { RichText } from '../../texts/rich-text';
import { t } from '../../texts/text';

type Sms = Schemas['SmsSettingsResponse'];

/** The status of the AWS account and of its opt-out list. */
export default function SmsAccount({ sms, isAdmin }: { sms: Sms; isAdmin: boolean }) {
  return (
    <Panel
      title={t('settings.smsAccount')}
      description={t('settings.smsAccount.description')}
      actions={isAdmin && sms.enabled && <SyncButton />}
    >
      <DescriptionList
        items={[
          [t('settings.smsAccount.sandbox'), <Sandbox key="sandbox" sandbox={sms.sandbox} />],
          [
            t('settings.smsAccount.verifiedNumbers'),
            sms.sandbox === true ? <Numbers numbers={sms.verifiedNumbers} /> : null,
          ],
          [t('settings.smsAccount.sendsFrom'), <Numbers key="from" numbers={sms.originationNumbers} />],
          [
            t('settings.smsAccount.lastChecked'),
            <Time key="asked" value={sms.checkedAt} missing={t('common.never')} />,
          ],
          [t('settings.smsAccount.optOuts'), <OptOuts key="opt-outs" />],
        ]}
      />
    </Panel>
  );
}

function Sandbox({ sandbox }: { sandbox: boolean | null }) {
  if (sandbox === null) return <Status tone="idle" label={t('settings.smsAccount.sandbox.unknown')} />;
  if (!sandbox) return <Status tone="good" label={t('settings.smsAccount.sandbox.out')} />;
  return <Status tone="warning" label={t('settings.smsAccount.sandbox.in')} />;
}

const Numbers = ({ numbers }: { numbers: readonly string[] }) =>
  numbers.length === 0 ? (
    t('common.none')
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
  const { data, error } = useQuery({
    queryKey: ['opt-outs'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/sms/sync-optouts', { signal })),
  });
  if (!data) return error ? refreshErrorText(error) : '…';
  if (data.syncedAt === null) return t('settings.smsAccount.optOuts.notSynced');
  return (
    <>
      <RichText id="settings.smsAccount.optOuts.synced" values={{ time: <Time value={data.syncedAt} /> }} />
      <Text size="xs" c="dimmed">
        {t('settings.smsAccount.optOuts.counts', { total: data.total, added: data.added })}
      </Text>
    </>
  );
}

function SyncButton() {
  const sync = useAction({
    run: () => unwrap(api.POST('/api/sms/sync-optouts')),
    successMessage: ({ added, total, syncedAt }) =>
      t(syncedAt === null ? 'settings.smsAccount.syncing' : 'settings.smsAccount.synced', { total, added }),
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
      {t('settings.smsAccount.sync')}
    </Button>
  );
}
