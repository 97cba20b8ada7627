import { Tabs } from '@mantine/core';

import { SERVICE_URL } from '../app/service-url';
import { useSession } from '../app/session';
import { t } from '../texts/text';
import { isVerified } from './is-verified';
import { type Example, sendSnippets } from './send-snippets';
import { Snippet } from './snippet';
import { useDomains, useSenderIdentities } from './use-sender-identities';

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
  const senders = useSenderIdentities();
  const domains = useDomains();
  const sender = senders.data?.items.find(isVerified)?.email;
  const domain = domains.data?.items.find(isVerified)?.name;
  return sender ?? (domain === undefined ? undefined : `hello@${domain}`);
}
