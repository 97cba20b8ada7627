import type { Page, PageRequest } from '../../../../shared/page.js';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint.js';

/** Endpoints of one account. One of another account is never seen or changed. */
export abstract class WebhookEndpointRepository {
  /** False, and adds none, where the account has `most` already, however many calls come at once. */
  abstract addUpTo(most: number, endpoint: WebhookEndpoint): Promise<boolean>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<WebhookEndpoint>>;

  abstract find(accountId: string, id: string): Promise<WebhookEndpoint | null>;

  /** Nobody else changes the endpoint until the transaction ends. */
  abstract findAndLock(accountId: string, id: string): Promise<WebhookEndpoint | null>;

  abstract save(endpoint: WebhookEndpoint): Promise<void>;

  /** It and its deliveries are not seen any more, and are to be cleared. The endpoint as it was, null if there was none. */
  abstract remove(accountId: string, id: string, now: Date): Promise<WebhookEndpoint | null>;
}
