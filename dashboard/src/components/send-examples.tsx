import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { api, unwrap } from '../api/client';
import { SERVICE_URL } from '../app/service-url';
import { useSession } from '../app/session';
import { t } from '../texts/text';
import { type Example, sendSnippets } from './send-snippets';
import { Snippet } from './snippet';

const PLACEHOLDER_SENDER = 'you@your-domain.example';

type Props = Pick<Example, 'secret' | 'smtp'>;

/** Programs that send an email from a verified sender to the user. */
export function SendExamples({ secret, smtp }: Props) {
  const from = useVerifiedSender() ?? PLACEHOLDER_SENDER;
  const to = useSession()?.user.email ?? '';
  const snippets = sendSnippets({ baseUrl: SERVICE_URL, secret, from, to, smtp });
  return (
    <Tabs defaultValue={snippets[0]?.name} keepMounted={false}>
      <Tabs.List mb="xs">
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ name, code }) => (
        <Tabs.Panel key={name} value={name}>
          <Snippet label={t('common.copy.example', { name })} text={code} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** An address that email can be sent from: a verified sender, or one at a verified domain. */
function useVerifiedSender(): string | undefined {
  const senders = useQuery({
    queryKey: ['senders', 'all'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/senders', { params: { query: { limit: 100 } }, signal })),
  });
  const domains = useQuery({
    queryKey: ['domains', 'all'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/domains', { params: { query: { limit: 100 } }, signal })),
  });
  const sender = senders.data?.items.find(({ status }) => status === 'verified')?.email;
  const domain = domains.data?.items.find(({ status }) => status === 'verified')?.name;
  return sender ?? (domain === undefined ? undefined : `hello@${domain}`);
}
