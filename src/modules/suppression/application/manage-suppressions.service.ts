import { Injectable } from '@nestjs/common';

import { normaliseAddress, readAddress } from '../../../shared/address.js';
import { inBatches } from '../../../shared/collections.js';
import { DomainError } from '../../../shared/domain-error.js';
import { type Page, type PageRequest, toPage } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import type { Suppression } from '../domain/suppression.js';
import { SuppressedContacts } from './ports/suppressed-contacts.js';
import { type ExpectedCause, type SuppressionFilter, SuppressionRepository } from './ports/suppression.repository.js';
import { SuppressAddresses } from './suppress-addresses.service.js';

const EXPORT_BATCH_SIZE = 1_000;

export interface ManualSuppression {
  email?: string;
  phone?: string;
  note?: string | null;
}

@Injectable()
export class ManageSuppressions {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly suppressions: SuppressionRepository,
    private readonly contacts: SuppressedContacts,
    private readonly suppressAddresses: SuppressAddresses,
    private readonly clock: Clock,
  ) {}

  /** Returns the new entry, or the existing one, which is left as it is. */
  async suppress(
    accountId: string,
    { note = null, ...given }: ManualSuppression,
  ): Promise<{ suppression: Suppression; added: boolean }> {
    const { channel, address, normalised } = readAddress(given);
    const cause = { accountId, channel, address, reason: 'manual', source: 'dashboard', note } as const;
    for (;;) {
      const [suppression] = await this.suppressAddresses.suppress([cause]);
      if (suppression) return { suppression, added: true };
      const existing = await this.suppressions.find(accountId, channel, normalised);
      // It is null if the entry has been deleted meanwhile.
      if (existing) return { suppression: existing, added: false };
    }
  }

  list(accountId: string, filter: SuppressionFilter, page: PageRequest): Promise<Page<Suppression>> {
    return this.suppressions.list(accountId, filter, page);
  }

  /** The entry of one address in any spelling, if it matches the filter. Throws invalid unless it is an address. */
  async listForAddress(
    accountId: string,
    address: string,
    { search, channel, reason }: SuppressionFilter,
    page: PageRequest,
  ): Promise<Page<Suppression>> {
    if (search !== undefined) throw DomainError.invalid('Give either search or address');
    const addressed = address.includes('@') ? 'email' : 'sms';
    const normalised = normaliseAddress(addressed, address);
    if (normalised === null)
      throw DomainError.invalid(
        'address must be an email address or a phone number in E.164 format or of 10 digits (US)',
      );
    const found = await this.suppressions.find(accountId, addressed, normalised);
    const matches = found !== null && (channel ?? addressed) === addressed && (reason ?? found.reason) === found.reason;
    return toPage(matches && page.page === 1 ? [found] : [], matches ? 1 : 0, page);
  }

  async get(accountId: string, id: string): Promise<Suppression> {
    const suppression = await this.suppressions.findById(accountId, id);
    if (!suppression) throw DomainError.notFound('Suppression');
    return suppression;
  }

  /**
   * Makes the contact of the address active, if there is one. Throws conflict if the entry has another cause than
   * expected, or if a cause is expected and the contact has been erased.
   */
  async remove(accountId: string, id: string, expected: ExpectedCause = {}): Promise<Suppression> {
    return this.transactions.runInLane(accountId, async () => {
      const existing = await this.suppressions.findById(accountId, id);
      const emails = existing?.channel === 'email' ? [{ accountId, email: existing.address }] : [];
      await this.contacts.lock([accountId], emails);
      const removed = await this.suppressions.remove(accountId, id, expected);
      if (!removed) throw keptError(await this.suppressions.findById(accountId, id));
      if (removed.channel === 'email' && removed.address !== '') await this.activate(removed);
      return removed;
    });
  }

  /**
   * Yields the matching entries whose address is known, oldest first, in at least one batch. Entries added meanwhile
   * may be missing.
   */
  listAll(accountId: string, filter: SuppressionFilter): AsyncGenerator<Suppression[], void> {
    return inBatches(EXPORT_BATCH_SIZE, (last) =>
      this.suppressions.listAfter(accountId, filter, last?.id ?? '', EXPORT_BATCH_SIZE),
    );
  }

  private async activate({ accountId, address }: Suppression): Promise<void> {
    const [contact] = await this.contacts.findAcrossAccounts([{ accountId, email: address }]);
    if (!contact) return;
    await this.contacts.updateStatuses([{ accountId, contactId: contact.contactId, reason: null }], this.clock.now());
  }
}

function keptError(existing: Suppression | null): DomainError {
  if (!existing) return DomainError.notFound('Suppression');
  const { address, reason, source } = existing;
  if (address === '') return DomainError.conflict('The contact of the suppression has been erased, so it is kept');
  return DomainError.conflict(`The suppression has reason ${reason} and source ${source} now, so it is kept`);
}
