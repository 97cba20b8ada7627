import type { NewMessage } from '../../domain/delivery.js';

/** The sweep enqueues a message that still has no job after this time. */
export const JOB_EXPECTED_WITHIN_MS = 60_000;

/** When the sweep looks at a new message: a scheduled one has no job before its time. */
export const sweepAtOf = ({ scheduledAt, createdAt }: Pick<NewMessage, 'scheduledAt' | 'createdAt'>): Date =>
  scheduledAt ?? new Date(createdAt.getTime() + JOB_EXPECTED_WITHIN_MS);
