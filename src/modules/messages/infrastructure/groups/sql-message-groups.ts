import { Injectable } from '@nestjs/common';
import { escapeLiteral } from 'pg';

import { Database } from '../../../../platform/database/database.js';
import { listParameter } from '../../../../platform/database/list-parameter.sql.js';
import { POSTGRES_FAULTS } from '../../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../../concurrency/batcher.js';
import { MessageGroups } from '../../application/ports/message-groups.js';
import { type AttachmentEntry, type GroupFiles, type GroupMember, SOURCE_NUMBER } from '../../domain/message-group.js';
import { nearGroup, PART_BYTES } from './group-storage.js';

interface Group {
  accountId: string;
  groupId: string;
}

type EntryRow = AttachmentEntry & Group;

@Injectable()
export class SqlMessageGroups extends MessageGroups {
  private readonly lists = new Batcher<Group, GroupFiles>((groups) => this.list(groups), {
    faults: POSTGRES_FAULTS,
  });

  constructor(private readonly database: Database) {
    super();
  }

  members(accountId: string, groupId: string): Promise<GroupMember[]> {
    return this.database.query(MEMBERS, [accountId, groupId]);
  }

  files(accountId: string, groupId: string): Promise<GroupFiles> {
    return this.lists.add({ accountId, groupId });
  }

  async *read(accountId: string, groupId: string, number: number): AsyncGenerator<Buffer, void> {
    for (let part = 0; ; part++) {
      const values = [accountId, groupId, number, part];
      const [row] = await this.database.prepared<{ bytes: Buffer }>('read_attachment', PART, values);
      if (row) yield row.bytes;
      if ((row?.bytes.length ?? 0) < PART_BYTES) return;
    }
  }

  readAll(accountId: string, groupId: string, onPart: (number: number, bytes: Buffer) => void): Promise<void> {
    return this.database.copy(allParts(accountId, groupId), ([number, bytes]) => {
      if (number && bytes) onPart(number.readInt16BE(), bytes);
    });
  }

  private async list(groups: readonly Group[]): Promise<GroupFiles[]> {
    const [groupIds, accountIds] = [groups.map(({ groupId }) => groupId), groups.map(({ accountId }) => accountId)];
    const rows = await this.database.prepared<EntryRow>('list_files', FILES, [accountIds, groupIds]);
    return groups.map((group) => toFiles(rows.filter((row) => isOf(row, group))));
  }
}

const MEMBERS = `
  SELECT m.id, m.role, m.recipient, m.status FROM message_logs m
  WHERE ${nearGroup('m.id', '$2')} AND m.account_id = $1 AND m.group_id = $2
  ORDER BY m.id`;

/** The accounts and groups are in pairs. */
const FILES = `
  SELECT a.group_id AS "groupId", a.account_id AS "accountId", a.number, a.filename, a.content_type AS "contentType",
    a.content_id AS "contentId", a.size
  FROM message_attachments a
  WHERE a.group_id = ANY (${listParameter('$2')}) AND a.account_id = ANY (${listParameter('$1')}) AND a.part = 0
  ORDER BY a.number`;

const isOf = (row: EntryRow, { accountId, groupId }: Group): boolean =>
  row.groupId === groupId && row.accountId === accountId;

function toFiles(rows: readonly EntryRow[]): GroupFiles {
  const source = rows.find(({ number }) => number === SOURCE_NUMBER);
  return { sourceSize: source?.size ?? null, attachments: rows.filter((row) => row !== source).map(toEntry) };
}

const toEntry = ({ number, filename, contentType, contentId, size }: EntryRow): AttachmentEntry => ({
  number,
  filename,
  contentType,
  contentId,
  size,
});

const allParts = (accountId: string, groupId: string): string => `
  SELECT number, bytes FROM message_attachments
  WHERE group_id = ${escapeLiteral(groupId)} AND account_id = ${escapeLiteral(accountId)}
  ORDER BY number, part`;

const PART = `
  SELECT a.bytes FROM message_attachments a
  WHERE a.group_id = $2 AND a.number = $3 AND a.part = $4 AND a.account_id = $1`;
