import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import { type Check, CHECK_STATUSES, type CheckStatus } from '../domain/check.js';
import { type DnsRecord, RECORD_PURPOSES, RECORD_TYPES } from '../domain/dns-record.js';
import type { Domain } from '../domain/domain.js';

export class DomainCheckResponse {
  @ApiProperty({ enum: CHECK_STATUSES })
  status!: CheckStatus;

  checkedAt!: Date | null;

  /**
   * What is wrong and what to do about it; null where nothing is. A verified check may have one: it was missed once.
   * @example "TXT at example.com is missing `include:sendgrid.net`"
   */
  detail!: string | null;

  static from({ status, checkedAt, detail }: Check): DomainCheckResponse {
    return { status, checkedAt, detail };
  }
}

export class DnsRecordResponse {
  @ApiProperty({ enum: RECORD_TYPES })
  type!: DnsRecord['type'];

  /** In full, without a dot at the end. */
  name!: string;

  value!: string;

  /** Of an MX record. */
  @ApiProperty({ type: 'integer', required: false })
  priority?: number;

  /** The check that looks for it. */
  @ApiProperty({ enum: RECORD_PURPOSES })
  purpose!: DnsRecord['purpose'];

  static from({ type, name, value, priority, purpose }: DnsRecord): DnsRecordResponse {
    return { type, name, value, ...(priority === undefined ? {} : { priority }), purpose };
  }
}

export class DomainResponse {
  id!: string;

  /** Lower-cased, in punycode. */
  name!: string;

  /** `verified`, and so good to send from, while all three checks are; `failed` as soon as one is. */
  @ApiProperty({ enum: CHECK_STATUSES })
  status!: CheckStatus;

  dkim!: DomainCheckResponse;
  spf!: DomainCheckResponse;
  mailFrom!: DomainCheckResponse;

  /** To be published in the domain's DNS. */
  records!: DnsRecordResponse[];

  createdAt!: Date;

  static from(domain: Domain): DomainResponse {
    return {
      id: domain.id,
      name: domain.name,
      status: domain.status,
      dkim: DomainCheckResponse.from(domain.check('dkim')),
      spf: DomainCheckResponse.from(domain.check('spf')),
      mailFrom: DomainCheckResponse.from(domain.check('mailFrom')),
      records: domain.records.map((record) => DnsRecordResponse.from(record)),
      createdAt: domain.createdAt,
    };
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
