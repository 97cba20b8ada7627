import type { ContactRow } from '../../domain/contact.js';

/** The row has no contact, or would change it. */
export type Difference = 'missing' | 'changed';

/** Compares rows with contacts of one account without loading these. */
export abstract class ContactComparison {
  /**
   * Takes rows by normalised address. Addresses whose contact stays as it is, by the rules of `Contact.change`, are not
   * in the result. The lists of the rows must exist.
   */
  abstract compare(accountId: string, rows: ReadonlyMap<string, ContactRow>): Promise<Map<string, Difference>>;
}
