import { setTimeout as pause } from 'node:timers/promises';

import type { EventDestination, EventType, SESv2Client } from '@aws-sdk/client-sesv2';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { sesSdk } from '../../platform/aws/aws-sdk.js';
import { SesClients } from '../../platform/aws/aws-clients.js';
import type { AwsAccess } from '../../shared/aws-access.js';
import type { SesConnection } from './ses-connection.js';

const VALID_FOR_MS = 3_600_000;
const RETRY_AFTER_MS = 10_000;
/** The time limit for the update: mail does not wait longer. */
const UPDATE_TIMEOUT_MS = 2_000;
const MAX_CACHED = 1_000;
const TRACKING_EVENTS: readonly EventType[] = ['OPEN', 'CLICK'];

interface Update {
  tracked: boolean;
  done: Promise<void>;
}

/**
 * SES rewrites links and adds a pixel if an event destination of the configuration set includes opens or clicks. These
 * events are added to all destinations if the account uses the tracking of its provider, and removed from all
 * otherwise.
 */
@Injectable()
export class SesTracking {
  private readonly logger = new Logger(SesTracking.name);
  private readonly updates = new LRUCache<string, Update>({ max: MAX_CACHED, ttl: VALID_FOR_MS });

  constructor(private readonly clients: SesClients) {}

  /**
   * Updates the destinations hourly and after a change of the setting. Logs a failure, which does not stop messages.
   */
  async ensure({ access, configurationSet, tracking }: SesConnection): Promise<void> {
    if (configurationSet === null) return;
    const tracked = tracking === 'provider';
    const key = JSON.stringify([access, configurationSet]);
    const cached = this.updates.get(key);
    const update = cached?.tracked === tracked ? cached : this.update(key, access, configurationSet, tracked);
    await Promise.race([update.done, pause(UPDATE_TIMEOUT_MS, undefined, { ref: false })]);
  }

  private update(key: string, access: AwsAccess, configurationSet: string, tracked: boolean): Update {
    const done = this.apply(this.clients.get(access), configurationSet, tracked).catch((error: unknown) => {
      if (this.updates.peek(key) === update) this.updates.set(key, update, { ttl: RETRY_AFTER_MS });
      const reason = (error as Error).message;
      this.logger.warn(`The tracking of the configuration set ${configurationSet} could not be set: ${reason}`);
    });
    const update: Update = { tracked, done };
    this.updates.set(key, update);
    return update;
  }

  private async apply(client: SESv2Client, name: string, tracked: boolean): Promise<void> {
    const { EventDestinations = [] } = await client.send(
      new (sesSdk().GetConfigurationSetEventDestinationsCommand)({ ConfigurationSetName: name }),
    );
    for (const destination of EventDestinations) await this.adjust(client, name, destination, tracked);
  }

  private async adjust(client: SESv2Client, set: string, found: EventDestination, tracked: boolean): Promise<void> {
    const { Name, MatchingEventTypes: types = [], ...destination } = found;
    const others = types.filter((type) => !TRACKING_EVENTS.includes(type));
    const wanted = tracked ? [...others, ...TRACKING_EVENTS] : others;
    if (wanted.length === types.length && wanted.every((type) => types.includes(type))) return;
    await client.send(
      new (sesSdk().UpdateConfigurationSetEventDestinationCommand)({
        ConfigurationSetName: set,
        EventDestinationName: Name,
        EventDestination: { ...destination, MatchingEventTypes: wanted },
      }),
    );
  }
}
