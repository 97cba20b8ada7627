import { groupBy } from '../../src/shared/group-by.js';
import type { AddressOfAccount, Evidence } from '../evidence.js';
import type { Entry } from './entry.js';

const keyOf = ({ accountId, address }: AddressOfAccount) => `${address} of ${accountId}`;

export function checkSuppressions({ suppressedByHand, reports, suppressions }: Evidence): Entry {
  const expected = new Set([
    ...suppressedByHand.map(keyOf),
    ...reports
      .filter(({ type }) => type === 'bounced' || type === 'complained')
      .map(({ accountId, recipient }) => keyOf({ accountId, address: recipient })),
  ]);
  const standing = groupBy(suppressions, keyOf);
  return {
    name: 'Every cause of a suppression made one',
    counted: `${suppressions.length} suppressions, ${suppressedByHand.length} of them by hand`,
    gaps: [
      ...[...expected]
        .filter((key) => standing.get(key)?.length !== 1)
        .map((key) => `${key} has ${standing.get(key)?.length ?? 0} suppressions`),
      ...[...standing.keys()].filter((key) => !expected.has(key)).map((key) => `${key} is suppressed for no cause`),
    ],
  };
}

export function checkWebhooks({ suppressions, endpoints, deliveries, posts }: Evidence): Entry {
  const byPlace = groupBy(deliveries, ({ endpointId, address }) => `${address} at ${endpointId}`);
  const posted = groupBy(posts, ({ endpointId, address }) => `${address} at ${endpointId}`);
  const expected = new Set(
    suppressions.flatMap(({ accountId, address }) =>
      endpoints.filter((endpoint) => endpoint.accountId === accountId).map(({ id }) => `${address} at ${id}`),
    ),
  );
  const gapsOf = (place: string): string[] => {
    const [delivery, ...others] = byPlace.get(place) ?? [];
    const count = posted.get(place)?.length ?? 0;
    if (!delivery) return [`${place} has no delivery`];
    return [
      ...(others.length > 0 ? [`${place} has ${others.length + 1} deliveries`] : []),
      ...(delivery.state === 'delivered' ? [] : [`${place} is ${delivery.state}`]),
      ...(count === 0 ? [`${place} was never received`] : []),
      ...(count > 1 + delivery.failedAttempts
        ? [`${place} was received ${count} times, though only ${delivery.failedAttempts} attempts failed`]
        : []),
    ];
  };
  return {
    name: 'Every suppression is told to every endpoint of its account',
    counted: `${deliveries.length} deliveries to ${endpoints.length} endpoints in ${posts.length} posts`,
    gaps: [
      ...[...expected].flatMap(gapsOf),
      ...[...byPlace.keys()]
        .filter((place) => !expected.has(place))
        .map((place) => `${place} has a delivery without a suppression`),
      ...posts
        .filter(({ isSigned }) => !isSigned)
        .map(({ endpointId }) => `A post to ${endpointId} is not signed with its secret`),
    ],
  };
}
