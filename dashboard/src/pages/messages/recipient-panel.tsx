import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { Address } from '../../components/address';
import { CopyableValue } from '../../components/copyable-value';
import { DescriptionList } from '../../components/description-list';
import { Panel } from '../../components/panel';
import { removeSuppression } from '../../components/remove-suppression';
import { useAction } from '../../components/use-action';
import { t } from '../../texts/text';

/** The recipient of a message, and whether sends to them are refused. */
export function RecipientPanel({ message: { to, channel, contact } }: { message: MessageDetail }) {
  const isAdmin = useIsAdmin();
  const { data } = useQuery({
    queryKey: ['suppressions', 'of', to],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/suppressions', { params: { query: { channel, search: to, limit: 100 } }, signal })),
    staleTime: 60_000,
  });
  const suppression = data?.items.find(({ address }) => address === to.toLowerCase());
  return (
    <Panel
      title={t('messages.recipient')}
      actions={isAdmin && data && !suppression && <SuppressButton address={to} channel={channel} />}
    >
      <DescriptionList
        items={[
          [
            t('common.column.address'),
            <CopyableValue key="address" value={to} label={t('messages.recipient.copy')}>
              <span>
                <Address>{to}</Address>
              </span>
            </CopyableValue>,
          ],
          [
            t('common.column.contact'),
            contact && (
              <Anchor component={Link} to={`/contacts/${contact.id}`} size="sm">
                {[contact.firstName, contact.lastName].filter(Boolean).join(' ') || contact.email}
              </Anchor>
            ),
          ],
          [
            t('messages.recipient.suppressed'),
            data &&
              (suppression ? (
                <Anchor component={Link} to={`/suppressions?search=${encodeURIComponent(to)}`} size="sm">
                  {t(`messages.recipient.${suppression.reason}`)}
                </Anchor>
              ) : (
                t('common.no')
              )),
          ],
        ]}
      />
    </Panel>
  );
}

function SuppressButton({ address, channel }: { address: string; channel: MessageDetail['channel'] }) {
  const suppress = useAction({
    run: async () => {
      const request = api.POST('/api/suppressions', { body: { [channel === 'email' ? 'email' : 'phone']: address } });
      const entry = await unwrap(request);
      return { entry, isNew: (await request).response.status === 201 };
    },
    successMessage: ({ isNew }) => t(isNew ? 'messages.suppress.done' : 'common.suppressedAlready', { address }),
    undo: ({ entry, isNew }) =>
      isNew
        ? {
            run: () => removeSuppression({ ...entry, address }),
            successMessage: t('messages.suppress.undone', { address }),
          }
        : undefined,
    invalidates: [['suppressions'], ['message'], ['contacts']],
  });
  return (
    <Button
      variant="subtle"
      color="red"
      size="compact-xs"
      loading={suppress.isPending}
      onClick={() => suppress.mutate()}
    >
      {t('messages.suppress')}
    </Button>
  );
}
