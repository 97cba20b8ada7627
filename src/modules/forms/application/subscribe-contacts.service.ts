import { Injectable } from '@nestjs/common';

import { PERSON } from '../../../shared/actor.js';
import { Outbox } from '../../../shared/ports/outbox.js';
import { type NewConsent, RecordConsents } from '../../consent/index.js';
import { ContactRepository, WriteContacts } from '../../contacts/index.js';
import { SuppressionList } from '../../suppression/index.js';
import { FormTargets } from './form-targets.service.js';
import type { OpenSignup } from './ports/signup.repository.js';

/** A sign-up and the client that has confirmed it. */
export interface Confirmation {
  signup: OpenSignup;
  ip: string | null;
  userAgent: string | null;
  /** The message whose link was used. */
  messageLogId: string | null;
}

interface SubscribedContact {
  id: string;
  status: string;
  firstName: string | null;
  lastName: string | null;
}

/** Makes contacts of people who have confirmed, with the record of their consent and the event. */
@Injectable()
export class SubscribeContacts {
  constructor(
    private readonly writeContacts: WriteContacts,
    private readonly contacts: ContactRepository,
    private readonly targets: FormTargets,
    private readonly suppressions: SuppressionList,
    private readonly recordConsents: RecordConsents,
    private readonly outbox: Outbox,
  ) {}

  /** Call it first in the transaction: no list is removed until the transaction ends. */
  lock(accountId: string): Promise<void> {
    return this.writeContacts.lockListsShared(accountId);
  }

  /**
   * Writes in the current transaction, after `lock`. A suppressed address stays as it is: its confirmations are missing
   * from the result. Contacts keep their other lists; lists that were deleted meanwhile are left out. Consent is
   * recorded for all topics that were agreed to, also for those that were deleted.
   */
  async subscribe(accountId: string, confirmations: readonly Confirmation[], now: Date): Promise<OpenSignup[]> {
    const allowed = await this.withoutSuppressed(accountId, confirmations);
    await this.targets.leaveOutDeletedLists(
      accountId,
      allowed.map(({ signup }) => signup.form),
    );
    const subscribed: OpenSignup[] = [];
    for (const round of withDistinctAddresses(allowed)) {
      const contacts = await this.write(accountId, round);
      const written = round.filter(({ signup }) => contacts.has(signup.normalisedEmail));
      await this.record(accountId, written, contacts, now);
      subscribed.push(...written.map(({ signup }) => signup));
    }
    return subscribed;
  }

  /** Returns the contacts by normalised address, locked; without those who were erased or suppressed meanwhile. */
  private async write(accountId: string, round: readonly Confirmation[]): Promise<Map<string, SubscribedContact>> {
    const contacts = new Map<string, SubscribedContact>();
    // A contact that was found unchanged may be removed before it is locked: then it is added again.
    for (let missing = round; missing.length > 0;) {
      await this.addToLists(accountId, missing);
      const emails = missing.map(({ signup }) => signup.normalisedEmail);
      for (const contact of await this.contacts.findByEmails(accountId, emails, 'lock'))
        contacts.set(contact.normalisedEmail, contact);
      missing = missing.filter(({ signup }) => !contacts.has(signup.normalisedEmail));
      if (missing.length > 0) missing = await this.withoutSuppressed(accountId, missing);
    }
    await this.leaveOutSuppressed(accountId, contacts);
    return contacts;
  }

  private async leaveOutSuppressed(accountId: string, contacts: Map<string, SubscribedContact>): Promise<void> {
    const inactive = [...contacts].flatMap(([email, { status }]) => (status === 'active' ? [] : [email]));
    if (inactive.length === 0) return;
    for (const email of (await this.suppressions.findReasons(accountId, inactive)).keys()) contacts.delete(email);
  }

  private async withoutSuppressed(accountId: string, confirmations: readonly Confirmation[]): Promise<Confirmation[]> {
    const emails = [...new Set(confirmations.map(({ signup }) => signup.normalisedEmail))];
    const suppressed = await this.suppressions.findReasons(accountId, emails);
    return confirmations.filter(({ signup }) => !suppressed.has(signup.normalisedEmail));
  }

  private async addToLists(accountId: string, round: readonly Confirmation[]): Promise<void> {
    const most = Math.max(1, ...round.map(({ signup }) => signup.form.listIds.length));
    for (let i = 0; i < most; i++) {
      const joining = round.filter(({ signup }) => i === 0 || i < signup.form.listIds.length);
      const rows = new Map(joining.map(({ signup }) => [signup.normalisedEmail, toRow(signup, i)]));
      await this.writeContacts.write(accountId, rows, { source: 'form', actor: PERSON });
    }
  }

  private async record(
    accountId: string,
    round: readonly Confirmation[],
    contacts: ReadonlyMap<string, SubscribedContact>,
    occurredAt: Date,
  ): Promise<void> {
    const consents = round.map((confirmation) =>
      toConsents(confirmation, contacts.get(confirmation.signup.normalisedEmail)?.id ?? null),
    );
    const ids = (await this.recordConsents.record(consents.flat())).values();
    const events = round.map(({ signup }, i) => {
      const recorded = (consents[i] ?? []).map(({ action }) => ({ action, id: ids.next().value ?? null }));
      const consentIds = recorded.flatMap(({ action, id }) => (action === 'granted' && id !== null ? [id] : []));
      const contact = contacts.get(signup.normalisedEmail);
      const { formId, form } = signup;
      const names = { firstName: contact?.firstName ?? '', lastName: contact?.lastName ?? '' };
      const who = { email: signup.normalisedEmail, contactId: contact?.id ?? '', ...names };
      const data = { ...who, formId, listIds: form.listIds, topicIds: form.topicIds ?? [], consentIds };
      return { type: 'contact.subscribed', accountId, occurredAt, data } as const;
    });
    await this.outbox.add(events);
  }
}

/** The `i`th row of a sign-up: the first has the submitted fields, and each has one list of the form. */
const toRow = ({ email, firstName, lastName, company, form }: OpenSignup, i: number) => ({
  email,
  ...(i === 0 && {
    firstName: firstName ?? undefined,
    lastName: lastName ?? undefined,
    company: company ?? undefined,
  }),
  addToList: form.listIds[i],
});

/** The requests and grants of consent: for each topic, or without one for all topics. */
function toConsents({ signup, ip, userAgent, messageLogId }: Confirmation, contactId: string | null): NewConsent[] {
  const { accountId, email: address, formId, wordingVersion: version, wording: text } = signup;
  return (signup.form.topicIds ?? [null]).flatMap((topicId) => {
    const shared = {
      ...({ accountId, channel: 'email', address, contactId, topicId, formId, source: 'form' } as const),
      actor: { type: 'person', id: contactId } as const,
      wording: { version, text },
    };
    const { createdAt: occurredAt } = signup;
    return [
      { ...shared, action: 'requested' as const, occurredAt, ip: signup.ip, userAgent: signup.userAgent },
      { ...shared, action: 'granted' as const, ip, userAgent, messageLogId },
    ];
  });
}

/** Splits the confirmations so that an address is in each part at most once, in order. */
function withDistinctAddresses(confirmations: readonly Confirmation[]): Confirmation[][] {
  const rounds: Map<string, Confirmation>[] = [];
  for (const confirmation of confirmations) {
    const { normalisedEmail } = confirmation.signup;
    let round = rounds.find((each) => !each.has(normalisedEmail));
    if (!round) rounds.push((round = new Map<string, Confirmation>()));
    round.set(normalisedEmail, confirmation);
  }
  return rounds.map((round) => [...round.values()]);
}
