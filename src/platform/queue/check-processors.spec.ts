import { WorkerHost } from '@nestjs/bullmq';
import { describe, expect, it } from '@jest/globals';

import type { JobPayloads, QueueName } from '../../shared/jobs.js';
import { checkProcessors } from './check-processors.js';
import { type JobHandlers, QueueProcessor } from './queue-processor.js';

const done = () => Promise.resolve();

class Campaigns extends QueueProcessor<'campaigns'> {
  readonly handlers: JobHandlers<'campaigns'> = { 'run-campaign': done };
}
class Email extends QueueProcessor<'email-delivery'> {
  readonly handlers: JobHandlers<'email-delivery'> = { 'deliver-email': done };
}
class Bulk extends QueueProcessor<'bulk-delivery'> {
  readonly handlers: JobHandlers<'bulk-delivery'> = { 'deliver-bulk': done };
}
class BulkSms extends QueueProcessor<'bulk-sms-delivery'> {
  readonly handlers: JobHandlers<'bulk-sms-delivery'> = { 'deliver-bulk-sms': done };
}
class Sms extends QueueProcessor<'sms-delivery'> {
  readonly handlers: JobHandlers<'sms-delivery'> = { 'deliver-sms': done };
}
class Webhooks extends QueueProcessor<'webhook-delivery'> {
  readonly handlers: JobHandlers<'webhook-delivery'> = { 'deliver-webhooks': done };
}
class Maintenance extends QueueProcessor<'maintenance'> {
  readonly handlers: JobHandlers<'maintenance'> = { 'import-contacts': done };
}

/** Handlers as they must not be, past the compiler. */
const withHandlers = (handlers: Record<string, typeof done>): WorkerHost => {
  class Faulty extends QueueProcessor<QueueName> {
    readonly handlers = handlers as unknown as JobHandlers<QueueName>;
  }
  return new Faulty();
};

const others = () => [new Bulk(), new BulkSms(), new Campaigns(), new Sms(), new Webhooks(), new Maintenance()];

describe('checkProcessors', () => {
  it('returns the processor of each queue', () => {
    const email = new Email();
    const processors = checkProcessors([email, ...others()]);
    expect(processors.get('email-delivery')).toBe(email);
    expect([...processors.keys()].sort()).toEqual([
      'bulk-delivery',
      'bulk-sms-delivery',
      'campaigns',
      'email-delivery',
      'maintenance',
      'sms-delivery',
      'webhook-delivery',
    ]);
  });

  it('refuses a queue without a processor', () => {
    expect(() => checkProcessors(others())).toThrow('No processor for the queues email-delivery');
  });

  it('refuses two processors of one queue', () => {
    expect(() => checkProcessors([new Email(), new Email(), ...others()])).toThrow(
      'The queue email-delivery has two processors: Email and Email',
    );
  });

  it.each([
    ['without a handler', {}],
    ['with a handler of another queue', { 'deliver-email': done, 'deliver-sms': done }],
    ['with a handler of no job', { 'deliver-email': done, 'deliver-fax': done }],
  ])('refuses a processor %s', (_, handlers) => {
    expect(() => checkProcessors([withHandlers(handlers), ...others()])).toThrow(
      'Faulty must handle all jobs of one queue and no other',
    );
  });

  it('refuses a worker that is not a QueueProcessor, because a stop would not wait for its jobs', () => {
    class Stray extends WorkerHost {
      process = done;
    }
    expect(() => checkProcessors([new Stray(), new Email(), ...others()])).toThrow(
      'Stray does not extend QueueProcessor',
    );
  });

  it('has a compiler that refuses missing and foreign handlers', () => {
    // @ts-expect-error no handler
    const missing: JobHandlers<'email-delivery'> = {};
    // @ts-expect-error a handler of another queue
    const foreign: JobHandlers<'email-delivery'> = { 'deliver-email': done, 'deliver-sms': done };
    const drain = ({ endpointIds }: JobPayloads['deliver-webhooks']) => Promise.reject(new Error(endpointIds.join()));
    // @ts-expect-error a payload of another job
    const mistyped: JobHandlers<'maintenance'> = { 'import-contacts': drain };
    expect([missing, foreign, mistyped]).toHaveLength(3);
  });
});
