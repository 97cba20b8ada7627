import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';

import { unwrap, api } from '../../api/client';
import type { MessageDetail } from '../../api/types';
import { useIsAdmin } from '../../app/use-is-admin';
import { CopyButton } from '../../components/copy-button';
import { DangerButton } from '../../components/danger-button';
import { DescriptionList } from '../../components/description-list';
import { Panel } from '../../components/panel';
import { toLabel } from '../../components/status';
import { useAction } from '../../components/use-action';

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
      title="Recipient"
      actions={isAdmin && data && !suppression && <SuppressButton address={to} channel={channel} />}
    >
      <DescriptionList
        items={[
          [
            'Address',
            <span key="address" className="id">
              {to} <CopyButton value={to} label="Copy recipient" />
            </span>,
          ],
          [
            'Contact',
            contact && (
              <Anchor component={Link} to={`/contacts/${contact.id}`} size="sm">
                {[contact.firstName, contact.lastName].filter(Boolean).join(' ') || contact.email}
              </Anchor>
            ),
          ],
          [
            'Suppressed',
            data &&
              (suppression ? (
                <Anchor component={Link} to={`/suppressions?search=${encodeURIComponent(to)}`} size="sm">
                  Yes: {toLabel(suppression.reason).toLowerCase()}
                </Anchor>
              ) : (
                'No'
              )),
          ],
        ]}
      />
    </Panel>
  );
}

function SuppressButton({ address, channel }: { address: string; channel: MessageDetail['channel'] }) {
  const suppress = useAction({
    run: () => unwrap(api.POST('/api/suppressions', { body: { [channel === 'email' ? 'email' : 'phone']: address } })),
    successMessage: `${address} has been suppressed.`,
    invalidates: [['suppressions'], ['message'], ['contacts']],
  });
  return (
    <DangerButton
      label="Suppress recipient"
      isSmall
      title="Suppress this recipient?"
      confirm="Suppress"
      isBusy={suppress.isPending}
      onConfirm={suppress.mutate}
    >
      All further sends to {address} are refused until the entry is deleted. Messages that wait to be sent to this
      address are not sent either.
    </DangerButton>
  );
}
