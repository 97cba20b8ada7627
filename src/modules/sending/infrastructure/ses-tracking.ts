import { setTimeout as pause } from 'node:timers/promises';

import {
  type EventDestination,
  type EventType,
  GetConfigurationSetEventDestinationsCommand,
  type SESv2Client,
  UpdateConfigurationSetEventDestinationCommand,
} from '@aws-sdk/client-sesv2';
import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import { SesClients } from '../../../platform/aws/aws-clients.js';
import type { AwsAccess, SesProvider } from '../../../shared/account-provider.js';

const ENSURED_FOR_MS = 3_600_000;
const TRY_AGAIN_AFTER_MS = 10_000;
/** Mail does not wait longer for it. */
const ENSURED_WITHIN_MS = 2_000;
const MAX_REMEMBERED = 1_000;
const TRACKING: readonly EventType[] = ['OPEN', 'CLICK'];

interface Ensured {
  tracked: boolean;
  done: Promise<void>;
}

/**
 * SES rewrites links and adds a pixel where an event destination of the configuration set asks for opens or clicks. They
 * are taken out of every destination unless the account wants its provider to track, and then put into all of them.
 */
@Injectable()
export class SesTracking {
  private readonly logger = new Logger(SesTracking.name);
  private readonly ensured = new LRUCache<string, Ensured>({ max: MAX_REMEMBERED, ttl: ENSURED_FOR_MS });

  constructor(private readonly clients: SesClients) {}

  /** Looks once an hour and after a change. Where it fails messages are sent all the same, and the log says so. */
  async ensure({ access, configurationSet, tracking }: SesProvider): Promise<void> {
    if (configurationSet === null) return;
    const tracked = tracking === 'provider';
    const key = JSON.stringify([access, configurationSet]);
    const ensured = this.ensured.get(key);
    const entry = ensured?.tracked === tracked ? ensured : this.begin(key, access, configurationSet, tracked);
    await Promise.race([entry.done, pause(ENSURED_WITHIN_MS, undefined, { ref: false })]);
  }

  private begin(key: string, access: AwsAccess, configurationSet: string, tracked: boolean): Ensured {
    const done = this.apply(this.clients.of(access), configurationSet, tracked).catch((error: unknown) => {
      if (this.ensured.peek(key) === entry) this.ensured.set(key, entry, { ttl: TRY_AGAIN_AFTER_MS });
      const reason = (error as Error).message;
      this.logger.warn(`The tracking of the configuration set ${configurationSet} could not be set: ${reason}`);
    });
    const entry: Ensured = { tracked, done };
    this.ensured.set(key, entry);
    return entry;
  }

  private async apply(client: SESv2Client, name: string, tracked: boolean): Promise<void> {
    const { EventDestinations = [] } = await client.send(
      new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName: name }),
    );
    for (const destination of EventDestinations) await this.adjust(client, name, destination, tracked);
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
