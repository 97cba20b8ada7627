import { Injectable } from '@nestjs/common';

import { Database } from '../../../../platform/database/database.js';
import { MessageGroups } from '../../application/ports/message-groups.js';
import type { AttachmentEntry, GroupMember } from '../../domain/message-group.js';
import { nearGroup, PART_BYTES } from './group-storage.js';

@Injectable()
export class SqlMessageGroups extends MessageGroups {
  constructor(private readonly database: Database) {
    super();
  }

  members(accountId: string, groupId: string): Promise<GroupMember[]> {
    return this.database.query(MEMBERS, [accountId, groupId]);
  }

  attachments(accountId: string, groupId: string): Promise<AttachmentEntry[]> {
    return this.database.prepared('list_attachments', ATTACHMENTS, [accountId, groupId]);
  }

  async *read(accountId: string, groupId: string, number: number): AsyncGenerator<Buffer, void> {
    for (let part = 0; ; part++) {
      const values = [accountId, groupId, number, part];
      const [row] = await this.database.prepared<{ bytes: Buffer }>('read_attachment', PART, values);
      if (row) yield row.bytes;
      if ((row?.bytes.length ?? 0) < PART_BYTES) return;
    }
  }
}

const MEMBERS = `
  SELECT m.id, m.role, m.recipient, m.status FROM message_logs m
  WHERE ${nearGroup('m.id', '$2')} AND m.account_id = $1 AND m.group_id = $2
  ORDER BY m.id`;

const ATTACHMENTS = `
  SELECT a.number, a.filename, a.content_type AS "contentType", a.content_id AS "contentId", a.size
  FROM message_attachments a
  WHERE a.group_id = $2 AND a.account_id = $1 AND a.part = 0
  ORDER BY a.number`;

const PART = `
  SELECT a.bytes FROM message_attachments a
  WHERE a.group_id = $2 AND a.number = $3 AND a.part = $4 AND a.account_id = $1`;
