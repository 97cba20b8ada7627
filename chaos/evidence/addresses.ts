import type { Channel } from '../../src/shared/channel.js';

const EMAIL = /^recipient-(\d+)@example\.org$/;
/** German mobile numbers: a prefix and eight digits. */
const PHONE = /^\+49151(\d{8})$/;

/** Every send has its own recipient, which is derived from its index. */
export const addressOf = (channel: Channel, index: number): string =>
  channel === 'email' ? `recipient-${index}@example.org` : `+49151${String(index).padStart(8, '0')}`;

/** The index of the send to a recipient; -1 for an address that is not from this run. */
export function indexOf(address: string): number {
  const digits = (EMAIL.exec(address) ?? PHONE.exec(address))?.[1];
  return digits === undefined ? -1 : Number(digits);
}

const PERSON = /^person-\d+@erased\.example\.org$/;
/** Occurs in nothing but the addresses of people who are erased. */
export const ERASED_DOMAIN = '@erased.example.org';

/** People who are erased are recipients of no other send. */
export const personAddress = (number: number): string => `person-${number}${ERASED_DOMAIN}`;

export const isPersonAddress = (address: string): boolean => PERSON.test(address);
