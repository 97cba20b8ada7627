import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Template } from '../../domain/template.js';

/** Templates of one account. A template of another account is never seen or changed. */
export abstract class TemplateRepository {
  abstract add(template: Template): Promise<void>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Template>>;

  /** Cheap for many callers at once; outside of transactions. */
  abstract find(accountId: string, id: string): Promise<Template | null>;

  /** Nobody else changes the template until the transaction ends. */
  abstract findAndLock(accountId: string, id: string): Promise<Template | null>;

  abstract save(template: Template): Promise<void>;

  /** The template that was removed, null if there was none. */
  abstract remove(accountId: string, id: string): Promise<Template | null>;
}
