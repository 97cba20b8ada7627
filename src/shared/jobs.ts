import type { DeliveryLane } from './channel.js';

/** One queue per workload, each with its own concurrency, so that none delays another. */
export const QUEUE_NAMES = [
  'bulk-delivery',
  'bulk-sms-delivery',
  'campaigns',
  'email-delivery',
  'maintenance',
  'sms-delivery',
  'webhook-delivery',
] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

export interface DeliveryPayload {
  accountId: string;
  messageIds: string[];
}

/** Job name → payload. A payload holds ids only: the rows are the source of truth, a job triggers work. */
export interface JobPayloads {
  'deliver-bulk': DeliveryPayload;
  'deliver-bulk-sms': DeliveryPayload;
  'deliver-email': DeliveryPayload;
  'deliver-sms': DeliveryPayload;
  'deliver-webhooks': { endpointIds: string[] };
  'import-contacts': { accountId: string };
  'run-campaign': { accountId: string; campaignId: string };
}
export type JobName = keyof JobPayloads;

/** Job name → queue. */
export const QUEUE_OF = {
  'deliver-bulk': 'bulk-delivery',
  'deliver-bulk-sms': 'bulk-sms-delivery',
  'deliver-email': 'email-delivery',
  'deliver-sms': 'sms-delivery',
  'deliver-webhooks': 'webhook-delivery',
  'import-contacts': 'maintenance',
  'run-campaign': 'campaigns',
} as const satisfies Record<JobName, QueueName>;

/** The names of the jobs of a queue. */
export type JobOf<Q extends QueueName> = {
  [N in JobName]: (typeof QUEUE_OF)[N] extends Q ? N : never;
}[JobName];

export const DELIVERY_JOB_OF = {
  bulk: 'deliver-bulk',
  bulk_sms: 'deliver-bulk-sms',
  email: 'deliver-email',
  sms: 'deliver-sms',
} as const satisfies Record<DeliveryLane, JobName>;
