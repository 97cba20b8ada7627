import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { Config } from '../../../config/config.js';
import { urlFault } from '../../../platform/safe-http/check-url.js';
import { HttpFailure, SafeHttpClient } from '../../../platform/safe-http/safe-http-client.js';
import {
  NoReplyError,
  WebhookClient,
  type WebhookPost,
  type WebhookReply,
} from '../application/ports/webhook-client.js';

const TIMEOUT_MS = 15_000;

@Injectable()
export class SafeWebhookClient extends WebhookClient implements OnApplicationShutdown {
  private readonly client: SafeHttpClient;
  private readonly rules: { httpsOnly: boolean; allowPrivate: boolean };

  constructor({ isProduction, webhookAllowPrivateNetworks: allowPrivate }: Config) {
    super();
    this.client = new SafeHttpClient({ allowPrivate });
    this.rules = { httpsOnly: isProduction, allowPrivate };
  }

  faultOf(url: string): string | null {
    return urlFault(url, this.rules);
  }

  async post(request: WebhookPost): Promise<WebhookReply> {
    try {
      return await this.client.post({ ...request, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (error instanceof HttpFailure) throw new NoReplyError(error.message, { cause: error });
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
