import type { Channel } from './channel.js';

/** The queues, one per workload; each has its own concurrency, so that none delays another. */
export const QUEUE_NAMES = ['email-delivery', 'maintenance', 'sms-delivery', 'webhook-delivery'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export interface DeliveryPayload {
  accountId: string;
  messageIds: string[];
}

/** Job name → payload. A job holds ids only: the rows are the truth, the job only triggers work. */
export interface JobPayloads {
  'deliver-email': DeliveryPayload;
  'deliver-sms': DeliveryPayload;
  'deliver-webhooks': { endpointIds: string[] };
  'import-contacts': { accountId: string };
}
export type JobName = keyof JobPayloads;

/** The queue of each job. */
export const QUEUE_OF = {
  'deliver-email': 'email-delivery',
  'deliver-sms': 'sms-delivery',
  'deliver-webhooks': 'webhook-delivery',
  'import-contacts': 'maintenance',
} as const satisfies Record<JobName, QueueName>;

/** The jobs of a queue. */
export type JobOf<Q extends QueueName> = {
  [N in JobName]: (typeof QUEUE_OF)[N] extends Q ? N : never;
}[JobName];

export const DELIVERY_JOB_OF = {
  email: 'deliver-email',
  sms: 'deliver-sms',
} as const satisfies Record<Channel, JobName>;
