import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import { type Check, CHECK_STATUSES, type CheckStatus } from '../domain/check.js';
import { DMARC_POLICIES, DMARC_STATUSES, type DmarcPolicy, type DmarcStatus } from '../domain/dmarc.js';
import { type DnsRecord, RECORD_PURPOSES, RECORD_TYPES } from '../../../shared/dns-record.js';
import type { Domain } from '../domain/domain.js';
import { registeredDomainOf } from '../domain/domain-name.js';
import type { PublishedRecord } from '../application/look-up-records.service.js';

export class DomainCheckResponse {
  @ApiProperty({ enum: CHECK_STATUSES })
  status!: CheckStatus;

  checkedAt!: Date | null;

  /**
   * What is wrong and how to fix it; null if nothing is. A verified check has one if its record was missing once.
   * @example "TXT at example.com is missing `include:sendgrid.net`"
   */
  detail!: string | null;

  static from({ status, checkedAt, detail }: Check): DomainCheckResponse {
    return { status, checkedAt, detail };
  }
}

class DmarcResponse {
  /** `unknown`: not looked up yet, or DNS has not answered yet. */
  @ApiProperty({ enum: DMARC_STATUSES })
  status!: DmarcStatus;

  /** What receivers are asked to do with mail that fails; null unless the record was found. */
  @ApiProperty({ enum: [...DMARC_POLICIES, null], type: String, nullable: true })
  policy!: DmarcPolicy | null;

  /**
   * What is wrong and how to fix it, or the domain from which the record is inherited; null otherwise.
   * @example "TXT at _dmarc.example.com is missing: publish `v=DMARC1; p=none` or a stricter policy"
   */
  detail!: string | null;

  checkedAt!: Date | null;

  static from({ status, policy, detail, checkedAt }: Domain['dmarc']): DmarcResponse {
    return { status, policy, detail, checkedAt };
  }
}

export class DnsRecordResponse {
  @ApiProperty({ enum: RECORD_TYPES })
  type!: DnsRecord['type'];

  /**
   * Fully qualified, without a trailing dot.
   * @example "mail._domainkey.example.com"
   */
  name!: string;

  /** @example "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEF" */
  value!: string;

  /** Set for MX records only. */
  @ApiProperty({ type: 'integer', required: false })
  priority?: number;

  /** The check that requires the record. */
  @ApiProperty({ enum: RECORD_PURPOSES })
  purpose!: DnsRecord['purpose'];

  static from({ type, name, value, priority, purpose }: DnsRecord): DnsRecordResponse {
    return { type, name, value, ...(priority === undefined ? {} : { priority }), purpose };
  }
}

export class DomainResponse {
  id!: string;

  /**
   * Lower-cased, in punycode.
   * @example "example.com"
   */
  name!: string;

  /**
   * The registered domain that `name` is or belongs to; DNS panels want the names of records relative to it.
   * @example "example.com"
   */
  registeredDomain!: string;

  /**
   * `verified`, and therefore usable for sending, while all three checks are verified; `failed` if any check failed.
   */
  @ApiProperty({ enum: CHECK_STATUSES })
  status!: CheckStatus;

  dkim!: DomainCheckResponse;
  spf!: DomainCheckResponse;
  mailFrom!: DomainCheckResponse;

  /** The DMARC record, which is no part of the verification: mailbox providers require one for bulk mail. */
  dmarc!: DmarcResponse;

  /** To be published in the domain's DNS. */
  records!: DnsRecordResponse[];

  createdAt!: Date;

  static from(domain: Domain): DomainResponse {
    return {
      id: domain.id,
      name: domain.name,
      registeredDomain: registeredDomainOf(domain.name),
      status: domain.status,
      dkim: DomainCheckResponse.from(domain.check('dkim')),
      spf: DomainCheckResponse.from(domain.check('spf')),
      mailFrom: DomainCheckResponse.from(domain.check('mailFrom')),
      dmarc: DmarcResponse.from(domain.dmarc),
      records: domain.records.map((record) => DnsRecordResponse.from(record)),
      createdAt: domain.createdAt,
    };
  }
}

class PublishedRecordResponse {
  @ApiProperty({ enum: RECORD_TYPES })
  type!: DnsRecord['type'];

  /** @example "mail._domainkey.example.com" */
  name!: string;

  /**
   * What DNS answers for this name and type, at most 20 values of 1,000 characters; MX without priorities. Null if it
   * did not answer.
   */
  @ApiProperty({ type: [String], nullable: true })
  values!: string[] | null;

  static from({ type, name, values }: PublishedRecord): PublishedRecordResponse {
    return { type, name, values };
  }
}

export class PublishedRecordsResponse {
  checkedAt!: Date;

  /** One for each name and type of the domain's `records`. */
  items!: PublishedRecordResponse[];

  static from(checkedAt: Date, items: readonly PublishedRecord[]): PublishedRecordsResponse {
    return { checkedAt, items: items.map((item) => PublishedRecordResponse.from(item)) };
  }
}

export class DomainPageResponse {
  items!: DomainResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<Domain>): DomainPageResponse {
    return { items: items.map((domain) => DomainResponse.from(domain)), ...page };
  }
}
