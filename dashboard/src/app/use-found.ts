import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type LucideIcon, Send, ShieldBan, User } from 'lucide-react';

import { api, ApiError, unwrap } from '../api/client';
import type { Message, Schemas } from '../api/types';
import { t } from '../texts/text';

export interface Found {
  title: string;
  detail: string;
  icon: LucideIcon;
  /** The page that the result leads to. */
  to: string;
}

interface FoundGroup {
  label: string;
  items: readonly Found[];
}

export const MIN_SEARCH_LENGTH = 2;

const TYPING_PAUSE_MS = 250;
const MAX_PER_GROUP = 5;
const ID = /^c[a-z0-9]{24}$/;

/** Searches messages, contacts and suppressions by part of an address, or by id. */
export function useFound(text: string): {
  found: readonly FoundGroup[];
  isSearching: boolean;
  error: Error | null;
  retry: () => void;
} {
  const [search] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const isLongEnough = text.length >= MIN_SEARCH_LENGTH;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['found', search],
    queryFn: ({ signal }) => (ID.test(search) ? findById(search, signal) : find(search, signal)),
    enabled: search.length >= MIN_SEARCH_LENGTH,
    placeholderData: keepPreviousData,
  });
  const isSearching = isLongEnough && (isFetching || search !== text);
  return {
    found: isLongEnough ? (data ?? []) : [],
    isSearching,
    error: isLongEnough && !isSearching ? error : null,
    retry: () => void refetch(),
  };
}

async function find(search: string, signal: AbortSignal): Promise<FoundGroup[]> {
  const params = { query: { search, limit: MAX_PER_GROUP } };
  const [messages, contacts, suppressions] = await Promise.all([
    unwrap(api.GET('/api/messages', { params, signal })),
    unwrap(api.GET('/api/contacts', { params, signal })),
    unwrap(api.GET('/api/suppressions', { params, signal })),
  ]);
  return withItems([
    { label: t('common.section.messages'), items: messages.items.map(fromMessage) },
    { label: t('common.section.contacts'), items: contacts.items.map(fromContact) },
    { label: t('common.section.suppressions'), items: suppressions.items.flatMap(fromSuppression) },
  ]);
}

async function findById(id: string, signal: AbortSignal): Promise<FoundGroup[]> {
  const params = { path: { id } };
  const [message, contact, suppression] = await Promise.all([
    orNull(unwrap(api.GET('/api/messages/{id}', { params, signal }))),
    orNull(unwrap(api.GET('/api/contacts/{id}', { params, signal }))),
    orNull(unwrap(api.GET('/api/suppressions/{id}', { params, signal }))),
  ]);
  return withItems([
    { label: t('common.section.messages'), items: message ? [fromMessage(message)] : [] },
    { label: t('common.section.contacts'), items: contact ? [fromContact(contact)] : [] },
    { label: t('common.section.suppressions'), items: suppression ? fromSuppression(suppression) : [] },
  ]);
}

const withItems = (groups: readonly FoundGroup[]): FoundGroup[] => groups.filter(({ items }) => items.length > 0);

/** Resolves to null if the API answers 404. */
const orNull = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });

const fromMessage = ({
  id,
  to,
  subject,
  channel,
  status,
}: Pick<Message, 'id' | 'to' | 'subject' | 'channel' | 'status'>) => {
  const title = subject ?? t(channel === 'sms' ? 'common.channel.sms' : 'common.search.noSubject');
  return {
    title: to,
    detail: `${title} · ${t(`common.messageStatus.${status}`)}`,
    icon: Send,
    to: `/messages/${id}`,
  };
};

const fromContact = ({ id, email, status }: Schemas['ContactResponse']) => ({
  title: email,
  detail: t(`common.contactStatus.${status}`),
  icon: User,
  to: `/contacts/${id}`,
});

/** Returns no result for an erased address, by which the list cannot be searched. */
const fromSuppression = ({ address, reason }: Schemas['SuppressionResponse']): Found[] =>
  address === null
    ? []
    : [
        {
          title: address,
          detail: t(`common.suppressionReason.${reason}`),
          icon: ShieldBan,
          to: `/suppressions?search=${encodeURIComponent(address)}`,
        },
      ];
