import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Template } from '../../domain/template.js';

/** Templates of one account; those of other accounts are invisible. */
export abstract class TemplateRepository {
  /** Throws a conflict if the account has MAX_TEMPLATES; exact under concurrency. */
  abstract add(template: Template): Promise<void>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Template>>;

  /** Batched for concurrent callers; not for use in a transaction. */
  abstract find(accountId: string, id: string): Promise<Template | null>;

  /** Locks the template until the transaction ends. */
  abstract findAndLock(accountId: string, id: string): Promise<Template | null>;

  abstract save(template: Template): Promise<void>;

  /** Returns the template that was removed, or null if there was none. */
  abstract remove(accountId: string, id: string): Promise<Template | null>;
}
