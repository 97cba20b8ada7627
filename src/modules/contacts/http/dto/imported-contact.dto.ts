import { UpsertContactDto } from './write-contact.dto.js';

/** Describes a contact of an import, which the import itself validates. */
export class ImportedContactDto extends UpsertContactDto {
  /**
   * When the person agreed to marketing: an ISO 8601 date or date-time, in UTC without an offset. Records the consent.
   * @example "2026-01-31T09:30:00Z"
   */
  consentAt?: string | null;

  /**
   * The words that the person agreed to, at most 2,000 characters.
   * @example "I would like to get the newsletter. I can unsubscribe at any time."
   */
  consentWording?: string | null;

  /**
   * The IPv4 or IPv6 address from which the person agreed.
   * @example "192.0.2.10"
   */
  consentIp?: string | null;

  /**
   * Anything else that proves it, at most 2,000 characters.
   * @example "Paper form 4711, trade fair in Hanover"
   */
  consentEvidence?: string | null;
}
