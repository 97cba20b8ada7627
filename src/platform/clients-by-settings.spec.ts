import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { ClientsBySettings } from './clients-by-settings.js';

interface Settings {
  host: string;
  password: string;
}

class Client {
  isClosed = false;

  constructor(readonly host: string) {}
}

class TestClients extends ClientsBySettings<Settings, Client> {
  constructor(busyForMs?: number) {
    super({
      open: ({ host }) => new Client(host),
      close: (client) => {
        client.isClosed = true;
      },
      max: 2,
      busyForMs,
    });
  }
}

describe('ClientsBySettings', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const settings = (host: string, password = 'secret') => ({ host, password });

  it('keeps one client for the same settings, and opens another when any of them changes', () => {
    const clients = new TestClients();
    const client = clients.get(settings('a'));
    expect(clients.get(settings('a'))).toBe(client);
    expect(clients.get(settings('a', 'new secret'))).not.toBe(client);
    expect(client).toEqual({ host: 'a', isClosed: false });
  });

  it('closes the least recently used client when there are too many', () => {
    const clients = new TestClients();
    const [a, b] = [clients.get(settings('a')), clients.get(settings('b'))];
    clients.get(settings('a'));
    const c = clients.get(settings('c'));
    expect([a, b, c].map(({ isClosed }) => isClosed)).toEqual([false, true, false]);
    expect(clients.get(settings('b'))).not.toBe(b);
  });

  it('closes a client that may be busy only after that time', () => {
    const clients = new TestClients(1_000);
    const [a] = ['a', 'b', 'c'].map((host) => clients.get(settings(host)));
    jest.advanceTimersByTime(999);
    expect(a!.isClosed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(a!.isClosed).toBe(true);
  });

  it('closes all clients when the service stops', () => {
    const clients = new TestClients(1_000);
    const open = ['a', 'b'].map((host) => clients.get(settings(host)));
    clients.onApplicationShutdown();
    expect(open.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });
});
