import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { SesClients } from '../../platform/aws/aws-clients.js';
import type { Tracking } from '../../shared/account-provider.js';
import type { SesConnection } from './ses-connection.js';
import { SesTracking } from './ses-tracking.js';

describe('SesTracking', () => {
  let types: string[];
  let commands: string[];
  let failure: Error | null;
  let tracking: SesTracking;
  let now: number;

  beforeEach(() => {
    now = 1_000;
    jest.useFakeTimers({ doNotFake: ['performance'] });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    types = ['SEND', 'OPEN', 'CLICK'];
    commands = [];
    failure = null;
    const send = (command: { constructor: { name: string }; input: unknown }) => {
      commands.push(command.constructor.name.startsWith('Get') ? 'get' : 'update');
      if (failure) return Promise.reject(failure);
      if (commands.at(-1) === 'get')
        return Promise.resolve({ EventDestinations: [{ Name: 'events', MatchingEventTypes: types }] });
      types = (command.input as { EventDestination: { MatchingEventTypes: string[] } }).EventDestination
        .MatchingEventTypes;
      return Promise.resolve({});
    };
    tracking = new SesTracking({ get: () => ({ send }) } as unknown as SesClients);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const advance = async (ms: number) => {
    now += ms;
    await jest.advanceTimersByTimeAsync(ms);
  };
  const ensure = (wanted: Tracking) =>
    tracking.ensure({
      kind: 'ses',
      access: { region: 'us-east-1', credentials: null },
      configurationSet: 'set',
      tracking: wanted,
    } as SesConnection);

  it('removes opens and clicks unless the provider tracks', async () => {
    await ensure('native');
    expect(types).toEqual(['SEND']);
    await ensure('provider');
    expect(types).toEqual(['SEND', 'OPEN', 'CLICK']);
    await ensure('native');
    expect(types).toEqual(['SEND']);
  });

  it('checks once an hour', async () => {
    await Promise.all([ensure('native'), ensure('native')]);
    await ensure('native');
    expect(commands).toEqual(['get', 'update']);
    await advance(3_600_001);
    await ensure('native');
    expect(commands).toEqual(['get', 'update', 'get']);
  });

  it('tries again ten seconds after a failure', async () => {
    failure = new Error('Throttled');
    await ensure('native');
    failure = null;
    await ensure('native');
    expect(commands).toEqual(['get']);
    await advance(10_001);
    await ensure('native');
    expect(commands).toEqual(['get', 'get', 'update']);
  });
});
