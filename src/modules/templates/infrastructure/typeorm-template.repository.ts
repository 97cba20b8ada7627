import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';

import { MAX_TEMPLATES } from '../../../config/limits.js';
import { selectList } from '../../../platform/database/columns.js';
import { addWithinLimit } from '../../../platform/database/add-within-limit.js';
import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import { unnestParameters } from '../../../platform/database/list-parameter.sql.js';
import { POSTGRES_FAULTS } from '../../../platform/database/postgres-errors.js';
import { Batcher } from '../../../concurrency/batcher.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { TemplateRepository } from '../application/ports/template.repository.js';
import { Template } from '../domain/template.js';
import { TemplateSchema } from './template.schema.js';

interface LookUp {
  accountId: string;
  id: string;
}

@Injectable()
export class TypeOrmTemplateRepository extends TemplateRepository {
  private readonly lookUps = new Batcher<LookUp, Template | null>((lookUps) => this.findAll(lookUps), {
    maxSize: 100,
    faults: POSTGRES_FAULTS,
  });

  constructor(private readonly database: Database) {
    super();
  }

  async add(template: Template): Promise<void> {
    const { accountId } = template;
    await addWithinLimit(
      this.database,
      accountId,
      { max: MAX_TEMPLATES, rows: 'templates' },
      {
        count: () => this.rows().countBy({ accountId }),
        add: () => this.rows().insert(rowOf(template)),
      },
    );
  }

  list(accountId: string, page: PageRequest): Promise<Page<Template>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  find(accountId: string, id: string): Promise<Template | null> {
    return this.lookUps.add({ accountId, id });
  }

  findAndLock(accountId: string, id: string): Promise<Template | null> {
    return this.rows().findOne({ where: { accountId, id }, lock: { mode: 'pessimistic_write' } });
  }

  async save(template: Template): Promise<void> {
    const { accountId, id } = template;
    await this.rows().update({ accountId, id }, rowOf(template));
  }

  async remove(accountId: string, id: string): Promise<Template | null> {
    const [row] = await this.database.query<Template>(REMOVE, [accountId, id]);
    return row ? Object.assign(new Template(), row) : null;
  }

  /** Reads each template once, even if several calls of the batch need it: bodies are large. */
  private async findAll(lookUps: LookUp[]): Promise<(Template | null)[]> {
    const distinct = new Map(lookUps.map((lookUp) => [keyOf(lookUp), lookUp]));
    const rows = await this.database.prepared<Template>('find_templates', FIND_ALL, [
      [...distinct.values()].map(({ accountId }) => accountId),
      [...distinct.values()].map(({ id }) => id),
    ]);
    const templates = new Map(rows.map((row) => [keyOf(row), Object.assign(new Template(), row)]));
    return lookUps.map((lookUp) => templates.get(keyOf(lookUp)) ?? null);
  }

  private rows() {
    return this.database.manager.getRepository(Template);
  }
}

/** The types of TypeORM do not admit JSON of any shape. */
const rowOf = (template: Template) => template as QueryDeepPartialEntity<Template>;

const keyOf = ({ accountId, id }: LookUp): string => `${accountId} ${id}`;

const COLUMNS = selectList(TemplateSchema, 't');

const FIND_ALL = `
  SELECT ${COLUMNS}
  FROM ${unnestParameters('text', 'text')} AS wanted (account_id, id)
  JOIN templates t ON t.id = wanted.id AND t.account_id = wanted.account_id`;

const REMOVE = `DELETE FROM templates t WHERE t.account_id = $1 AND t.id = $2 RETURNING ${COLUMNS}`;
