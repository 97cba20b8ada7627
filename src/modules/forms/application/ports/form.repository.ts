import type { Page, PageRequest } from '../../../../shared/page.js';
import type { Form } from '../../domain/form.js';

/** Forms with every version of their wording. Those of other accounts are invisible. */
export abstract class FormRepository {
  /** Throws a conflict if the account has MAX_FORMS; exact under concurrency. */
  abstract add(form: Form): Promise<void>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<Form>>;

  abstract find(accountId: string, id: string): Promise<Form | null>;

  /** Finds a form for the public pages, whose visitors know the id and nothing else. */
  abstract findAcrossAccounts(id: string): Promise<Form | null>;

  /** Locks the form until the transaction ends. */
  abstract findAndLock(accountId: string, id: string): Promise<Form | null>;

  /** Call it in the transaction that has locked the form. Stores a new version of the wording; the counts stay. */
  abstract save(form: Form): Promise<void>;

  /**
   * Removes the form and returns it, or null if there was none. Its sign-ups are removed after the commit, in batches;
   * a purge removes those that were locked meanwhile, or stored in the same moment.
   */
  abstract remove(accountId: string, id: string): Promise<Form | null>;
}
