import type { Channel } from './channel.js';

/** The queues, one per workload; each has its own concurrency, so that none delays another. */
export const QUEUE_NAMES = ['email-delivery', 'maintenance', 'sms-delivery', 'webhook-delivery'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export interface DeliveryPayload {
  accountId: string;
  messageIds: string[];
}

/** Job name → payload. A job holds ids only: the rows are the truth, the job is the alarm clock. */
export interface JobPayloads {
  'deliver-email': DeliveryPayload;
  'deliver-sms': DeliveryPayload;
  'deliver-webhooks': { endpointIds: string[] };
  'import-contacts': { accountId: string };
}
export type JobName = keyof JobPayloads;

export const QUEUE_OF: Record<JobName, QueueName> = {
  'deliver-email': 'email-delivery',
  'deliver-sms': 'sms-delivery',
  'deliver-webhooks': 'webhook-delivery',
  'import-contacts': 'maintenance',
};

export const DELIVERY_JOB_OF = {
  email: 'deliver-email',
  sms: 'deliver-sms',
} as const satisfies Record<Channel, JobName>;
export type DeliveryJobName = (typeof DELIVERY_JOB_OF)[Channel];
