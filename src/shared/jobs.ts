/** The queues, one per workload; each has its own concurrency, so that none delays another. */
export const QUEUE_NAMES = ['email-delivery', 'maintenance', 'webhook-delivery'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** Job name → payload. A job holds ids only: the rows are the truth, the job is the alarm clock. */
export interface JobPayloads {
  'deliver-email': { accountId: string; messageIds: string[] };
  'deliver-webhooks': { endpointIds: string[] };
  'import-contacts': { accountId: string };
}
export type JobName = keyof JobPayloads;

export const QUEUE_OF: Record<JobName, QueueName> = {
  'deliver-email': 'email-delivery',
  'deliver-webhooks': 'webhook-delivery',
  'import-contacts': 'maintenance',
};
