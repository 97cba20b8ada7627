import type { Page, PageRequest } from '../../../../shared/page.js';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint.js';

/** Every method is scoped to one account: endpoints of other accounts are invisible. */
export abstract class WebhookEndpointRepository {
  /** Throws a conflict if the account has MAX_WEBHOOK_ENDPOINTS; exact under concurrency. */
  abstract add(endpoint: WebhookEndpoint): Promise<void>;

  /** Newest first. */
  abstract list(accountId: string, page: PageRequest): Promise<Page<WebhookEndpoint>>;

  abstract find(accountId: string, id: string): Promise<WebhookEndpoint | null>;

  /** Other transactions cannot change the endpoint until this one ends. */
  abstract findAndLock(accountId: string, id: string): Promise<WebhookEndpoint | null>;

  abstract save(endpoint: WebhookEndpoint): Promise<void>;

  /** Hides the endpoint and its deliveries, which are removed later. Returns the endpoint as it was. */
  abstract remove(accountId: string, id: string, now: Date): Promise<WebhookEndpoint | null>;
}
