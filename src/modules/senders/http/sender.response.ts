import { ApiProperty } from '@nestjs/swagger';

import type { Page } from '../../../shared/page.js';
import { type Sender, SENDER_STATUSES, type SenderStatus } from '../domain/sender.js';

export class SenderResponse {
  id!: string;
  /** @example "hello@example.com" */
  email!: string;

  /**
   * `verified` after the mailed link has been used: only then can messages be sent from the address. Becomes `pending`
   * again if the account changes to a provider for which that link is no proof.
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
