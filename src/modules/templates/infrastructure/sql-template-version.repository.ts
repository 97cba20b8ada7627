import { Injectable } from '@nestjs/common';

import { MAX_TEMPLATE_VERSIONS } from '../../../config/limits.js';
import { Database } from '../../../platform/database/database.js';
import { TemplateVersionRepository } from '../application/ports/template-version.repository.js';
import type { TemplateVersion, TemplateVersionSummary } from '../domain/template.js';

/** The newest version is the row of the template; the table has the former ones. */
@Injectable()
export class SqlTemplateVersionRepository extends TemplateVersionRepository {
  constructor(private readonly database: Database) {
    super();
  }

  async add(accountId: string, templateId: string, former: TemplateVersion): Promise<void> {
    const { version, name, subject, html, text, sampleValues, savedAt } = former;
    const values = [accountId, templateId, version, name, subject, html, text, JSON.stringify(sampleValues), savedAt];
    await this.database.query(ADD, values);
  }

  list(accountId: string, templateId: string): Promise<TemplateVersionSummary[]> {
    return this.database.query(LIST, [accountId, templateId]);
  }

  async find(accountId: string, templateId: string, version: number): Promise<TemplateVersion | null> {
    const [row] = await this.database.query<TemplateVersion>(FIND, [accountId, templateId, version]);
    return row ?? null;
  }
}

const ADD = `
  WITH removed AS (
    DELETE FROM template_versions
    WHERE account_id = $1 AND template_id = $2 AND version <= $3::integer - ${MAX_TEMPLATE_VERSIONS - 1}
  )
  INSERT INTO template_versions
    (account_id, template_id, version, name, subject, html, text, sample_values, saved_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const SUMMARY = 'version, name, subject';
const CONTENT = `${SUMMARY}, html, text, sample_values AS "sampleValues"`;

/** One statement, so that a concurrent save neither hides a version nor shows it twice. */
const versions = (columns: string): string => `
  SELECT ${columns}, updated_at AS "savedAt" FROM templates WHERE account_id = $1 AND id = $2
  UNION ALL
  SELECT ${columns}, saved_at FROM template_versions WHERE account_id = $1 AND template_id = $2`;

const LIST = `${versions(SUMMARY)} ORDER BY version DESC`;

const FIND = `SELECT * FROM (${versions(CONTENT)}) AS versions WHERE version = $3`;
