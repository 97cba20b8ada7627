import type { TemplateVersion, TemplateVersionSummary } from '../../domain/template.js';

/** Versions of the templates of one account; those of other accounts are invisible. */
export abstract class TemplateVersionRepository {
  /**
   * Keeps the content of the template from before a change, and removes the versions beyond MAX_TEMPLATE_VERSIONS. Call
   * it in the transaction that has locked the template.
   */
  abstract add(accountId: string, templateId: string, former: TemplateVersion): Promise<void>;

  /** All versions, newest first; empty if there is no such template. */
  abstract list(accountId: string, templateId: string): Promise<TemplateVersionSummary[]>;

  abstract find(accountId: string, templateId: string, version: number): Promise<TemplateVersion | null>;
}
