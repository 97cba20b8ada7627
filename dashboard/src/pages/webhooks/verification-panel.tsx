import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';

import { unwrap, api } from '../../api/client';
import { CopyableText } from '../../components/copyable-text';
import { Panel } from '../../components/panel';
import { LoadError, Loading } from '../../components/states';
import { t } from '../../texts/text';
import { verificationSnippets } from './verification-snippets';

/** Code that verifies the signature of a request, with the names of the headers of this installation. */
export default function VerificationPanel() {
  const { data, error } = useQuery({
    queryKey: ['webhook-signature'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/webhooks/signature', { signal })),
    staleTime: Infinity,
  });
  const snippets = data ? verificationSnippets(data) : [];
  return (
    <Panel title={t('webhooks.verify.title')} description={t('webhooks.verify.description')} isFlush>
      {data ? (
        <Tabs defaultValue={snippets[0]?.language} keepMounted={false} mt="xs">
          <Tabs.List px="sm">
            {snippets.map(({ language }) => (
              <Tabs.Tab key={language} value={language}>
                {language}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {snippets.map(({ language, code }) => (
            <Tabs.Panel key={language} value={language}>
              <CopyableText isSource label={t('webhooks.verify.copy', { language })}>
                {code}
              </CopyableText>
            </Tabs.Panel>
          ))}
        </Tabs>
      ) : error ? (
        <LoadError error={error} />
      ) : (
        <Loading />
      )}
    </Panel>
  );
}
