import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';

import type { PostContext, ProviderPost, ProviderReceipt, ReadsReports } from '../../src/providers/index.js';
import {
  PermanentDeliveryError,
  ProviderPausedError,
  ThrottledError,
  TransientDeliveryError,
  UnknownOutcomeError,
} from '../../src/shared/delivery-error.js';
import { LeaseEndedError, NotSubmittedError, type SubmissionCheck } from '../../src/shared/submission-check.js';

/** What the far side of a provider can be made to do. A time-out, which takes minutes, ends like a cut connection. */
export type Behaviour =
  | 'refuses for good'
  | 'refuses for now'
  | 'throttles'
  | 'refuses the credentials'
  | 'cannot be connected to'
  | 'is cut off before it has the message'
  | 'is cut off after it has the message'
  | 'cannot be read after it has the message';

type DeliveryErrorClass = abstract new (...values: never[]) => Error;

/** Unless the provider says otherwise: some cannot tell these from each other. */
const ERRORS: Record<Behaviour, DeliveryErrorClass> = {
  'refuses for good': PermanentDeliveryError,
  'refuses for now': TransientDeliveryError,
  throttles: ThrottledError,
  'refuses the credentials': ProviderPausedError,
  'cannot be connected to': TransientDeliveryError,
  'is cut off before it has the message': TransientDeliveryError,
  'is cut off after it has the message': UnknownOutcomeError,
  'cannot be read after it has the message': UnknownOutcomeError,
};

/** A post about a delivered message, and one that the provider has not made. */
export interface ReportSamples {
  reader: ReadsReports;
  genuine: ProviderPost;
  forged: ProviderPost;
  context: PostContext;
  /** The name of the provider in its events. */
  provider: string;
}

/** What a provider does not have or do, and why. A rig states it: nothing is left out in silence. */
export class Absent {
  constructor(readonly reason: string) {}
}
export const absent = (reason: string): Absent => new Absent(reason);

/** A part of a rig; null if the rig states that there is none. Throws if the rig says nothing about it. */
export function partOf<Part>(part: Part | Absent | undefined, name: string): Part | null {
  if (part === undefined) throw new Error(`The rig neither has "${name}" nor states why the provider does not`);
  if (!(part instanceof Absent)) return part;
  if (!/\w \w/.test(part.reason)) throw new Error(`The rig does not say why the provider has no "${name}"`);
  return null;
}

/** A provider with a connection to a far side of its own. */
export interface ProviderRig {
  kind: string;
  /** What is stated to be absent must not be among its methods. */
  provider: () => object;
  /** The secrets of the connection: nothing that the provider says or logs contains one. */
  secrets: readonly string[];
  submit(check: SubmissionCheck): Promise<ProviderReceipt>;
  /** How many messages the far side has taken. */
  accepted(): number;
  /** What the far side can do, until `reset`. */
  behave: Record<Behaviour, (() => void) | Absent>;
  errors?: Partial<Record<Behaviour, DeliveryErrorClass>>;
  /** Whether it waits between its check and the submission, in which a lease can end. */
  waits: true | Absent;
  limit: (() => unknown) | Absent;
  findFault: (() => Promise<string | null>) | Absent;
  reports: readonly ReportSamples[] | Absent;
  reset(): void;
  stop(): Promise<void>;
}

const check = (changes: Partial<SubmissionCheck> = {}): SubmissionCheck => ({
  confirm: () => Promise.resolve(),
  isConfirmed: () => false,
  isHeld: () => true,
  ...changes,
});

const LOGS = ['log', 'warn', 'error', 'debug', 'verbose', 'fatal'] as const;

/** What the service relies on, of every provider. */
export function describeProvider(name: string, start: () => Promise<ProviderRig>): void {
  describe(`The provider ${name}`, () => {
    let rig: ProviderRig;
    let said: unknown[];

    beforeAll(async () => {
      rig = await start();
    });
    afterAll(() => rig.stop());
    beforeEach(() => {
      said = [];
      rig.reset();
      for (const level of LOGS)
        jest.spyOn(Logger.prototype, level).mockImplementation((...logged: unknown[]) => void said.push(...logged));
      for (const level of ['log', 'warn', 'error'] as const)
        jest.spyOn(console, level).mockImplementation((...logged) => void said.push(...(logged as unknown[])));
    });
    afterEach(() => {
      jest.restoreAllMocks();
      const text = said.map((one) => (one instanceof Error ? one.stack : JSON.stringify(one))).join('\n');
      for (const secret of rig.secrets) expect(text).not.toContain(secret);
    });

    const failure = async (given = check()): Promise<unknown> => {
      const error: unknown = await rig.submit(given).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      said.push(error);
      return error;
    };

    const lacks = (method: string) => {
      expect(rig.provider()).not.toHaveProperty(method);
    };

    it('asks the check, submits the message once, and says what the provider said', async () => {
      const confirm = jest.fn(() => Promise.resolve());
      const receipt = await rig.submit(check({ confirm }));
      said.push(receipt);
      expect(receipt).toEqual({
        ...{ provider: rig.kind, providerMessageId: expect.stringMatching(/./), response: expect.stringMatching(/./) },
      });
      expect(confirm).toHaveBeenCalled();
      expect(rig.accepted()).toBe(1);
    });

    it('submits nothing that the check refuses, such as when the process stops, and throws what the check threw', async () => {
      const refusal = new NotSubmittedError('The process stops');
      expect(await failure(check({ confirm: () => Promise.reject(refusal) }))).toBe(refusal);
      expect(rig.accepted()).toBe(0);
    });

    it('submits nothing if the lease ends between the check and the submission', async () => {
      if (!partOf(rig.waits, 'waits')) return;
      expect(await failure(check({ isHeld: () => false }))).toBeInstanceOf(LeaseEndedError);
      expect(rig.accepted()).toBe(0);
    });

    it.each(Object.keys(ERRORS) as Behaviour[])('classifies the error if it %s', async (behaviour) => {
      const behave = partOf(rig.behave[behaviour], behaviour);
      if (!behave) return;
      behave();
      const error = await failure();
      const expected = rig.errors?.[behaviour] ?? ERRORS[behaviour];
      expect(error).toBeInstanceOf(expected);
      if (expected !== UnknownOutcomeError) expect(error).not.toBeInstanceOf(UnknownOutcomeError);
      expect((error as Error).message).not.toBe('');
      if (!behaviour.endsWith('after it has the message')) expect(rig.accepted()).toBe(0);
      rig.reset();
      await rig.submit(check());
      expect(rig.accepted()).toBeGreaterThan(0);
    });

    it('checks the connection without sending anything', async () => {
      const findFault = partOf(rig.findFault, 'findFault');
      if (!findFault) {
        lacks('findFault');
        return;
      }
      expect(await findFault()).toBeNull();
      partOf(rig.behave['refuses the credentials'], 'refuses the credentials')?.();
      const fault = await findFault();
      said.push(fault);
      expect(fault).toMatch(/./);
      expect(rig.accepted()).toBe(0);
    });

    it('names its limit without a secret', async () => {
      const limit = partOf(rig.limit, 'limit');
      if (!limit) {
        lacks('limitOf');
        return;
      }
      const given = await limit();
      said.push(given);
      expect(given).toEqual({ rate: expect.any(Number), key: expect.stringMatching(/./) });
    });

    it('reads a genuine report, and refuses a forged one and one without a key', async () => {
      const reports = partOf(rig.reports, 'reports');
      if (reports) expect(reports).not.toEqual([]);
      else lacks('read');
      for (const { reader, genuine, forged, context, provider } of reports ?? []) {
        const report = await reader.read(genuine, context);
        expect(report).toMatchObject({ kind: 'events', provider });
        const [event] = report?.kind === 'events' ? report.events : [];
        expect(event).toMatchObject({ type: 'delivered', identity: expect.any(Array) });
        said.push(report);
        const refusal = { kind: 'forbidden' };
        const unset = { ...context, settings: { ...context.settings, smtp: null, ses: null, sms: null } };
        for (const [post, given] of [
          [forged, context],
          [genuine, unset],
        ] as const)
          await expect((async () => reader.read(post, given))()).rejects.toMatchObject(refusal);
      }
    });
  });
}
