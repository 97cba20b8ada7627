import { describe, expect, it } from '@jest/globals';

import { readEnvironment } from './env.js';

describe('The environment', () => {
  it('has a default for everything', () => {
    expect(readEnvironment({})).toMatchObject({
      role: 'all',
      port: 3000,
      databaseUrl: undefined,
      redisUrl: undefined,
      dataDir: '.data',
      trustedProxies: 'any',
      contentRetentionDays: 30,
      messageRetentionMonths: 13,
      logLevel: 'info',
      brand: 'Service',
      shutdownGraceMs: 30_000,
      admin: undefined,
    });
  });

  it('takes blank variables as unset', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '  ', ROLE: '' })).toMatchObject({ port: 3000, role: 'all' });
  });

  it('reports all faults at once, each with its variable', () => {
    const read = () =>
      readEnvironment({
        PORT: 'abc',
        ROLE: 'boss',
        DATABASE_URL: 'mysql://localhost/x',
        BASE_URL: 'example.com',
        APP_SECRET: 'short',
        TRUSTED_PROXIES: '10.0.0.0/8',
        LOG_LEVEL: 'loud',
        CONTENT_RETENTION_DAYS: '-1',
      });
    for (const name of [
      'PORT',
      'ROLE',
      'DATABASE_URL',
      'BASE_URL',
      'APP_SECRET',
      'TRUSTED_PROXIES',
      'LOG_LEVEL',
      'CONTENT_RETENTION_DAYS',
    ]) {
      expect(read).toThrow(new RegExp(`^  ${name}[.:]`, 'm'));
    }
  });

  it('wants a secret of its own in production, and both halves of the first admin', () => {
    expect(() => readEnvironment({ NODE_ENV: 'production', DATABASE_URL: 'postgres://localhost/x' })).toThrow(
      /APP_SECRET/,
    );
    expect(() => readEnvironment({ ADMIN_EMAIL: 'a@example.com' })).toThrow(/ADMIN_PASSWORD/);
  });

  it('takes no port for a worker unless it is given one', () => {
    expect(readEnvironment({ ROLE: 'worker' }).port).toBeNull();
    expect(readEnvironment({ ROLE: 'worker', PORT: '4000' }).port).toBe(4000);
  });
});
