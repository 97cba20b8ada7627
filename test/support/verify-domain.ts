import { DomainRepository } from '../../src/modules/domains/application/ports/domain.repository.js';
import type { TestAccount } from './account.js';
import type { TestService } from './service.js';

/** Adds a domain that then passes its check, which is announced to all caches. */
export async function verifyDomain(service: TestService, account: TestAccount, name: string): Promise<void> {
  await account.addDomain(name, { dkim: 'pending', spf: 'pending', mailFrom: 'pending' });
  const [row] = await service.query<{ id: string }>('SELECT id FROM domains WHERE account_id = $1 AND name = $2', [
    account.id,
    name,
  ]);
  await service.app.get(DomainRepository, { strict: false }).change(account.id, row!.id, (domain) => {
    Object.assign(domain, { dkimStatus: 'verified', spfStatus: 'verified', mailFromStatus: 'verified' });
  });
}
