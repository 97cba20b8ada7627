import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SuppressionRepository } from '../../../src/modules/suppression/application/ports/suppression.repository.js';
import {
  Suppression,
  SUPPRESSION_REASONS,
  SUPPRESSION_SOURCES,
} from '../../../src/modules/suppression/domain/suppression.js';
import { isAutomatic, takesPrecedence } from '../../../src/modules/suppression/domain/suppression-precedence.js';
import { newId } from '../../../src/shared/ids.js';
import { TestService } from '../../support/service.js';

type Cause = Pick<Suppression, 'reason' | 'source' | 'messageLogId'>;

const MESSAGES = [null, 'c1', 'c2'];
const CAUSES: Cause[] = SUPPRESSION_REASONS.flatMap((reason) =>
  SUPPRESSION_SOURCES.flatMap((source) =>
    (isAutomatic({ source }) ? MESSAGES : [null]).map((messageLogId) => ({ reason, source, messageLogId })),
  ),
);
/** Every pair of causes, both for an address of its own. */
const PAIRS = CAUSES.flatMap((first, i) =>
  CAUSES.map((second, j) => ({ first, second, address: `p${i}-${j}@example.com` })),
);

describe('The precedence of suppressions in SQL', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.shared();
  });
  afterAll(() => service.stop());

  const add = (entries: Suppression[]) =>
    service.database.run(() => service.app.get(SuppressionRepository, { strict: false }).addAcrossAccounts(entries));
  const entry = (accountId: string, address: string, cause: Cause): Suppression => {
    const now = service.clock.now();
    const created = Suppression.create(newId(now), { accountId, channel: 'email', address, ...cause }, now);
    if (!created) throw new Error(`${address} is not an address`);
    return created;
  };
  const causeOf = ({ reason, source, messageLogId }: Cause): Cause => ({ reason, source, messageLogId });

  it('agrees with the rule for each pair of an entry and a later cause', async () => {
    const { id } = await service.createAccount();
    await add(PAIRS.map(({ first, address }) => entry(id, address, first)));
    const written = await add(PAIRS.map(({ second, address }) => entry(id, address, second)));
    const changes = new Map(
      written.map(({ suppression, former }) => [suppression.address, { former, cause: causeOf(suppression) }]),
    );
    for (const { first, second, address } of PAIRS) {
      const former = { reason: first.reason, source: first.source };
      const change = takesPrecedence(second, first) ? { former, cause: second } : undefined;
      expect({ first, second, change: changes.get(address) }).toEqual({ first, second, change });
    }
  });

  it('keeps of two causes that are given at once the one that takes precedence', async () => {
    const { id } = await service.createAccount();
    const written = await add(
      PAIRS.flatMap(({ first, second, address }) => [entry(id, address, first), entry(id, address, second)]),
    );
    const kept = new Map(written.map(({ suppression }) => [suppression.address, causeOf(suppression)]));
    for (const { first, second, address } of PAIRS) {
      const isSecond = takesPrecedence(second, first) || (isAutomatic(second) && !isAutomatic(first));
      expect({ first, second, kept: kept.get(address) }).toEqual({ first, second, kept: isSecond ? second : first });
    }
  });
});
