import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import { type Sender, SENDER_STATUSES, type SenderStatus } from '../domain/sender.js';

export class SenderResponse {
  id!: string;
  email!: string;

  /**
   * `verified` once the mailed link was used; only then may messages come from the address. Pending again once the
   * account sends through something that the link does not prove the sender for.
   */
  @ApiProperty({ enum: SENDER_STATUSES })
  status!: SenderStatus;

  verifiedAt!: Date | null;
  createdAt!: Date;

  static from({ id, email, status, verifiedAt, createdAt }: Sender): SenderResponse {
    return { id, email, status, verifiedAt, createdAt };
  }
}

export class SenderPageResponse {
  items!: SenderResponse[];
  total!: number;
  page!: number;
  pageSize!: number;
  totalPages!: number;

  static from({ items, ...page }: Page<Sender>): SenderPageResponse {
    return { items: items.map((sender) => SenderResponse.from(sender)), ...page };
  }
}
