import type { Channel } from './channel.js';
import { DomainError } from './domain-error.js';
import { isEmailAddress, normaliseEmail } from './email-address.js';
import { normalisePhone } from './phone-number.js';

/** The form in which addresses are compared; null if the text is not an address of the channel. */
export function normaliseAddress(channel: Channel, text: string): string | null {
  if (channel === 'sms') return normalisePhone(text);
  return isEmailAddress(text) ? normaliseEmail(text) : null;
}

interface ReadAddress {
  channel: Channel;
  /** The address as it was given. */
  address: string;
  normalised: string;
}

/** Reads the one address that is given. Throws invalid if it is not valid, or if not exactly one is given. */
export function readAddress({ email, phone }: { email?: string | undefined; phone?: string | undefined }): ReadAddress {
  if ((email === undefined) === (phone === undefined)) throw DomainError.invalid('Give either email or phone');
  const channel = email === undefined ? 'sms' : 'email';
  const address = email ?? phone ?? '';
  const normalised = normaliseAddress(channel, address);
  if (normalised !== null) return { channel, address, normalised };
  throw DomainError.invalid(
    email === undefined
      ? 'phone must be a phone number in E.164 format or of 10 digits (US)'
      : 'email must be an email address',
  );
}
