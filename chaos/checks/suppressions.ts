import { groupBy } from '../../src/shared/group-by.js';
import type { AddressOfAccount, Evidence } from '../evidence/evidence.js';
import { type CheckResult, Gaps } from './check-result.js';

const keyOf = ({ accountId, address }: AddressOfAccount) => `${address} of ${accountId}`;
const deliveryKeyOf = ({ endpointId, address }: { endpointId: string; address: string }) =>
  `${address} at ${endpointId}`;

export function checkSuppressions({ suppressionCauses, suppressions }: Evidence): CheckResult {
  const expected = new Set(suppressionCauses.map(keyOf));
  const existing = groupBy(suppressions, keyOf);
  const gaps = new Gaps();
  for (const key of expected) {
    const count = existing.get(key)?.length ?? 0;
    if (count !== 1) gaps.add(`${key} has ${count} suppressions`);
  }
  for (const key of existing.keys()) if (!expected.has(key)) gaps.add(`${key} is suppressed without a cause`);
  const ofSms = suppressions.filter(({ address }) => address.startsWith('+')).length;
  return {
    name: 'Every cause of a suppression has created one',
    counted: `${suppressions.length} suppressions, ${ofSms} of them of phone numbers`,
    gaps,
  };
}

export function checkWebhooks(evidence: Evidence): CheckResult {
  const { suppressions, endpoints, deliveries, posts } = evidence;
  const byKey = groupBy(deliveries, deliveryKeyOf);
  const posted = new Map(posts.map((post) => [deliveryKeyOf(post), post]));
  const expected = new Set(
    suppressions.flatMap(({ accountId, address }) =>
      endpoints.filter((endpoint) => endpoint.accountId === accountId).map(({ id }) => `${address} at ${id}`),
    ),
  );
  const gaps = new Gaps();
  for (const key of expected) {
    const [delivery, ...others] = byKey.get(key) ?? [];
    const count = posted.get(key)?.count ?? 0;
    if (!delivery) {
      gaps.add(`${key} has no delivery`);
      continue;
    }
    if (others.length > 0) gaps.add(`${key} has ${others.length + 1} deliveries`);
    if (delivery.state !== 'delivered') gaps.add(`${key} is ${delivery.state}`);
    if (count === 0) gaps.add(`${key} was never received`);
    if (count > 1 + delivery.failedAttempts)
      gaps.add(`${key} was received ${count} times, though only ${delivery.failedAttempts} attempts failed`);
  }
  for (const key of byKey.keys()) if (!expected.has(key)) gaps.add(`${key} has a delivery without a suppression`);
  for (const post of posts)
    if (post.unsigned > 0) gaps.add(`${post.unsigned} posts of ${deliveryKeyOf(post)} are not signed`);
  const received = posts.reduce((sum, { count }) => sum + count, 0);
  return {
    name: 'Every suppression is delivered to every endpoint of its account',
    counted: `${deliveries.length} deliveries to ${endpoints.length} endpoints in ${received} posts`,
    gaps,
  };
}
