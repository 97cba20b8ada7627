import { ApiProperty } from '@nestjs/swagger';

import type { AttributeValue } from '../../../shared/attributes.js';
import type { ContactImportReport } from '../application/import-contacts.service.js';
import type { ContactPage } from '../application/ports/contact.repository.js';
import { type Contact, CONTACT_STATUSES, type ContactStatus } from '../domain/contact.js';

export class ContactResponse {
  id!: string;

  /**
   * In its latest spelling. Identifies the contact, in any case.
   * @example "ada@example.com"
   */
  email!: string;
  firstName!: string | null;
  lastName!: string | null;
  company!: string | null;

  /**
   * Fields of the account's own; empty if there are none.
   * @example { "city": "London", "visits": 3, "vip": true }
   */
  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
  })
  attributes!: Record<string, AttributeValue>;

  /**
   * Sorted.
   * @example ["reader"]
   */
  tags!: string[];

  /** `active` if and only if the address is not suppressed. */
  @ApiProperty({ enum: CONTACT_STATUSES })
  status!: ContactStatus;

  /** Sorted. */
  listIds!: string[];
  createdAt!: Date;

  /** When the contact last changed. Writing the values it already has does not count. */
  updatedAt!: Date;

  static from(contact: Contact): ContactResponse {
    const { id, email, firstName, lastName, company, attributes, tags, status, listIds, createdAt, updatedAt } =
      contact;
    const fields = { firstName, lastName, company, attributes: attributes ?? {} };
    return { id, email, ...fields, tags, status, listIds, createdAt, updatedAt };
  }
}

export class ContactPageResponse {
  items!: ContactResponse[];
  total!: number;

  /**
   * Whether `total` may be a minute old or an estimate. Only totals above 100,000 are; smaller ones are exact.
   * @example false
   */
  totalIsEstimate!: boolean;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: ContactPage): ContactPageResponse {
    return { items: items.map((contact) => ContactResponse.from(contact)), ...page };
  }
}

/** A contact of an import that was not written. */
export class ContactImportErrorResponse {
  /** Its index in `contacts`, from 0. */
  index!: number;

  /** As given, if it is text. */
  email!: string | null;

  /** @example "email must be an email address" */
  message!: string;
}

export class ContactImportResponse {
  created!: number;
  updated!: number;

  /** Contacts that changed nothing, or whose address occurs again later in the request. */
  skipped!: number;
  errors!: ContactImportErrorResponse[];

  static from({ created, updated, skipped, errors }: ContactImportReport): ContactImportResponse {
    return { created, updated, skipped, errors };
  }
}

export class ConsentCoverageResponse {
  /** Active contacts with a standing consent to marketing, or to the topic. */
  @ApiProperty({ type: 'integer' })
  active!: number;

  /** Active contacts without one, who are not out of the topic either. */
  @ApiProperty({ type: 'integer' })
  withoutConsent!: number;

  /** Active contacts who are out of the topic, by their own choice or by default; 0 if none is asked for. */
  @ApiProperty({ type: 'integer' })
  outOfTopic!: number;
}
