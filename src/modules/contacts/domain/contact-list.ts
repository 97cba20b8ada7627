import { foldCase } from '../../../shared/text.js';

export const MAX_LIST_NAME_LENGTH = 100;

/** A named set of contacts of an account. */
export class ContactList {
  id!: string;
  accountId!: string;
  name!: string;
  /** Folded to one case; unique in the account. */
  normalisedName!: string;
  createdAt!: Date;
  updatedAt!: Date;

  static create(id: string, accountId: string, name: string, now: Date): ContactList {
    const list = Object.assign(new ContactList(), { id, accountId, createdAt: now });
    list.rename(name, now);
    return list;
  }

  rename(name: string, now: Date): void {
    const trimmed = name.trim();
    Object.assign(this, { name: trimmed, normalisedName: foldCase(trimmed), updatedAt: now });
  }
}
