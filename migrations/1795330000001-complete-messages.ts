import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Copies, attachments, headers, tags and metadata of messages. Messages without them have nulls only. The attachments and
 * tags of a group of copies are partitioned by the month of its ids, as its messages are; the service creates the partitions.
 */
export class CompleteMessages1795330000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const ID = 'text COLLATE "C"';

const UP = [
  `ALTER TABLE message_logs ADD role text, ADD group_id ${ID}, ADD tags text[], ADD metadata jsonb`,
  `ALTER TABLE message_contents ADD headers jsonb, ADD has_attachments boolean`,
  // One row for each tag of a message: the newest messages with a tag are found in the order of the key.
  `CREATE TABLE message_tags (
    account_id ${ID} NOT NULL,
    tag text NOT NULL,
    message_id ${ID} NOT NULL,
    CONSTRAINT pk_message_tags PRIMARY KEY (account_id, tag, message_id)
  ) PARTITION BY RANGE (message_id)`,
  // Rows of up to 256 kB; each has the description of the attachment.
  `CREATE TABLE message_attachments (
    group_id ${ID} NOT NULL,
    number smallint NOT NULL,
    part smallint NOT NULL,
    account_id ${ID} NOT NULL,
    filename text NOT NULL,
    content_type text NOT NULL,
    content_id text,
    size integer NOT NULL,
    bytes bytea NOT NULL,
    CONSTRAINT pk_message_attachments PRIMARY KEY (group_id, number, part)
  ) PARTITION BY RANGE (group_id)`,
  // Files are usually compressed already.
  `ALTER TABLE message_attachments ALTER COLUMN bytes SET STORAGE EXTERNAL`,
];

const DOWN = [
  `DROP TABLE message_attachments`,
  `DROP TABLE message_tags`,
  `ALTER TABLE message_contents DROP headers, DROP has_attachments`,
  `ALTER TABLE message_logs DROP role, DROP group_id, DROP tags, DROP metadata`,
];
