import type { WorkerHost } from '@nestjs/bullmq';

import { type JobName, QUEUE_NAMES, QUEUE_OF, type QueueName } from '../../shared/jobs.js';
import { QueueProcessor } from './queue-processor.js';

/**
 * Queue → processor. Throws unless each queue has exactly one processor, which handles exactly the jobs of the queue.
 */
export function checkProcessors(hosts: readonly WorkerHost[]): Map<QueueName, QueueProcessor<QueueName>> {
  const processors = new Map<QueueName, QueueProcessor<QueueName>>();
  for (const host of hosts) {
    if (!(host instanceof QueueProcessor)) throw new Error(`${host.constructor.name} does not extend QueueProcessor`);
    const processor = host as QueueProcessor<QueueName>;
    const queue = queueOf(processor);
    const other = processors.get(queue);
    if (other) throw new Error(`The queue ${queue} has two processors: ${nameOf(other)} and ${nameOf(processor)}`);
    processors.set(queue, processor);
  }
  const missing = QUEUE_NAMES.filter((queue) => !processors.has(queue));
  if (missing.length > 0) throw new Error(`No processor for the queues ${missing.join(', ')}`);
  return processors;
}

/** Throws if `@Processor` names another queue than that of the handlers. Call it once the workers run. */
export function checkWorkers(processors: ReadonlyMap<QueueName, QueueProcessor<QueueName>>): void {
  for (const [queue, processor] of processors) {
    const { name } = processor.worker;
    if (name !== queue)
      throw new Error(`${nameOf(processor)} handles the jobs of ${queue}, but its worker is of ${name}`);
  }
}

function queueOf(processor: QueueProcessor<QueueName>): QueueName {
  const handled = Object.keys(processor.handlers);
  const queue = QUEUE_NAMES.find((name) => isSameSet(jobsOf(name), handled));
  if (queue === undefined)
    throw new Error(
      `${nameOf(processor)} must handle all jobs of one queue and no other: it has ${handled.join(', ')}`,
    );
  return queue;
}

const jobsOf = (queue: QueueName): JobName[] =>
  (Object.keys(QUEUE_OF) as JobName[]).filter((job) => QUEUE_OF[job] === queue);

const isSameSet = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((name) => others.includes(name));

const nameOf = (processor: object): string => processor.constructor.name;
