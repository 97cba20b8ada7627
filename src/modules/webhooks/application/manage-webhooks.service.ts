import { Injectable } from '@nestjs/common';

import { DomainError } from '../../../shared/domain-error.js';
import { newId } from '../../../shared/ids.js';
import type { Page, PageRequest } from '../../../shared/page.js';
import { Clock } from '../../../shared/ports/clock.js';
import { SecretBox } from '../../../shared/ports/secret-box.js';
import { TransactionRunner } from '../../../shared/ports/transaction-runner.js';
import { type EndpointParts, newSigningSecret, WebhookEndpoint } from '../domain/webhook-endpoint.js';
import { WebhookClient } from './ports/webhook-client.js';
import { WebhookEndpointRepository } from './ports/webhook-endpoint.repository.js';
import { WebhookJobs } from './ports/webhook-delivery.repository.js';

/** Bounds the cost of an event: one delivery per subscribed endpoint. */
@Injectable()
export class ManageWebhooks {
  constructor(
    private readonly transactions: TransactionRunner,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly client: WebhookClient,
    private readonly jobs: WebhookJobs,
    private readonly secrets: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Throws invalid for a URL that must not be posted to, and a conflict if the account has too many endpoints. */
  async create(accountId: string, parts: EndpointParts): Promise<{ endpoint: WebhookEndpoint; signingSecret: string }> {
    this.requireUsable(parts.url);
    const now = this.clock.now();
    const signingSecret = newSigningSecret();
    const endpoint = WebhookEndpoint.create(newId(now), accountId, parts, this.secrets.seal(signingSecret), now);
    await this.endpoints.add(endpoint);
    return { endpoint, signingSecret };
  }

  list(accountId: string, page: PageRequest): Promise<Page<WebhookEndpoint>> {
    return this.endpoints.list(accountId, page);
  }

  async get(accountId: string, id: string): Promise<WebhookEndpoint> {
    return found(await this.endpoints.find(accountId, id));
  }

  /** Absent parts are kept. Enabling an endpoint delivers its pending events at once. */
  async change(
    accountId: string,
    id: string,
    parts: Partial<EndpointParts & { enabled: boolean }>,
  ): Promise<WebhookEndpoint> {
    if (parts.url !== undefined) this.requireUsable(parts.url);
    const endpoint = await this.update(accountId, id, (endpoint) => {
      endpoint.change(parts, this.clock.now());
    });
    if (parts.enabled === true) await this.jobs.enqueue([id]);
    return endpoint;
  }

  /** Clears the failing state unless the URL has changed since. */
  async recordSuccess(accountId: string, id: string, url: string): Promise<void> {
    await this.update(accountId, id, (endpoint) => {
      endpoint.recordSuccess(url);
    });
  }

  /** Attempts in progress still finish. */
  async remove(accountId: string, id: string): Promise<WebhookEndpoint> {
    return found(await this.endpoints.remove(accountId, id, this.clock.now()));
  }

  async revealSecret(accountId: string, id: string): Promise<{ endpoint: WebhookEndpoint; signingSecret: string }> {
    const endpoint = await this.get(accountId, id);
    return { endpoint, signingSecret: this.secrets.open(endpoint.sealedSecret) };
  }

  /** The old secret signs attempts too for 24 hours. Throws a conflict within a minute of the last rotation. */
  async rotateSecret(accountId: string, id: string): Promise<{ endpoint: WebhookEndpoint; signingSecret: string }> {
    const signingSecret = newSigningSecret();
    const endpoint = await this.update(accountId, id, (endpoint) => {
      if (!endpoint.rotateSecret(this.secrets.seal(signingSecret), this.clock.now()))
        throw DomainError.conflict('The signing secret was changed less than a minute ago');
    });
    return { endpoint, signingSecret };
  }

  private update(accountId: string, id: string, change: (endpoint: WebhookEndpoint) => void): Promise<WebhookEndpoint> {
    return this.transactions.runInLane(accountId, async () => {
      const endpoint = found(await this.endpoints.findAndLock(accountId, id));
      change(endpoint);
      await this.endpoints.save(endpoint);
      return endpoint;
    });
  }

  private requireUsable(url: string): void {
    const fault = this.client.faultOf(url);
    if (fault !== null) throw DomainError.invalid(`url ${fault}`);
  }
}

function found(endpoint: WebhookEndpoint | null): WebhookEndpoint {
  if (!endpoint) throw DomainError.notFound('Webhook endpoint');
  return endpoint;
}
