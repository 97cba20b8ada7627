import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { SesClients } from '../../platform/aws/aws-clients.js';
import { SesRate } from './ses-rate.js';

const ACCESS = { region: 'us-east-1', credentials: null };

describe('SesRate', () => {
  let answers: (number | Error | Promise<number>)[];
  let asked: number;
  let now: number;
  let limits: SesRate;

  beforeEach(() => {
    now = 1_000;
    jest.useFakeTimers({ doNotFake: ['performance'] });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    answers = [];
    asked = 0;
    const send = async () => {
      asked += 1;
      const answer = await answers.shift();
      if (answer instanceof Error) throw answer;
      return { SendQuota: { MaxSendRate: answer } };
    };
    limits = new SesRate({ get: () => ({ send }) } as unknown as SesClients);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const advance = async (ms: number) => {
    now += ms;
    await jest.advanceTimersByTimeAsync(ms);
  };
  const rate = async () => (await limits.limitOf(ACCESS)).rate;
  const nextIteration = () => advance(0);

  it('asks SES once for concurrent messages', async () => {
    answers = [50];
    expect(await Promise.all([rate(), rate(), rate()])).toEqual([50, 50, 50]);
    expect(await rate()).toBe(50);
    expect(asked).toBe(1);
  });

  it('uses the previous rate while SES is asked again after five minutes', async () => {
    answers = [50, 80];
    await rate();
    await advance(5 * 60_000 - 1);
    expect([await rate(), asked]).toEqual([50, 1]);
    await advance(2);
    expect([await rate(), asked]).toEqual([50, 2]);
    await nextIteration();
    expect([await rate(), asked]).toEqual([80, 2]);
  });

  it('uses the rate of a new account, and asks again after 30 seconds, if SES fails', async () => {
    answers = [new Error('AccessDenied'), 50];
    expect([await rate(), await rate(), asked]).toEqual([14, 14, 1]);
    await advance(30_001);
    await rate();
    await nextIteration();
    expect([await rate(), asked]).toEqual([50, 2]);
  });

  it.each([0, -1, NaN, Infinity, -Infinity, Number.MIN_VALUE, 0.05])(
    'uses the rate of a new account if SES reports %d, with which no slot has a length',
    async (reported) => {
      answers = [reported];
      expect(await rate()).toBe(14);
    },
  );

  it('keeps the previous rate if SES fails later', async () => {
    answers = [50, new Error('Throttled')];
    await rate();
    await advance(5 * 60_000 + 1);
    await rate();
    await nextIteration();
    expect([await rate(), asked]).toEqual([50, 2]);
  });

  it('does not hold up mail longer than two seconds', async () => {
    let answer: (rate: number) => void = () => undefined;
    answers = [new Promise((resolve) => (answer = resolve))];
    const found = rate();
    await advance(2_000);
    expect(await found).toBe(14);
    answer(50);
    await nextIteration();
    expect([await rate(), asked]).toEqual([50, 1]);
  });
});
