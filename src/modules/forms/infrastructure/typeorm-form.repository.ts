import { Injectable } from '@nestjs/common';

import { addWithinLimit } from '../../../platform/database/add-within-limit.js';
import { Database } from '../../../platform/database/database.js';
import { listNewestFirst } from '../../../platform/database/list-newest-first.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { FormRepository } from '../application/ports/form.repository.js';
import { MAX_FORMS } from '../../../config/limits.js';
import { Form } from '../domain/form.js';

@Injectable()
export class TypeOrmFormRepository extends FormRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(form: Form): Promise<void> {
    const { accountId } = form;
    await addWithinLimit(
      this.database,
      accountId,
      { max: MAX_FORMS, rows: 'forms' },
      {
        count: () => this.rows().countBy({ accountId }),
        add: async () => {
          await this.rows().insert(form);
          await this.keepWording(form);
        },
      },
    );
  }

  list(accountId: string, page: PageRequest): Promise<Page<Form>> {
    return listNewestFirst(this.rows(), accountId, page);
  }

  find(accountId: string, id: string): Promise<Form | null> {
    return this.rows().findOneBy({ accountId, id });
  }

  findAcrossAccounts(id: string): Promise<Form | null> {
    return this.rows().findOneBy({ id });
  }

  findAndLock(accountId: string, id: string): Promise<Form | null> {
    return this.rows().findOne({ where: { accountId, id }, lock: { mode: 'for_no_key_update' } });
  }

  async save(form: Form): Promise<void> {
    const { accountId, id } = form;
    await this.rows().update({ accountId, id }, { ...form, ...COUNTS_STAY });
    await this.keepWording(form);
  }

  async remove(accountId: string, id: string): Promise<Form | null> {
    const removed = await this.database.runInLane(accountId, async () => {
      const form = await this.findAndLock(accountId, id);
      if (form) await this.rows().delete({ accountId, id });
      return form;
    });
    if (removed) await this.database.deleteInBatches('form_signups', OF_REMOVED_FORM, [accountId, id]);
    return removed;
  }

  private async keepWording({ accountId, id, wordingVersion, wording, topicIds, updatedAt }: Form): Promise<void> {
    await this.database.query(KEEP_WORDING, [id, accountId, wordingVersion, wording, topicIds, updatedAt]);
  }

  private rows() {
    return this.database.manager.getRepository(Form);
  }
}

/** TypeORM leaves out what is undefined. */
const COUNTS_STAY = { submitted: undefined, confirmed: undefined };

const OF_REMOVED_FORM = 'account_id = $1 AND form_id = $2';

const KEEP_WORDING = `
  INSERT INTO form_wordings (form_id, account_id, version, text, topic_ids, created_at) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (form_id, version) DO NOTHING`;
