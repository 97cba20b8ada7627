import {
  type EventDestination,
  type EventType,
  GetConfigurationSetEventDestinationsCommand,
  type SESv2Client,
  UpdateConfigurationSetEventDestinationCommand,
} from '@aws-sdk/client-sesv2';
import { Injectable, Logger } from '@nestjs/common';

import { SesClients } from '../../../platform/aws/ses-clients.js';
import type { SesProvider } from '../../../shared/account-provider.js';

const ENSURED_FOR_MS = 3_600_000;
const MAX_REMEMBERED = 1_000;
const TRACKING: readonly EventType[] = ['OPEN', 'CLICK'];

/**
 * SES rewrites links and adds a pixel where an event destination of the configuration set asks for opens or clicks. They
 * are taken out of every destination unless the account wants its provider to track, and then put into all of them.
 */
@Injectable()
export class SesTracking {
  private readonly logger = new Logger(SesTracking.name);
  private readonly ensured = new Map<string, { done: Promise<void>; until: number }>();

  constructor(private readonly clients: SesClients) {}

  /** Looks once an hour. Without the permissions for it messages are sent all the same, and the log says so. */
  async ensure(provider: SesProvider): Promise<void> {
    if (provider.configurationSet === null) return;
    const { access, configurationSet, tracking } = provider;
    const key = JSON.stringify([access.region, access.credentials?.accessKeyId, configurationSet, tracking]);
    const known = this.ensured.get(key);
    const now = performance.now();
    if (known && known.until > now) return known.done;
    if (this.ensured.size >= MAX_REMEMBERED) this.ensured.clear();
    const done = this.apply(this.clients.of(access), configurationSet, tracking === 'provider');
    this.ensured.set(key, { done, until: now + ENSURED_FOR_MS });
    return done;
  }

  private async apply(client: SESv2Client, name: string, tracked: boolean): Promise<void> {
    try {
      const { EventDestinations = [] } = await client.send(
        new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName: name }),
      );
      for (const destination of EventDestinations) await this.adjust(client, name, destination, tracked);
    } catch (error) {
      this.logger.warn(`The tracking of the configuration set ${name} could not be set: ${(error as Error).message}`);
    }
  }

  private async adjust(client: SESv2Client, set: string, found: EventDestination, tracked: boolean): Promise<void> {
    const { Name, MatchingEventTypes: types = [], ...destination } = found;
    const others = types.filter((type) => !TRACKING.includes(type));
    const wanted = tracked ? [...others, ...TRACKING] : others;
    if (wanted.length === types.length && wanted.every((type) => types.includes(type))) return;
    await client.send(
      new UpdateConfigurationSetEventDestinationCommand({
        ConfigurationSetName: set,
        EventDestinationName: Name,
        EventDestination: { ...destination, MatchingEventTypes: wanted },
      }),
    );
  }
}
